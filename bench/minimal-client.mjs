// The least that a driver can be: connect to a running runtime, send, print. Ours is measured against it.
import { readFileSync } from "node:fs";
import { approveAll, CopilotClient, RuntimeConnection } from "@github/copilot-sdk";

const { COPILOT_SDK_URI, COPILOT_CONNECTION_TOKEN, COPILOT_MODEL, GH_AW_PROMPT } = process.env;
const client = new CopilotClient({
  connection: RuntimeConnection.forUri(COPILOT_SDK_URI, { connectionToken: COPILOT_CONNECTION_TOKEN }),
});
await client.start();
const session = await client.createSession({
  model: COPILOT_MODEL,
  workingDirectory: process.cwd(),
  onPermissionRequest: approveAll,
  streaming: true,
});
const answer = await session.sendAndWait({ prompt: readFileSync(GH_AW_PROMPT, "utf8") }, 60_000);
console.log(answer?.data.content);
await session.disconnect();
await client.stop();
