/** Reads the address and the login of Redis from valid settings. */
import { withoutBrackets } from "../edge/hosts";
import type { RedisConfig } from "../settings/read";
import { createSecret, type Variables } from "../sign-in/secret";
import type { ReadLogin, RedisAddress } from "./connect";

const usualPort = 6379;

export function redisAddress({ url, ca }: Pick<RedisConfig, "url" | "ca">): RedisAddress {
  const { protocol, hostname, port, pathname } = new URL(url);
  return {
    host: withoutBrackets(hostname),
    port: port === "" ? usualPort : Number(port),
    database: Number(pathname.slice(1)),
    tls: protocol === "rediss:",
    ca,
  };
}

/** Reads user and password at each use, so that files can be replaced while the server runs. */
export function redisLogin(config: RedisConfig, variables: Variables = process.env): ReadLogin {
  const read = async (name: "user" | "password"): Promise<string | undefined> => {
    const source = config[name];
    if (source === undefined) return undefined;
    return createSecret(source, variables)().catch(() => {
      // Not the path: if somebody has typed the password in its place, it must not be logged.
      throw new Error(`redis.${name} cannot be read`);
    });
  };
  return async () => {
    const [username, password] = [await read("user"), await read("password")];
    return { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
  };
}
