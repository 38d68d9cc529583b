/** Tries a configured Redis before the start: whether it lets INV in, and is one that loses nothing by itself. */
import type { SteadyClock } from "../company/clock";
import type { RedisConfig } from "../settings/read";
import type { Variables } from "../sign-in/secret";
import { redisAddress, redisLogin } from "./configured";
import { connectRedis } from "./connect";
import { faultsOfInfo } from "./info";
import { createScript } from "./script";

/** In a script, as INV asks for it later: who may run none, or not ask this, is told so now. */
const tellInfo = createScript('return redis.call("INFO")');

export async function tryRedis(
  config: RedisConfig,
  clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">,
  variables?: Variables,
): Promise<readonly string[]> {
  let tell: (reason: string | null) => void = () => undefined;
  const told = new Promise<string | null>((resolve) => (tell = resolve));
  const redis = await connectRedis({
    address: redisAddress(config),
    readLogin: redisLogin(config, variables),
    prefix: config.prefix,
    clock,
    observer: { available: () => tell(null), away: tell },
  });
  let reason = await told;
  const ran = reason === null ? await redis.run(tellInfo, { keys: [], args: [] }) : null;
  if (ran?.kind === "away") reason = "it runs no scripts for INV";
  await redis.close();
  if (ran?.kind !== "ran") return [`redis cannot be used: ${reason ?? "it does not answer"}.`];
  return faultsOfInfo(String(ran.value)).map((fault) => `redis cannot be used: ${fault}.`);
}
