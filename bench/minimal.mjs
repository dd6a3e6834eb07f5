// The least that one can write: start the runtime, use the SDK, print the answer. What we do beyond it is measured against it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { approveAll, CopilotClient, RuntimeConnection } from "@github/copilot-sdk";

const [runtimePath, model] = process.argv.slice(2);
const connectionToken = "minimal";
const runtime = spawn(runtimePath, ["--headless", "--no-auto-update", "--port", "0"], {
  env: { ...process.env, COPILOT_CONNECTION_TOKEN: connectionToken },
  stdio: ["ignore", "pipe", "ignore"],
});
const port = await new Promise((resolve) => {
  createInterface({ input: runtime.stdout }).on("line", (line) => {
    const [, found] = /listening on port (\d+)/.exec(line) ?? [];
    if (found) resolve(found);
  });
});
const client = new CopilotClient({
  connection: RuntimeConnection.forUri(`127.0.0.1:${port}`, { connectionToken }),
});
await client.start();
const session = await client.createSession({
  model,
  workingDirectory: process.cwd(),
  onPermissionRequest: approveAll,
  streaming: true,
});
const answer = await session.sendAndWait({ prompt: "Do what the script says." }, 60_000);
console.log(answer?.data.content);
await session.disconnect();
await client.stop();
runtime.kill();
