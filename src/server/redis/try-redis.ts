/** Tries a configured Redis before the start: whether it lets INV in, and is one that loses nothing by itself. */
import type { SteadyClock } from "../shared-quota/clock";
import type { RedisConfig } from "../settings/read";
import type { Variables } from "../sign-in/secret";
import { redisAddress, redisLogin } from "./configured";
import { connectRedis } from "./connect";
import { faultsOfInfo } from "./info";
import { createScript } from "./script";

/** In a script, as INV asks for it later: who may run none, send no notice, or not ask this, is told so now. */
const tellInfo = createScript('redis.call("PUBLISH", KEYS[1], "")\nreturn redis.call("INFO")');

export async function tryRedis(
  config: RedisConfig & { readonly cacheMegabytes: number },
  clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">,
  variables?: Variables,
): Promise<readonly string[]> {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const reasons: string[] = [];
  const redis = await connectRedis({
    address: redisAddress(config),
    readLogin: redisLogin(config, variables),
    prefix: config.prefix,
    clock,
    observer: {
      available: () => tell(),
      doubtful: () => undefined,
      away(why) {
        reasons.push(why);
        tell();
      },
    },
  });
  await told;
  const ran = reasons.length === 0 ? await redis.run(tellInfo, { keys: ["tried"], args: [] }) : null;
  await redis.close();
  const faults =
    ran?.kind === "ran" ? faultsOfInfo(String(ran.value), config) : [reasons[0] ?? "it does not answer"];
  // Some of Redis's own words end in a full stop.
  return faults.map((fault) => `redis cannot be used: ${fault.replace(/\.$/, "")}.`);
}
