/**
 * Names an environment by its ID and its addresses, including the sign-in provider's. Servers with different
 * configurations may share a Redis and an environment's ID. A token of one must not be sent to an address of
 * another.
 */
import { digestOf } from "./digest";
import { upstreamDigest } from "./environments";
import type { ServerConfig } from "./settings/read";

export type Bind = (environment: string) => string;

export function bindTo({ environments, signIn }: Pick<ServerConfig, "environments" | "signIn">): Bind {
  const bound = new Map(
    environments.map((environment) => {
      const addresses = [upstreamDigest(environment), signIn?.issuer ?? ""].join(" ");
      return [environment.id, `${environment.id} ${digestOf(addresses)}`];
    }),
  );
  // Environments of the embedded service have no addresses, and no configured environment can have their IDs.
  return (environment) => bound.get(environment) ?? environment;
}
