#!/usr/bin/env node
/** The door to the command line. */

import { runCommandLine } from "./cli/dispatch.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
