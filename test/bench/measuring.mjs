/** What every part of the bench measures with: processes that are ended in time, and the least or the median of several figures. */
import { spawn } from "node:child_process";

/** Figure by figure, in lists too. */
export function leastOf(known, result) {
  if (known === undefined || known === null) return result;
  if (result === undefined || result === null) return known;
  if (typeof result === "number") return Math.min(known, result);
  if (Array.isArray(result)) return result.map((each, index) => leastOf(known[index], each));
  if (typeof result !== "object") return result;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, leastOf(known[name], value)]),
  );
}

/** Figure by figure, in lists too; null where there is none. */
export function medianOf(results) {
  const known = results.filter((result) => result !== null && result !== undefined);
  const [first = null] = known;
  if (typeof first === "number") return known.sort((a, b) => a - b)[Math.floor(known.length / 2)];
  if (Array.isArray(first)) return first.map((_, index) => medianOf(known.map((each) => each[index])));
  if (typeof first !== "object" || first === null) return first;
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, medianOf(known.map((each) => each[name]))]),
  );
}

/** Its standard output, and how it ended; one that takes too long is killed. */
export function runNode(args, { input = "", longestMs, variables = {} }) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stdin.end(input);
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ output, exitCode });
    });
  });
}
