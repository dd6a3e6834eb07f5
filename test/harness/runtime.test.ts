import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installRuntime, packageName } from "../../src/harness/install-runtime.ts";
import { runtimeIntegrity, runtimeVersion } from "../../src/harness/pinned-runtime.ts";
import { findRuntime, type RuntimeSearch } from "../../src/harness/runtime.ts";
import { createLog } from "../../src/log.ts";
import { projectRoot } from "../support/compiled.ts";

const platform = `${process.platform}-${process.arch}`;
const executable = join("node_modules", packageName(platform), "prebuilds", platform, "copilot-runtime");

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "find-runtime-"));
  lines = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const place = (path: string, text = "#!/bin/sh\n"): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};
const log = () => createLog({ prefix: "harness", level: "info", write: (line) => lines.push(line) });

const find = (changes: Partial<RuntimeSearch> = {}) =>
  findRuntime({
    runtimePath: undefined,
    toolCache: join(folder, "cache"),
    parentEnvironment: { PATH: join(folder, "bin"), HOME: folder },
    log: log(),
    secrets: [],
    signal: new AbortController().signal,
    from: join(folder, "app/dist"),
    ...changes,
  });

const inModules = () => join(folder, "app", executable);
const inCache = () => join(folder, "cache/copilot-runtime", runtimeVersion, platform, executable);
const onPath = () => join(folder, "bin/copilot");

describe("the runtime", () => {
  it("is the given one before all others", async () => {
    const given = place(join(folder, "given"));
    for (const path of [inModules(), inCache(), onPath()]) place(path);
    await expect(find({ runtimePath: given })).resolves.toBe(given);
  });

  it("is the installed package before the cached one, and that before any on the PATH", async () => {
    place(onPath());
    place(inCache());
    await expect(find()).resolves.toBe(inCache());
    place(inModules());
    await expect(find()).resolves.toBe(inModules());
  });

  it("needs no network and no npm when it is cached", async () => {
    place(inCache());
    await expect(find({ parentEnvironment: { PATH: "" } })).resolves.toBe(inCache());
    expect(lines).toEqual([]);
  });

  it("is the copilot command on the PATH when it cannot be installed, which is said", async () => {
    place(onPath());
    await expect(find()).resolves.toBe(onPath());
    expect(lines.join("")).toContain("using the copilot command on the PATH");
  });

  it("is the binary behind npm's loader, not the loader", async () => {
    const binary = place(join(folder, `lib/node_modules/@github/copilot-${platform}/copilot`));
    const loader = place(join(folder, "lib/node_modules/@github/copilot/npm-loader.js"));
    mkdirSync(join(folder, "bin"));
    symlinkSync(loader, onPath());
    await expect(find()).resolves.toBe(binary);
  });

  it.each([
    ["is not there", () => join(folder, "nothing"), "There is no Copilot runtime at"],
    ["is a folder", () => folder, "is not a file: name the executable itself"],
  ])("that was given but %s is refused, and no other is taken", async (_, path, message) => {
    place(inModules());
    await expect(find({ runtimePath: path() })).rejects.toThrow(message);
  });

  it("that is nowhere, with no npm to install it, gives one clear line", async () => {
    await expect(find()).rejects.toMatchObject({
      kind: "runtime-missing",
      message: "npm, which would install the Copilot runtime, is not on the PATH.",
    });
  });
});

describe("the pinned runtime", () => {
  it("is what the lock file pins", () => {
    const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version: string; integrity?: string }>;
    };
    const locked = Object.entries(packages).filter(([path]) =>
      path.startsWith(`node_modules/${packageName("")}`),
    );
    const pinned = locked.filter(([, { integrity }]) => integrity !== undefined);
    expect(
      Object.fromEntries(pinned.map(([path, { integrity }]) => [path.split("copilot-sdk-")[1], integrity])),
    ).toEqual(runtimeIntegrity);
    for (const [, { version }] of locked) expect(version).toBe(runtimeVersion);
  });
});

describe("installing the runtime", () => {
  let registry: Server;
  let archive: Buffer;
  let asked: string[];
  let truth: string;

  /** A registry of one small package that calls itself the runtime. */
  beforeEach(async () => {
    const source = join(folder, "source/package");
    place(join(source, "prebuilds", platform, "copilot-runtime"));
    writeFileSync(
      join(source, "package.json"),
      JSON.stringify({
        name: packageName(platform),
        version: runtimeVersion,
        scripts: { install: `touch ${join(folder, "script-ran")}` },
      }),
    );
    execFileSync("tar", ["-czf", join(folder, "package.tgz"), "-C", join(folder, "source"), "package"]);
    archive = readFileSync(join(folder, "package.tgz"));
    truth = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    asked = [];
    registry = await new Promise<Server>((resolve) => {
      const server = createServer((request, response) => {
        asked.push(request.url ?? "");
        if (request.url === "/package.tgz") return response.end(archive);
        const tarball = `http://127.0.0.1:${(server.address() as AddressInfo).port}/package.tgz`;
        const version = {
          name: packageName(platform),
          version: runtimeVersion,
          dist: { tarball, integrity: truth },
        };
        return response.end(
          JSON.stringify({
            name: packageName(platform),
            "dist-tags": { latest: runtimeVersion },
            versions: { [runtimeVersion]: version },
          }),
        );
      }).listen(0, "127.0.0.1", () => resolve(server));
    });
  });
  afterEach(() => {
    registry.closeAllConnections();
    registry.close();
  });

  const target = () => join(folder, "cache/copilot-runtime", runtimeVersion, platform);
  const install = (integrity: string | undefined) =>
    installRuntime({
      platform,
      integrity,
      folder: target(),
      executable: inCache(),
      log: log(),
      signal: new AbortController().signal,
      environment: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
        npm_config_cache: join(folder, "npm-cache"),
        npm_config_update_notifier: "false",
      },
    });

  it("puts it into the cache with npm, says so, and runs no script of the package", async () => {
    await install(truth);
    expect(existsSync(inCache())).toBe(true);
    await expect(find()).resolves.toBe(inCache());
    expect(existsSync(join(folder, "script-ran"))).toBe(false);
    expect(lines.join("")).toMatch(
      /installing the Copilot runtime package=.*installed the Copilot runtime folder=/s,
    );
  });

  it("puts it in the place of a copy whose executable is missing", async () => {
    place(join(target(), "node_modules/half-of-it"));
    await install(truth);
    await expect(find()).resolves.toBe(inCache());
    expect(readdirSync(dirname(target()))).toEqual([platform]);
  });

  it("is no silent matter while it takes long, at the usual log level either", async () => {
    place(join(folder, "bin/npm"), "#!/bin/sh\n/bin/sleep 6\nexit 1\n");
    const quiet = createLog({ prefix: "harness", level: "warning", write: (line) => lines.push(line) });
    await expect(find({ log: quiet })).rejects.toThrow("npm could not install");
    expect(lines.join("")).toMatch(/still installing the Copilot runtime seconds=\d/);
  });

  it("refuses a package that does not have our hash, and leaves nothing", async () => {
    const other = `sha512-${createHash("sha512").update("something else").digest("base64")}`;
    await expect(install(other)).rejects.toMatchObject({
      kind: "runtime-missing",
      message: expect.stringMatching(
        /npm could not install the Copilot runtime: .*Integrity checksum failed/,
      ) as string,
    });
    expect(readdirSync(dirname(target()))).toEqual([]);
  });

  it("asks nobody for a platform whose hash does not ship with us", async () => {
    await expect(install(undefined)).rejects.toThrow("No hash of the Copilot runtime for");
    expect(asked).toEqual([]);
  });

  it("leaves one complete copy when two runs install at the same time", async () => {
    await Promise.all([install(truth), install(truth)]);
    expect(existsSync(inCache())).toBe(true);
    expect(readdirSync(dirname(target()))).toEqual([platform]);
  });
});
