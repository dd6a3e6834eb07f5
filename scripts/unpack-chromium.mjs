// Unpacks the Chromium that comes with npm into the folder given, with the libraries it needs, and prints its path.
// A process of its own: the package decides by environment variables that it reads when it loads.
import { mkdirSync } from "node:fs";

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
process.env.TMPDIR = folder;
// Makes the package unpack its own libraries too: a machine for tests may have none for a browser.
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x";
const { default: chromium } = await import("@sparticuz/chromium");
console.log(await chromium.executablePath());
