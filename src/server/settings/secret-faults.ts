/**
 * Finds mistakes in the settings of credentials, sign-in, Redis and proxy: a missing or unreadable secret, or settings that
 * contradict each other. Messages never contain a secret.
 */
import { isLoopback } from "../edge/hosts";
import { isSecretLocation, readSecretNow, type Variables } from "../sign-in/secret";
import { whyUnusable } from "../system-error";
import type { Settings } from "./schema";

type CheckedSettings = Pick<Settings, "environments" | "signIn" | "redis" | "outgoing" | "hosts" | "host">;

export interface SecretSource {
  readonly variables: Variables;
  readonly missing: (fault: string) => void;
}

export function faultsOfSecrets(settings: CheckedSettings, source: SecretSource): readonly string[] {
  const { environments, signIn, redis, outgoing } = settings;
  const faults = environments.flatMap((environment, index) => {
    const name = `environments[${index}]`;
    const needed = ["clientId", "secret"] as const;
    if (environment.credentials === "user") {
      return needed
        .filter((setting) => environment[setting] !== undefined)
        .map(
          (setting) =>
            `Remove ${name}.${setting}: only "credentials": "server" uses it. With "user" each person types their own.`,
        );
    }
    checkSecret(environment.secret, `${name}.secret`, source);
    return [
      ...needed
        .filter((setting) => environment[setting] === undefined)
        .map((setting) => `${name}.${setting} is missing; "server" needs it.`),
      ...(signIn === undefined
        ? [`${name}.credentials is "server" without signIn, so anybody who reaches INV could use them.`]
        : []),
    ];
  });
  checkSecret(signIn?.secret, "signIn.secret", source);
  if (isSecretLocation(outgoing.proxy)) checkSecret(outgoing.proxy, "outgoing.proxy", source);
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
  } catch (error) {
    const what = place.startsWith("file:")
      ? `a file that can't be used: ${whyUnusable(error)}`
      : "a variable that isn't set";
    missing(`${name} names ${what}.`);
  }
}

function faultsOfSignIn(
  { hosts, host }: CheckedSettings,
  { address, scopes, idleHours, totalHours }: NonNullable<Settings["signIn"]>,
): readonly string[] {
  const { hostname } = new URL(address);
  const isKnown = isLoopback(hostname) || hostname === host.toLowerCase() || hosts.includes(hostname);
  return [
    ...(isKnown ? [] : [`signIn.address uses ${hostname}. Add it to hosts.`]),
    ...(scopes.includes("openid") ? [] : [`signIn.scopes must contain "openid".`]),
    ...(idleHours > totalHours ? ["signIn.idleHours must not be more than signIn.totalHours."] : []),
  ];
}
