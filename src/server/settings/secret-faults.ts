/**
 * Finds contradictions between the settings of credentials and of sign-in: a missing or unreadable secret, or
 * an environment that anybody could use. Messages never contain a value.
 */
import { isLoopback } from "../edge/hosts";
import { readSecretNow, type Variables } from "../sign-in/secret";
import type { Settings } from "./schema";

type CheckedSettings = Pick<Settings, "environments" | "signIn" | "redis" | "hosts" | "host">;

export interface SecretSource {
  readonly variables: Variables;
  readonly missing: (fault: string) => void;
}

export function faultsOfSecrets(settings: CheckedSettings, source: SecretSource): readonly string[] {
  const { environments, signIn, redis } = settings;
  const faults = environments.flatMap((environment, index) => {
    const name = `environments[${index}]`;
    const needed = ["clientId", "secret"] as const;
    if (environment.credentials === "user") {
      return needed
        .filter((setting) => environment[setting] !== undefined)
        .map(
          (setting) =>
            `${name}.${setting} is for "credentials": "server"; with "user" each person types their own.`,
        );
    }
    checkSecret(environment.secret, `${name}.secret`, source);
    return [
      ...needed
        .filter((setting) => environment[setting] === undefined)
        .map((setting) => `${name}.${setting} is missing; "server" needs it.`),
      ...(signIn === undefined
        ? [`${name}.credentials is "server", and there is no signIn: anybody who reaches INV could use them.`]
        : []),
    ];
  });
  checkSecret(signIn?.secret, "signIn.secret", source);
  checkSecret(redis?.user, "redis.user", source);
  checkSecret(redis?.password, "redis.password", source);
  // Redis accepts no user without a password.
  if (redis?.user !== undefined && redis.password === undefined) {
    faults.push("redis.user needs redis.password.");
  }
  return signIn === undefined ? faults : [...faults, ...faultsOfSignIn(settings, signIn)];
}

function checkSecret(place: string | undefined, name: string, { variables, missing }: SecretSource): void {
  if (place === undefined) return;
  try {
    readSecretNow(place, variables);
  } catch {
    const what = place.startsWith("file:")
      ? "file that can be read and contains one"
      : "variable that is set";
    missing(`${name} names no ${what}.`);
  }
}

function faultsOfSignIn(
  { hosts, host }: CheckedSettings,
  { address, scopes, idleHours, totalHours }: NonNullable<Settings["signIn"]>,
): readonly string[] {
  const { hostname } = new URL(address);
  const isKnown = isLoopback(hostname) || hostname === host.toLowerCase() || hosts.includes(hostname);
  return [
    ...(isKnown ? [] : [`signIn.address leads to ${hostname}, which is not among hosts.`]),
    ...(scopes.includes("openid") ? [] : [`signIn.scopes must contain "openid".`]),
    ...(idleHours > totalHours ? ["signIn.idleHours must not be more than signIn.totalHours."] : []),
  ];
}
