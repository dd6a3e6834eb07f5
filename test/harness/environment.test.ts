import {
  checkAgentNames,
  driverEnvironment,
  installerEnvironment,
  sidecarEnvironment,
  type DriverContract,
} from "../../src/harness/environment.ts";

const contract: DriverContract = {
  GH_AW_PROMPT: "/tmp/prompt.txt",
  COPILOT_SDK_URI: "127.0.0.1:1",
  COPILOT_CONNECTION_TOKEN: "token",
  COPILOT_MODEL: "auto",
};
const plain = { PATH: "/bin", HOME: "/home/a", TMPDIR: "/tmp", LANG: "C.UTF-8", LC_ALL: "C", TZ: "UTC" };
const extras = { home: "/run/home", agentNames: [], credential: { COPILOT_GITHUB_TOKEN: "ghs_held" } };
const network = { HTTPS_PROXY: "http://proxy:1", no_proxy: "localhost", SSL_CERT_FILE: "/ca.pem" };

describe("the driver's environment", () => {
  it("holds the contract, locale, PATH, HOME and temp, and nothing else", () => {
    const parent = { ...plain, ...network, OTEL_SERVICE_NAME: "x", NODE_OPTIONS: "--inspect", EDITOR: "vi" };
    const absent = { ...contract, GITHUB_WORKSPACE: undefined };
    expect(driverEnvironment(parent, absent, [])).toStrictEqual({ ...plain, ...contract });
  });
});

describe("the sidecar's environment", () => {
  it("adds proxy, certificates, telemetry, its own home and the one credential", () => {
    const parent = { ...plain, ...network, OTEL_SERVICE_NAME: "x", NODE_OPTIONS: "--inspect", EDITOR: "vi" };
    expect(sidecarEnvironment(parent, extras, ["ghs_held"])).toEqual({
      ...plain,
      ...network,
      OTEL_SERVICE_NAME: "x",
      COPILOT_HOME: "/run/home",
      COPILOT_GITHUB_TOKEN: "ghs_held",
    });
  });

  it("keeps telemetry headers back, which carry keys, unless they are passed by name", () => {
    const parent = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=abc" };
    expect(sidecarEnvironment(parent, extras, [])).not.toHaveProperty("OTEL_EXPORTER_OTLP_HEADERS");
    const named = { ...extras, agentNames: ["OTEL_EXPORTER_OTLP_HEADERS"] };
    expect(sidecarEnvironment(parent, named, [])).toHaveProperty("OTEL_EXPORTER_OTLP_HEADERS");
  });

  it("passes what the user names, and its own home always wins", () => {
    const parent = { DATABASE_URL: "db", COPILOT_HOME: "/home/a/.copilot", OTHER: "x" };
    const named = { ...extras, agentNames: ["DATABASE_URL", "COPILOT_HOME", "ABSENT"] };
    expect(sidecarEnvironment(parent, named, [])).toEqual({
      DATABASE_URL: "db",
      COPILOT_HOME: "/run/home",
      COPILOT_GITHUB_TOKEN: "ghs_held",
    });
  });

  it("never holds a credential of the platform, even when it is named", () => {
    const names = ["GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "INPUT_PROMPT", "actions_x"];
    const parent = Object.fromEntries(names.map((name) => [name, "x"]));
    expect(sidecarEnvironment(parent, { ...extras, agentNames: names }, [])).toEqual({
      COPILOT_HOME: "/run/home",
      COPILOT_GITHUB_TOKEN: "ghs_held",
    });
  });

  it("drops a variable that hides a secret which we hold, in any encoding, even when it is named", () => {
    const secret = "canary-secret-value";
    const forms = [
      secret,
      `prefix ${secret} suffix`,
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
      encodeURIComponent(`${secret}/`),
      [...secret].reverse().join(""),
    ];
    for (const value of forms) {
      const parent = { LANG: value, NAMED: value };
      const named = { ...extras, agentNames: ["NAMED"] };
      expect(Object.values(sidecarEnvironment(parent, named, [secret]))).not.toContain(value);
      expect(Object.values(driverEnvironment(parent, contract, [secret]))).not.toContain(value);
    }
  });
});

describe("the names that a user passes to the agent", () => {
  it("are accepted when they are names", () => {
    expect(() => checkAgentNames(["DATABASE_URL", "_x1"])).not.toThrow();
  });

  it("may not be credentials of the platform", () => {
    const refused = ["GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "INPUT_GITHUB-TOKEN"];
    for (const name of refused.slice(0, 3))
      expect(() => checkAgentNames([name])).toThrow("is never passed to the agent");
    expect(() => checkAgentNames(["OK", ...refused])).toThrow("not a variable name: INPUT_GITHUB-TOKEN");
  });
});

describe("the installer's environment", () => {
  it("holds npm's own settings and none of our secrets", () => {
    const parent = { PATH: "/bin", npm_config_cache: "/c", GITHUB_TOKEN: "ghs_x", LANG: "ghs_held" };
    expect(installerEnvironment(parent, ["ghs_held"])).toEqual({ PATH: "/bin", npm_config_cache: "/c" });
  });
});
