/** Tests a configured Redis before the start: whether INV can log in, and whether its settings are safe. */
import type { SteadyClock } from "../steady-clock";
import type { RedisConfig } from "../settings/read";
import type { Variables } from "../sign-in/secret";
import { redisAddress, redisLogin } from "./configured";
import { connectRedis } from "./connect";
import { faultsOfInfo } from "./info";
import { createScript } from "./script";

/** A script, because INV uses scripts: missing permissions for scripts, notices or INFO show now. */
const infoScript = createScript('redis.call("PUBLISH", KEYS[1], "")\nreturn redis.call("INFO")');

export async function tryRedis(
  config: RedisConfig & { readonly cacheMegabytes: number },
  clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">,
  variables?: Variables,
): Promise<readonly string[]> {
  let onTested: () => void = () => undefined;
  const tested = new Promise<void>((resolve) => (onTested = resolve));
  const reasons: string[] = [];
  const redis = await connectRedis({
    address: redisAddress(config),
    readLogin: redisLogin(config, variables),
    prefix: config.prefix,
    clock,
    observer: {
      available: () => onTested(),
      doubtful: () => undefined,
      away(why) {
        reasons.push(why);
        onTested();
      },
    },
  });
  await tested;
  const ran = reasons.length === 0 ? await redis.run(infoScript, { keys: ["tried"], args: [] }) : null;
  await redis.close();
  const faults =
    ran?.kind === "ran" ? faultsOfInfo(String(ran.value), config) : [reasons[0] ?? "it does not answer"];
  // Some messages of Redis end with a full stop.
  return faults.map((fault) => `redis cannot be used: ${fault.replace(/\.$/, "")}.`);
}
