/** The door to the Action's clean-up. */
import { runPostStep } from "./action/post-step.ts";
import { readActionWorld } from "./settings/action.ts";

await runPostStep(readActionWorld(process.env), (text) => process.stdout.write(text));
