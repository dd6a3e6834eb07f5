/** What the event that started a workflow says about whom and what to trust. */
import { isRecord } from "./problems.ts";

export type EventTrust = {
  /** Somebody without any right in the repository may have caused it. */
  outsidersCanTrigger: boolean;
  /** Only people with write access decide what code is checked out. */
  codeIsTrusted: boolean;
};

/** Only people with write access cause these, and they run the repository's own code. */
const internal = new Set([
  "branch_protection_rule",
  "create",
  "delete",
  "deployment",
  "deployment_status",
  "label",
  "merge_group",
  "milestone",
  "page_build",
  "push",
  "registry_package",
  "release",
  "repository_dispatch",
  "schedule",
  "workflow_dispatch",
]);

/** Anybody causes these, but the default branch's code runs. */
const onDefaultBranch = new Set([
  "discussion",
  "discussion_comment",
  "fork",
  "issues",
  "issue_comment",
  "watch",
]);

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);

const sameRepository = (head: unknown, base: unknown): boolean =>
  typeof head === "string" && head !== "" && head === base;

/** A missing or unreadable payload counts as a stranger's. */
const comesFromHere = (payload: unknown): boolean =>
  sameRepository(
    at(payload, "pull_request", "head", "repo", "full_name"),
    at(payload, "pull_request", "base", "repo", "full_name"),
  );

/** A workflow run is as good as what caused it: a stranger's comment starts one in this repository, too. */
const isOfOurOwn = (payload: unknown): boolean => {
  const cause = at(payload, "workflow_run", "event");
  return (
    typeof cause === "string" &&
    (internal.has(cause) || cause === "pull_request") &&
    sameRepository(
      at(payload, "workflow_run", "head_repository", "full_name"),
      at(payload, "repository", "full_name"),
    )
  );
};

/** Whoever caused the event, where the payload knows it better than the runner: behind a workflow run stands another one. */
export const causeOf = (name: string | undefined, payload: unknown): string | undefined => {
  const login = name === "workflow_run" ? at(payload, "workflow_run", "actor", "login") : undefined;
  return typeof login === "string" && login !== "" ? login : undefined;
};

export const trustOf = (name: string | undefined, payload: unknown): EventTrust => {
  if (name !== undefined && internal.has(name)) return { outsidersCanTrigger: false, codeIsTrusted: true };
  switch (name) {
    case "pull_request":
      return { outsidersCanTrigger: !comesFromHere(payload), codeIsTrusted: comesFromHere(payload) };
    case "pull_request_target":
    case "pull_request_review":
    case "pull_request_review_comment":
      return { outsidersCanTrigger: true, codeIsTrusted: comesFromHere(payload) };
    case "workflow_run":
      return { outsidersCanTrigger: !isOfOurOwn(payload), codeIsTrusted: isOfOurOwn(payload) };
    default: {
      // A comment's workflow often checks out the pull request that it is about.
      const isAboutCode = at(payload, "issue", "pull_request") !== undefined;
      return { outsidersCanTrigger: true, codeIsTrusted: onDefaultBranch.has(name ?? "") && !isAboutCode };
    }
  }
};
