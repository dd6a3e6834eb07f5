/** What the runtime asks of the Copilot API around the model calls, as the smallest answers that satisfy it. */

export const userOf = (url: string): object => ({
  login: "rehearsal",
  copilot_plan: "individual_pro",
  is_mcp_enabled: true,
  analytics_tracking_id: "rehearsal",
  endpoints: { api: url, telemetry: "https://localhost:1/t" },
});

export const modelsOf = (id: string): object => ({
  object: "list",
  data: [
    {
      id,
      name: id,
      object: "model",
      vendor: "rehearsal",
      version: id,
      model_picker_enabled: true,
      preview: false,
      policy: { state: "enabled", terms: "" },
      supported_endpoints: ["/chat/completions"],
      capabilities: {
        type: "chat",
        family: id,
        object: "model_capabilities",
        tokenizer: "o200k_base",
        limits: {
          max_context_window_tokens: 200_000,
          max_output_tokens: 16_000,
          max_prompt_tokens: 180_000,
        },
        supports: { streaming: true, tool_calls: true, parallel_tool_calls: true, vision: false },
      },
    },
  ],
});

type RpcRequest = { id?: unknown; method?: unknown; params?: { protocolVersion?: unknown } };

/** GitHub's own MCP server, which the runtime always asks for: present, and without tools. A notification has no answer. */
export const mcpAnswerOf = ({ id, method, params }: RpcRequest): object | undefined => {
  if (id === undefined) return undefined;
  const envelope = { jsonrpc: "2.0", id };
  switch (method) {
    case "initialize":
      return {
        ...envelope,
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "rehearsal", version: "1" },
        },
      };
    case "tools/list":
      return { ...envelope, result: { tools: [] } };
    default:
      return { ...envelope, error: { code: -32601, message: "Method not found" } };
  }
};
