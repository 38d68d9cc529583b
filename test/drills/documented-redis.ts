/** Redis with the exact text of docs/several-servers.md, except for addresses, ports, password and certificate. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "../helpers/certificate";
import type { RedisOptions } from "../helpers/redis-process";
import { documented } from "./documented";

/** INV's login, as the page names it. */
export const redisUser = "inv";
export const redisPassword = "the-password";

/** Its files exist until the process ends. */
export function documentedRedis(): { readonly options: RedisOptions; readonly certPath: string } {
  const folder = mkdtempSync(join(tmpdir(), "inv-secured-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [certPath, keyPath, configPath] = ["cert.pem", "key.pem", "redis.conf"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const { cert, key } = selfSigned();
  writeFileSync(certPath, cert);
  writeFileSync(keyPath, key);
  const config = documented("redis", [
    ["bind 10.0.0.21", "bind 127.0.0.1"],
    ["/etc/redis/redis.example.com.pem", certPath],
    ["/etc/redis/redis.example.com.key", keyPath],
    ["THE-PASSWORD", redisPassword],
  ]);
  writeFileSync(configPath, config);
  return { options: { arguments: [configPath], tls: { cert: certPath, key: keyPath } }, certPath };
}
