/** A real Chromium from npm, with fonts from npm: the same on every machine, nothing downloaded. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));

const fontFolders = ["inter", "jetbrains-mono"].map(
  (name) => `${root}node_modules/@expo-google-fonts/${name}`,
);

const fontConfiguration = (cache: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${fontFolders
    .map((folder) => `<dir>${folder}</dir>`)
    .join("")}<cachedir>${cache}</cachedir></fontconfig>`;

/** Unpacked once per version, beside the packages; renamed into place so that two test files may race. */
const unpacked = (): string => {
  const { version } = JSON.parse(
    readFileSync(`${root}node_modules/@sparticuz/chromium/package.json`, "utf8"),
  ) as { version: string };
  const folder = `${root}node_modules/.cache/chromium-${version}`;
  if (existsSync(folder)) return folder;
  const own = `${folder}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  execFileSync(process.execPath, [`${root}scripts/unpack-chromium.mjs`, own]);
  writeFileSync(`${own}/fonts.conf`, fontConfiguration(`${folder}/font-cache`));
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
};

export const launchChromium = async (): Promise<Browser> => {
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--disable-dev-shm-usage"];
  // The package holds a Linux build; the runners of the other systems come with Chrome.
  if (process.platform !== "linux") return chromium.launch({ channel: "chrome", args });
  const folder = unpacked();
  return chromium.launch({
    executablePath: `${folder}/chromium`,
    args,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: tmpdir(),
      LD_LIBRARY_PATH: `${folder}/al2023/lib`,
      FONTCONFIG_FILE: `${folder}/fonts.conf`,
    },
  });
};
