/**
 * `environments.json` as the add-in reads it: the demo, the configured environments behind the relay's
 * own addresses, and what is not configured with the sentence to show. Never an upstream address.
 */
import { createHash } from "node:crypto";
import type {
  DemoAccount,
  Environment,
  EnvironmentEntry,
  UnconfiguredEnvironment,
} from "../domain/environment";
import type { RealEnvironment, ServerConfig } from "./settings/read";

/** The environment that the embedded service answers. */
export interface EmbeddedEnvironment {
  readonly id: string;
  readonly label: string;
  readonly kind: "demo" | "file";
  /** Where its clock stands, in milliseconds since 1970 UTC; left out where it runs. */
  readonly clockMs?: number;
}

export interface DemoSettings {
  /** The demo unless given. */
  readonly environment?: EmbeddedEnvironment;
  /** Public ones; none where an account's secret is somebody's. */
  readonly accounts?: readonly DemoAccount[];
  readonly ratePerMinute: number;
}

export const demoEnvironment: EmbeddedEnvironment = { id: "demo", label: "Demo", kind: "demo" };

export interface EnvironmentsFile {
  readonly environments: readonly EnvironmentEntry[];
}

export function listEnvironments(
  demo: DemoSettings,
  { environments: real, signIn }: Pick<ServerConfig, "environments" | "signIn">,
): EnvironmentsFile {
  const { environment: embedded = demoEnvironment, accounts, ratePerMinute } = demo;
  return {
    environments: [
      {
        ...relayAddresses(embedded.id),
        ...embedded,
        quota: { search: ratePerMinute, events: ratePerMinute },
        pacedBy: "server",
        credentials: "user",
        ...(accounts !== undefined && { accounts }),
      },
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
        upstream: upstreamDigest(environment),
      })),
      ...(["sandbox", "production"] as const)
        .filter((kind) => !real.some((environment) => environment.kind === kind))
        .map(unconfigured),
    ],
  };
}

/** Relative to the add-in's page, so that the file holds behind any host name. */
function relayAddresses(id: string): Pick<Environment, "tokenUrl" | "searchUrl" | "eventsUrl"> {
  return {
    tokenUrl: `/relay/${id}/token`,
    searchUrl: `/relay/${id}/search-items`,
    eventsUrl: `/relay/${id}/events`,
  };
}

/** Tells the add-in when the relay leads elsewhere: credentials that were remembered before are not sent there. */
function upstreamDigest({ tokenUrl, searchUrl, eventsUrl }: RealEnvironment): string {
  return createHash("sha256")
    .update(JSON.stringify([tokenUrl, searchUrl, eventsUrl]))
    .digest("base64url");
}

function unconfigured(kind: "sandbox" | "production"): UnconfiguredEnvironment {
  const label = kind === "sandbox" ? "Sandbox" : "Production";
  return {
    id: kind,
    label,
    kind,
    configured: false,
    missing: `Ask your administrator for the ${kind} addresses (token, search, events) in the server's configuration file.`,
  };
}
