/** Where the configured Redis is, and how one gets in: from settings that were found right. */
import type { RedisConfig } from "../settings/read";
import { createSecret, type Variables } from "../sign-in/secret";
import type { ReadLogin, RedisAddress } from "./connect";

const usualPort = 6379;

export function redisAddress({ url, ca }: Pick<RedisConfig, "url" | "ca">): RedisAddress {
  const { protocol, hostname, port, pathname } = new URL(url);
  return {
    // A v6 address stands in brackets.
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? usualPort : Number(port),
    database: Number(pathname.slice(1)),
    tls: protocol === "rediss:",
    ca,
  };
}

/** Read when it is used, so that a file may be replaced while the server runs. */
export function redisLogin(config: RedisConfig, variables: Variables = process.env): ReadLogin {
  const read = async (name: "user" | "password"): Promise<string | undefined> => {
    const place = config[name];
    if (place === undefined) return undefined;
    return createSecret(place, variables)().catch(() => {
      // Not its path: whoever pastes a password in its place would find it in a log.
      throw new Error(`redis.${name} cannot be read`);
    });
  };
  return async () => {
    const [username, password] = [await read("user"), await read("password")];
    return { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
  };
}
