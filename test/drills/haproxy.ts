/** HAProxy with the exact text of docs/several-servers.md, except for ports, addresses and certificate. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "../helpers/certificate";
import { freePort } from "../helpers/free-port";
import { until } from "../helpers/until";
import type { Balancer } from "./bed";
import { documented } from "./documented";

export const hasHaproxy = (): boolean => spawnSync("haproxy", ["-v"]).status === 0;

export async function openHaproxy({
  servers,
  isPatient = false,
  port: givenPort,
}: {
  /** Whether a server counts as up although the machine is too busy for its answers to health checks. */
  readonly isPatient?: boolean;
  /** As many as the document has. */
  readonly servers: readonly { readonly origin: string }[];
  /** Default: any free one. */
  readonly port?: number;
}): Promise<Balancer & { log(): string }> {
  const folder = mkdtempSync(join(tmpdir(), "inv-haproxy-"));
  const { cert, key } = selfSigned();
  const [pemPath, caPath, configPath] = ["inv.pem", "ca.pem", "haproxy.cfg"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(pemPath, cert + key);
  writeFileSync(caPath, cert);
  const port = givenPort ?? (await freePort());
  const config = documented("haproxy", [
    ["/etc/haproxy/inv.example.com.pem", pemPath],
    ["bind :443", `bind 127.0.0.1:${port}`],
    ...(isPatient ? [["timeout check 1s", "timeout check 30s"] as const] : []),
    ...servers.map(
      ({ origin }, at) => [new RegExp(`10\\.0\\.0\\.1${at + 1}:\\d+`, "g"), new URL(origin).host] as const,
    ),
  ]);
  writeFileSync(configPath, config);
  const haproxy = spawn("haproxy", ["-db", "-f", configPath], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const output of [haproxy.stdout, haproxy.stderr]) {
    output.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  }
  const end = () => void haproxy.kill("SIGKILL");
  process.once("exit", end);
  const ended = () => haproxy.exitCode ?? haproxy.signalCode;
  await until(async () => ended() !== null || (await accepts(port)));
  if (ended() !== null) throw new Error(`HAProxy ended with ${ended()}: ${printed}`);
  return {
    origin: `https://localhost:${port}`,
    caPath,
    log: () => printed,
    close() {
      end();
      process.off("exit", end);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).once("error", () => resolve(false));
  });
}
