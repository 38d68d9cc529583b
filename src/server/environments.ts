/**
 * Builds `environments.json` for the add-in: the embedded service's environments, the configured ones with
 * the relay's addresses, and unconfigured ones with a sentence to show. It never contains the service's
 * addresses.
 */
import type { Environment, EnvironmentEntry, UnconfiguredEnvironment } from "../domain/environment";
import { defaultRatePerMinute } from "../embedded-service/service";
import { digestOf } from "./digest";
import type { ServerConfig } from "./settings/read";

export type EmbeddedEnvironment = Pick<
  Environment,
  "id" | "label" | "kind" | "embedded" | "accounts" | "testCredentials"
>;

export interface EnvironmentsFile {
  readonly environments: readonly EnvironmentEntry[];
}

type Configured = Pick<ServerConfig, "environments" | "demo" | "signIn">;

/**
 * If environments are configured, the only sample stock is the demo, and only if it is configured too.
 * Otherwise, people could mistake sample stock for their company's. A supplier's own figures are always offered.
 */
export function isOffered(
  { kind }: Pick<EmbeddedEnvironment, "kind">,
  { environments: real, demo }: Configured,
): boolean {
  return real.length === 0 || kind === "file" || (kind === "demo" && demo);
}

/** @param offered environments of the embedded service; if others are configured, the demo comes last */
export function listEnvironments(
  offered: readonly EmbeddedEnvironment[],
  { environments: real, signIn }: Configured,
): EnvironmentsFile {
  const isAlone = real.length === 0;
  const embedded = offered.map((environment) => ({
    ...relayAddresses(environment.id),
    ...environment,
    quota: { search: defaultRatePerMinute, events: defaultRatePerMinute },
    pacedBy: "server" as const,
    credentials: "user" as const,
  }));
  const isFirst = (entry: EnvironmentEntry) => isAlone || entry.kind === "file";
  return {
    environments: [
      ...embedded.filter(isFirst),
      ...real.map((environment) => ({
        ...relayAddresses(environment.id),
        id: environment.id,
        label: environment.label,
        kind: environment.kind,
        quota: environment.quota,
        pacedBy: "server" as const,
        credentials: environment.credentials,
        ...(environment.credentials === "server" && {
          signIn: { at: signIn?.label ?? "", url: `/sign-in/begin/${environment.id}` },
        }),
      })),
      ...(["sandbox", "production"] as const)
        .filter((kind) => ![...real, ...offered].some((environment) => environment.kind === kind))
        .map(unconfigured),
      ...embedded.filter((entry) => !isFirst(entry)),
    ],
  };
}

/** Returns relative addresses, which are right under any host name. */
function relayAddresses(id: string): Pick<Environment, "tokenUrl" | "searchUrl" | "eventsUrl"> {
  return {
    tokenUrl: `/relay/${id}/token`,
    searchUrl: `/relay/${id}/search-items`,
    eventsUrl: `/relay/${id}/events`,
  };
}

/**
 * Names an environment by its ID and its addresses, including the sign-in provider's. Servers with different
 * configurations may share a Redis and an environment's ID. A token of one must not be sent to an address of
 * another.
 */
export type Bind = (environment: string) => string;

export function bindTo({ environments, signIn }: Pick<ServerConfig, "environments" | "signIn">): Bind {
  const bound = new Map(
    environments.map((environment) => {
      const { tokenUrl, searchUrl, eventsUrl } = environment;
      const addresses = JSON.stringify([tokenUrl, searchUrl, eventsUrl, signIn?.issuer ?? ""]);
      return [environment.id, `${environment.id} ${digestOf(addresses)}`];
    }),
  );
  // Environments of the embedded service have no addresses, and no configured environment can have their IDs.
  return (environment) => bound.get(environment) ?? environment;
}

function unconfigured(kind: "sandbox" | "production"): UnconfiguredEnvironment {
  const label = kind === "sandbox" ? "Sandbox" : "Production";
  return {
    id: kind,
    label,
    kind,
    configured: false,
    missing:
      `This server has no addresses for ${kind}. Its administrator writes a configuration with ` +
      "`npm run --silent serve -- --example > inv.json`, puts in your portal's addresses, and starts " +
      "`npm run serve -- --config inv.json`.",
  };
}
