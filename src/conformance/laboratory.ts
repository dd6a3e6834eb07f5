/** The real runtime with a scripted model, and a driver that is put into one situation after another. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { driverEnvironment, sidecarEnvironment, type ParentEnvironment } from "../harness/environment.ts";
import { adoptOrphans, endLeftovers } from "../harness/leftovers.ts";
import { createRunFolder } from "../harness/run-folder.ts";
import { startSidecar, type Sidecar } from "../harness/sidecar.ts";
import { createConnectionToken } from "../harness/token.ts";
import { inWorkspace } from "../rehearsal/fill-in.ts";
import { startScriptedApi } from "../rehearsal/scripted-api.ts";
import type { Turn } from "../rehearsal/turn.ts";
import { runDriverUnderTest } from "./driver-run.ts";
import { watchForFlood } from "./flood.ts";
import { createGate } from "./gate.ts";
import { watchForLeaks } from "./leaks.ts";
import { startRelay } from "./relay.ts";
import { answered, type Observation, type Situation } from "./situation.ts";

export type LaboratoryOptions = {
  command: readonly [string, ...string[]];
  runtime: string;
  /** Where relative names in the command start; the workspace is another folder. */
  workingDirectory: string;
  /** The variable that carries the permission configuration, as JSON. */
  permissionsVariable: string;
  /** A run of the driver that takes longer is ended and counts as hung. */
  deadlineMs: number;
  concurrency: number;
  parentEnvironment: ParentEnvironment;
  temporaryDirectory: string;
};

export type Laboratory = {
  /** The same situation is observed once, however many checks look at it. */
  observe: (situation: Situation) => Promise<Observation>;
  runtimeVersion: () => string | undefined;
  close: () => Promise<void>;
};

const withoutUnset = (variables: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

export const openLaboratory = async (options: LaboratoryOptions): Promise<Laboratory> => {
  const { command, runtime, permissionsVariable, deadlineMs, parentEnvironment } = options;
  const folder = createRunFolder(options.temporaryDirectory);
  adoptOrphans();
  const token = createConnectionToken(() => undefined);
  const conversations: { prompt: string; turns: readonly Turn[] }[] = [];
  const api = await startScriptedApi({ turns: [], conversations });
  const inTurn = createGate(options.concurrency);
  const observations = new Map<string, Promise<Observation>>();
  let runs = 0;

  const startRuntime = (): Promise<Sidecar> => {
    const home = join(folder.path, `home-${runs}`);
    mkdirSync(home);
    const extras = { home, agentNames: [], credential: api.environment };
    return startSidecar({
      runtime,
      token,
      environment: sidecarEnvironment(parentEnvironment, extras, []),
      workingDirectory: folder.path,
    });
  };
  let sidecar = startRuntime();
  /** A driver may bring the runtime down: the next situation gets a new one. */
  const liveSidecar = async (): Promise<Sidecar> => {
    const current = sidecar;
    const { exited } = await current;
    const isGone = await Promise.race([exited.then(() => true), Promise.resolve(false)]);
    if (isGone && sidecar === current) sidecar = startRuntime();
    return sidecar;
  };

  const experiment = async (situation: Situation): Promise<Observation> => {
    const { uri: target } = await liveSidecar();
    const run = join(folder.path, `run-${++runs}`);
    const workspace = join(run, "workspace");
    // What a driver keeps for itself is searched too, and is not in the way of the next one.
    const [home, temporary] = [join(run, "home"), join(run, "tmp")];
    for (const path of [workspace, home, temporary]) mkdirSync(path, { recursive: true });
    writeFileSync(join(workspace, "README.md"), "# A workspace\n");
    const promptFile = join(run, "prompt.txt");
    const prompt = `Do the work of situation ${runs}.`;
    writeFileSync(promptFile, prompt);
    conversations.push({ prompt, turns: inWorkspace(situation.turns ?? answered, workspace) });

    const secrets = { COPILOT_CONNECTION_TOKEN: token, ...situation.canaries };
    const leaks = watchForLeaks(secrets);
    const flood = watchForFlood();
    const relay = await startRelay({
      target,
      inject: situation.inject ?? [],
      onSent: (text) => leaks.look(text, "a message to the runtime"),
      flood,
    });
    try {
      const contract = {
        GH_AW_PROMPT: promptFile,
        COPILOT_SDK_URI: relay.uri,
        COPILOT_CONNECTION_TOKEN: token,
        COPILOT_MODEL: api.model,
        GITHUB_WORKSPACE: workspace,
      };
      const environment = withoutUnset({
        ...driverEnvironment(parentEnvironment, contract, []),
        ...{ HOME: home, USERPROFILE: home, TMPDIR: temporary, TMP: temporary, TEMP: temporary },
        ...(situation.permissions && { [permissionsVariable]: JSON.stringify(situation.permissions) }),
        ...situation.canaries,
        ...Object.fromEntries((situation.tokenAs ?? []).map((name) => [name, token])),
        ...situation.environment,
      });
      const { end, stdout, stderr } = await runDriverUnderTest({
        command,
        environment,
        workingDirectory: options.workingDirectory,
        deadlineMs,
        flood,
        onOutput: (text) => leaks.look(text, "the output"),
      });
      leaks.lookInFolder(run);
      return {
        prompt,
        end,
        stdout,
        stderr,
        traffic: relay.traffic,
        leaks: leaks.found(),
        files: readdirSync(workspace),
      };
    } finally {
      await relay.close();
    }
  };

  const observe = (situation: Situation): Promise<Observation> => {
    const key = JSON.stringify(situation, (_, value: unknown) => (value === undefined ? "(unset)" : value));
    const known = observations.get(key);
    if (known) return known;
    const observation = inTurn(() => experiment(situation));
    observations.set(key, observation);
    return observation;
  };

  let version: string | undefined;
  await sidecar.then(({ runtimeVersion }) => (version = runtimeVersion));
  return {
    observe,
    runtimeVersion: () => version,
    close: async () => {
      await sidecar.then(({ stop }) => stop()).catch(() => undefined);
      endLeftovers();
      await api.close();
      await folder.remove();
    },
  };
};
