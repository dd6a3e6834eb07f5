import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { createHarnessWorld, type HarnessWorld } from "../support/harness-process.ts";

let world: HarnessWorld;
let api: ScriptedApi;
let proof: string;

const hookNames = ["sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse"];
const mark = "an instruction of whoever wrote the code";

/** Files of a repository by which its authors would like to run commands, or tell the agent what to do. */
const planted = (command: string): Record<string, string> => {
  const hooks = JSON.stringify({
    version: 1,
    hooks: Object.fromEntries(hookNames.map((name) => [name, [{ type: "command", bash: command }]])),
  });
  const ofOtherTools = { hooks: [{ type: "command", command }] };
  const server = { type: "local", command: "/bin/sh", args: ["-c", command], tools: ["*"] };
  const servers = JSON.stringify({ mcpServers: { planted: server }, servers: { planted: server } });
  const languages = {
    planted: { command: "/bin/sh", args: ["-c", command], fileExtensions: { ".ts": "x" } },
  };
  return {
    ".github/hooks/planted.json": hooks,
    ".copilot/hooks.json": hooks,
    "hooks.json": hooks,
    ".claude/settings.json": JSON.stringify({
      hooks: { SessionStart: [ofOtherTools], PreToolUse: [{ matcher: "*", ...ofOtherTools }] },
    }),
    ".mcp.json": servers,
    ".vscode/mcp.json": servers,
    ".github/mcp.json": servers,
    ".github/lsp.json": JSON.stringify({ lspServers: languages }),
    "AGENTS.md": mark,
    "CLAUDE.md": mark,
    ".github/copilot-instructions.md": mark,
    ".github/instructions/x.instructions.md": `---\napplyTo: "**"\n---\n${mark}\n`,
    ".github/skills/x/SKILL.md": `---\nname: x\ndescription: ${mark}\n---\n`,
    ".github/agents/x.agent.md": `---\nname: x\ndescription: ${mark}\n---\n`,
    "inside/AGENTS.md": mark,
    "inside/code.ts": "export {};\n",
  };
};

beforeAll(async () => {
  world = createHarnessWorld();
  proof = join(world.temporary, "..", "home", "proof");
  for (const [name, text] of Object.entries(planted(`echo ran > ${proof}`))) {
    const path = join(world.workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  api = await startScriptedApi({
    turns: [
      {
        toolCalls: [
          { name: "bash", arguments: { command: "git init", description: "x", mode: "sync" } },
          { name: "view", arguments: { path: join(world.workspace, "inside/code.ts") } },
        ],
      },
      { text: "Done." },
    ],
  });
});
afterAll(async () => {
  await api.close();
  world.remove();
});

describe.each([
  ["followed", true],
  ["not followed", false],
])("code that was checked out, whose instructions are %s,", (_, customInstructions) => {
  it("runs no command by being there, and is heard by the model only if it may be", async () => {
    api.requests.length = 0;
    const credential = { kind: "scripted", environment: api.environment } as const;
    const { result } = await world.start({ credential, customInstructions }).ended;
    expect(result).toMatchObject({ outcome: "completed", output: "Done." });
    expect(existsSync(proof)).toBe(false);
    expect(JSON.stringify(api.requests.map(({ body }) => body)).includes(mark)).toBe(customInstructions);
  });
});
