/** A runtime started only to be asked: what it is, which models it offers, which sessions it remembers. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sidecarEnvironment } from "../harness/environment.ts";
import { findRuntime } from "../harness/runtime.ts";
import { startSidecar, type Sidecar } from "../harness/sidecar.ts";
import { createConnectionToken } from "../harness/token.ts";
import { createLog } from "../log.ts";
import type { Surroundings } from "../settings/command-line.ts";
import { valueOf, type Environment } from "../settings/problems.ts";

export type Inspected = { sidecar: Sidecar; token: string; runtime: string };

/** A Copilot service that is not the public one. */
const serviceOf = (environment: Environment): Record<string, string> => {
  const url = valueOf(environment, "COPILOT_API_URL");
  return url === undefined ? {} : { COPILOT_API_URL: url };
};

export const withRuntime = async <Result>(
  surroundings: Surroundings,
  options: { credential?: string; home?: string; runtimePath?: string },
  inspect: (inspected: Inspected) => Promise<Result>,
): Promise<Result> => {
  const { environment, toolCache, temporaryDirectory } = surroundings;
  const folder = mkdtempSync(join(temporaryDirectory, "copilot-driver-"));
  const log = createLog({
    prefix: "copilot-driver",
    level: "info",
    write: (line) => void process.stderr.write(line),
  });
  const credential = options.credential === undefined ? [] : [options.credential];
  try {
    const runtime = await findRuntime({
      runtimePath: options.runtimePath,
      toolCache,
      parentEnvironment: environment,
      log,
      secrets: credential,
      signal: new AbortController().signal,
    });
    const token = createConnectionToken(() => {});
    const extras = {
      home: options.home ?? join(folder, "home"),
      agentNames: [],
      credential:
        options.credential === undefined
          ? {}
          : { COPILOT_GITHUB_TOKEN: options.credential, ...serviceOf(environment) },
    };
    const sidecar = await startSidecar({
      runtime,
      token,
      environment: sidecarEnvironment(environment, extras, credential),
      workingDirectory: folder,
      sealIn: join(folder, "runtime"),
    });
    try {
      return await inspect({ sidecar, token, runtime });
    } finally {
      await sidecar.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
