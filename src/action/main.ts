/** The step itself: read what is asked, check who asks, let the agent work, and tell how it ended. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import type { Cancellation } from "../harness/cancellation.ts";
import type { RunFolder } from "../harness/run-folder.ts";
import type { HarnessObserver } from "../harness/settings.ts";
import { createLog, type Fields, type Log } from "../log.ts";
import type { Played } from "../rehearsal/play.ts";
import { inputMistakes, type ActionWorld } from "../settings/action.ts";
import { secretsOf } from "../settings/mcp-servers.ts";
import { buildRunSettings, type RunSettings } from "../settings/run.ts";
import { attempt } from "./attempt.ts";
import { openCommandFiles } from "./command-files.ts";
import { endingOfFailure, endingOfRun, endingWith, type Ending } from "./ending.ts";
import { introduce } from "./introduce.ts";
import { startLiveLog } from "./live-log.ts";
import { publish } from "./publish.ts";
import { watchRecord, type RecordWatch } from "./record.ts";
import { keepState, type StateKeeper } from "./saved-state.ts";
import { createWorkflowLog, type WorkflowLog } from "./workflow-log.ts";

type Step = {
  world: ActionWorld;
  log: WorkflowLog;
  warnings: string[];
  state: StateKeeper;
  cancellation: Cancellation;
};

/** The harness's log with its warnings kept, so that they can be told again where nobody misses them. */
const keepingWarnings = (log: Log, warnings: string[]): Log => ({
  ...log,
  warning: (message: string, fields: Fields = {}) => {
    log.warning(message, fields);
    const { why, where, advice } = fields;
    const reason = [where, why, advice].filter((text) => text !== undefined).join(". ");
    if (reason !== "") warnings.push(`${message}: ${reason}`);
  },
});

const readSettings = (world: ActionWorld, folder: string, temporaryDirectory: string): Promise<RunSettings> =>
  buildRunSettings(world.inputs, {
    environment: world.environment,
    workspace: world.workspace,
    confined: true,
    folder,
    temporaryDirectory,
    toolCache: world.toolCache,
    codeIsTrusted: world.event.codeIsTrusted,
    mistakes: inputMistakes(world.environment),
  });

/** By this name the runner finds and ends what a job left running. */
const trackingId = "RUNNER_TRACKING_ID";

const withTracking = (settings: RunSettings, { environment }: ActionWorld): RunSettings => ({
  ...settings,
  harness: {
    ...settings.harness,
    agentEnvironment: [
      ...(settings.harness.agentEnvironment ?? []),
      ...(environment[trackingId] === undefined ? [] : [trackingId]),
    ],
  },
});

const runAgent = async (step: Step, settings: RunSettings, record: RecordWatch): Promise<Played> => {
  const { log, state, world, cancellation } = step;
  const { logLevel } = settings.harness;
  const live = startLiveLog(log.say);
  const showsDriver = logLevel === "debug" || logLevel === "all";
  const write = (text: string): void => live.say(text.trimEnd());
  const observer: HarnessObserver = {
    log: keepingWarnings(createLog({ prefix: "copilot-driver", level: logLevel, write }), step.warnings),
    mask: log.mask,
    onEvent: (event) => {
      record.observe(event);
      live.observe(event);
    },
    onStart: (what) => {
      if ("pid" in what) state.add(what.pid);
    },
    ...(showsDriver && { onDriverLine: live.say }),
  };
  const { runWithModel } = await import("../rehearsal/run-with-model.ts");
  log.group("The agent at work");
  try {
    return await runWithModel(withTracking(settings, world), observer, cancellation);
  } finally {
    live.close();
    log.endGroup();
  }
};

const work = async (step: Step, settings: RunSettings): Promise<Ending> => {
  const { world, log } = step;
  const { signal } = step.cancellation;
  const { checkWriteAccess } = await import("./write-access.ts");
  const access = await checkWriteAccess(world, settings, signal);
  if (access.kind === "refused") {
    if (settings.requireWriteAccess === "skip") return { conclusion: "skipped", skipped: access.why };
    throw new Failure("no-write-access", `${access.why} (event ${world.event.name}).`);
  }
  introduce(settings, world, log);
  log.say(`started by: ${world.actor} (${access.why})`);
  secretsOf(settings.mcpServers).forEach(log.mask);
  signal.throwIfAborted();
  const record = watchRecord();
  return endingOfRun(await runAgent(step, settings, record), settings, record);
};

const removeOptionFiles = ({ harness }: RunSettings): void => {
  for (const file of [harness.mcpConfigFile, harness.outputSchemaFile])
    if (file !== undefined) rmSync(file, { force: true });
};

/** Everything that can go wrong here becomes an ending that can be told. */
const endStep = async (step: Step, settings: RunSettings): Promise<Ending> => {
  const { failureOf } = await import("../harness/verdict.ts");
  try {
    return await work(step, settings);
  } catch (error) {
    return endingOfFailure(failureOf(error, step.cancellation.signal));
  } finally {
    removeOptionFiles(settings);
  }
};

const foreignWritesLeft = (names: readonly string[]): Failure =>
  new Failure(
    "record",
    `Something other than this step wrote to ${names.join(", ")}, and that could not be undone.`,
    {
      advice:
        "Do not rely on what later steps of this job read there. Allow the agent less than every command.",
    },
  );

export const runMainStep = async (world: ActionWorld, write: (text: string) => void): Promise<number> => {
  const log = createWorkflowLog(write);
  const files = openCommandFiles(world.commandFiles);
  const warnings: string[] = [];
  let temporary: RunFolder | undefined;
  let folder: string | undefined;
  let state: StateKeeper | undefined;
  let settings: RunSettings | undefined;
  let ending: Ending;
  // Kept until the process ends: a signal must not keep us from telling how it ended.
  const { watchSignals } = await import("../harness/cancellation.ts");
  const cancellation = watchSignals();
  try {
    files.check();
    const { createRunFolder } = await import("../harness/run-folder.ts");
    temporary = createRunFolder(world.temporaryDirectory, "copilot-driver-temporary-");
    folder = mkdtempSync(join(world.temporaryDirectory, "copilot-driver-record-"));
    state = keepState(files, { temporary: temporary.path, record: folder });
    settings = await readSettings(world, folder, temporary.path);
    ending = await endStep({ world, log, warnings, state, cancellation }, settings);
  } catch (error) {
    ending = endingOfFailure(error instanceof Failure ? error : new Failure("unknown", messageOf(error)));
  }
  const { undone, left } = files.undoForeignWrites(settings?.harness.agentEnvironment ?? []);
  if (undone.length > 0)
    warnings.push(`something other than this step wrote to ${undone.join(", ")}; that was undone`);
  if (left.length > 0) ending = endingWith(foreignWritesLeft(left), ending);
  warnings.push(...(ending.result?.warnings ?? []));
  const { policy, report = false } = settings ?? {};
  await publish({ ending, warnings, policy, report, folder }, files, log);
  await temporary?.remove();
  await attempt("The state for the clean-up", log, () => state?.finish());
  return ending.failure?.exitCode ?? 0;
};
