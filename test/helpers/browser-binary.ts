/**
 * Finds the browser that the tests drive: the one that `INV_BROWSER` names; on Linux the Chromium from the
 * packages, unpacked once into .cache; on other systems the installed Chrome or Edge.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

export interface BrowserBinary {
  readonly path: string;
  /** Environment variables that the browser needs, added to those of the process. */
  readonly variables: Readonly<Record<string, string>>;
}

export function findBrowser(): BrowserBinary {
  const named = process.env.INV_BROWSER;
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`INV_BROWSER names a file that is not there: ${named}`);
    return { path: named, variables: {} };
  }
  return process.platform === "linux" ? unpacked() : { path: installed(), variables: {} };
}

/** The packaged Chromium. It uses its own system libraries and fonts only if the system has none. */
function unpacked(): BrowserBinary {
  const cache = join(root, ".cache");
  const folder = join(cache, "chromium-143");
  const path = join(folder, "chromium");
  if (!existsSync(path)) unpackInto(cache, folder);
  const variables: Record<string, string> = {};
  if (!existsSync("/usr/share/fonts")) variables.FONTCONFIG_PATH = join(folder, "fonts");
  if (!starts(path, variables)) variables.LD_LIBRARY_PATH = join(folder, "al2023", "lib");
  if (!starts(path, variables)) {
    throw new Error(
      "Chromium does not start here: install libnss3, libnspr4 and libexpat1, or name a browser in INV_BROWSER.",
    );
  }
  return { path, variables };
}

/** Unpacks into a temporary folder and renames it, because two runs may start at the same time. */
function unpackInto(cache: string, folder: string): void {
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(join(cache, "unpacking-"));
  // The package unpacks into the temporary folder. It unpacks its libraries only if it detects AWS Lambda.
  execFileSync(process.execPath, ["-e", 'require("@sparticuz/chromium").executablePath()'], {
    cwd: root,
    env: { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
  try {
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function starts(path: string, variables: Record<string, string>): boolean {
  try {
    execFileSync(path, ["--version"], { env: { ...process.env, ...variables }, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function installed(): string {
  const candidates =
    process.platform === "darwin"
      ? [
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
          "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        ]
      : ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"].flatMap((variable) => [
          join(process.env[variable] ?? "", "Google", "Chrome", "Application", "chrome.exe"),
          join(process.env[variable] ?? "", "Microsoft", "Edge", "Application", "msedge.exe"),
        ]);
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error("No Chrome or Edge was found; name a browser in INV_BROWSER.");
  return found;
}
