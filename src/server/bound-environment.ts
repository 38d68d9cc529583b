/**
 * An environment by its id and its addresses, those of the sign-in's provider included. Servers with different
 * configurations may share a Redis and an environment's id: what one of them keeps under this name is not there for another
 * that would send it elsewhere.
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
  // Those of the embedded service have no addresses, and no configured environment can have their ids.
  return (environment) => bound.get(environment) ?? environment;
}
