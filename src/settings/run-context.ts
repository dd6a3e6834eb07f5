/** Where a run happens, as far as its settings depend on it. */
import type { Environment } from "./problems.ts";

export type RunContext = {
  environment: Environment;
  /** Relative paths begin here, and the agent works here by default. */
  workspace: string;
  /** Whether `working-directory` must stay inside the workspace. */
  confined: boolean;
  /** A private folder that outlives the run: event log, and option texts that must be files. */
  folder: string;
  temporaryDirectory: string;
  toolCache: string;
  /** Whether the code in the workspace may instruct the agent. */
  codeIsTrusted: boolean;
  /** What was found wrong before the options were read. */
  mistakes?: readonly string[];
};
