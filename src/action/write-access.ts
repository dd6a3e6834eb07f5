/** Whether whoever caused the event may have the agent work for them. */
import * as http from "node:http";
import * as https from "node:https";
import { Failure, messageOf } from "../errors.ts";
import { parseUrl } from "../parse-url.ts";
import type { ActionWorld } from "../settings/action.ts";
import type { RunSettings } from "../settings/run.ts";

export type WriteAccess = { kind: "granted"; why: string } | { kind: "refused"; why: string };

type Request = Pick<ActionWorld, "event" | "actor" | "repository" | "apiUrl" | "environment">;

const patienceMs = 15_000;
const longestAnswer = 1024 * 1024;

const get = (url: URL, token: string, environment: ActionWorld["environment"], signal: AbortSignal) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { request, Agent } = url.protocol === "https:" ? https : http;
    request(
      url,
      {
        // Node 24.5 and later go through the proxy that the environment names; earlier ones go directly.
        agent: new Agent({ proxyEnv: { ...environment } }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "user-agent": "copilot-driver",
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
          if (text.length > longestAnswer) response.destroy(new Error("The answer is too long."));
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    )
      .on("error", reject)
      .end();
  });

const permissionIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { permission?: unknown } | null)?.permission);
  } catch {
    return "unknown";
  }
};

const undecided = (what: string): Failure =>
  new Failure("no-write-access", `Whether the actor has write access could not be found out: ${what}.`, {
    advice:
      "Give the job `contents: read` and leave `actor-check-token` as it is, or set `require-write-access: false` if everybody may use this workflow.",
  });

const ask = async (
  { actor, repository, apiUrl, environment }: Request,
  token: string,
  signal: AbortSignal,
): Promise<WriteAccess> => {
  const path = `/repos/${repository}/collaborators/${encodeURIComponent(actor)}/permission`;
  const url = parseUrl(apiUrl.replace(/\/$/, "") + path);
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw new Failure("configuration", `GITHUB_API_URL: ${apiUrl} is no web address.`, {
      advice: "Leave GITHUB_API_URL as the runner sets it.",
    });
  const answer = await get(url, token, environment, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw undecided(messageOf(error));
  });
  if (answer.status === 404) return { kind: "refused", why: `${actor} is not a collaborator` };
  if (answer.status !== 200) throw undecided(`the API answered ${answer.status}`);
  const permission = permissionIn(answer.text);
  return ["admin", "maintain", "write"].includes(permission)
    ? { kind: "granted", why: `${actor} has the permission ${permission}` }
    : { kind: "refused", why: `${actor} has the permission ${permission}, not write` };
};

export const checkWriteAccess = async (
  world: Request,
  settings: Pick<RunSettings, "requireWriteAccess" | "allowedActors" | "actorCheckToken">,
  signal: AbortSignal,
): Promise<WriteAccess> => {
  const { requireWriteAccess, allowedActors, actorCheckToken } = settings;
  const { event, actor, repository } = world;
  if (requireWriteAccess === "false") return { kind: "granted", why: "everybody may use this workflow" };
  if (requireWriteAccess !== "true" && !event.outsidersCanTrigger)
    return {
      kind: "granted",
      why: `only people with write access can have caused this event, ${event.name}`,
    };
  if (allowedActors.some((name) => name.toLowerCase() === actor.toLowerCase()))
    return { kind: "granted", why: `${actor} is one of the allowed actors` };
  if (actor === "" || repository === "") throw undecided("GITHUB_ACTOR or GITHUB_REPOSITORY is not set");
  if (actorCheckToken === undefined) throw undecided("there is no token to ask the API with");
  return ask(world, actorCheckToken, signal);
};
