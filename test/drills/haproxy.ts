/** HAProxy with the exact text of docs/scale.md, except for ports, addresses and certificate. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "../helpers/certificate";
import { freePort } from "../helpers/free-port";
import type { Balancer } from "./bed";
import type { Cluster } from "./cluster";
import { documented } from "./documented";

export const hasHaproxy = (): boolean => spawnSync("haproxy", ["-v"]).status === 0;

export async function openHaproxy({ servers }: Cluster): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "inv-haproxy-"));
  const { cert, key } = selfSigned();
  const [pemPath, caPath, configPath] = ["inv.pem", "ca.pem", "haproxy.cfg"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(pemPath, cert + key);
  writeFileSync(caPath, cert);
  const port = await freePort();
  const config = documented("haproxy", [
    ["/etc/haproxy/inv.example.com.pem", pemPath],
    ["bind :443", `bind 127.0.0.1:${port}`],
    ...servers.map(({ origin }) => [/10\.0\.0\.\d+:\d+/, new URL(origin).host] as const),
  ]);
  writeFileSync(configPath, config);
  const haproxy = spawn("haproxy", ["-db", "-f", configPath], { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  haproxy.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const end = () => void haproxy.kill("SIGKILL");
  process.once("exit", end);
  await new Promise((resolve, reject) => {
    haproxy.once("exit", (code) => reject(new Error(`HAProxy ended with ${String(code)}: ${printed}`)));
    // HAProxy prints nothing when it starts well. The pages wait for their first call.
    setTimeout(resolve, 1_000);
  });
  return {
    origin: `https://localhost:${port}`,
    caPath,
    close() {
      end();
      process.off("exit", end);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
