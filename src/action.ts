/** The door to the Action's main step. */
import { runMainStep } from "./action/main.ts";
import { readActionWorld } from "./settings/action.ts";

const exitCode = await runMainStep(readActionWorld(process.env), (text) => process.stdout.write(text));
// Not before everything is written, and whatever may still be waiting for something.
process.stdout.write("", () => process.exit(exitCode));
