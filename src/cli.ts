#!/usr/bin/env node
/** The door to the command line. */

import { runCommandLine } from "./cli/dispatch.ts";
import { exitOnSignal } from "./cli/exit-on-signal.ts";
import { watchOutput } from "./cli/watch-output.ts";

exitOnSignal();
const exitCodeFor = watchOutput();
process.exitCode = exitCodeFor(await runCommandLine(process.argv.slice(2), process.env));
