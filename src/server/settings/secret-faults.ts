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
  readonly isCheck: boolean;
  readonly warn: (warning: string) => void;
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
            `Remove ${name}.${setting}: only "credentials": "server" uses it. With "user" each person types their own.`,
        );
    }
    return [
      ...needed
        .filter((setting) => environment[setting] === undefined)
        .map((setting) => `${name}.${setting} is missing; "server" needs it.`),
      ...(signIn === undefined
        ? [`${name}.credentials is "server" without signIn, so anybody who reaches INV could use them.`]
        : []),
    ];
  });
  for (const secret of secretsOf(settings)) {
    const fault = faultOfSecret(secret, source);
    if (fault === null) continue;
    if (source.isCheck && isOfTheUnit(secret.place)) source.warn(fault);
    else faults.push(fault);
  }
  // Redis accepts no user without a password.
  if (redis?.user !== undefined && redis.password === undefined) {
    faults.push("redis.user needs redis.password.");
  }
  return signIn === undefined ? faults : [...faults, ...faultsOfSignIn(settings, signIn)];
}

interface NamedSecret {
  readonly name: string;
  readonly place: string;
}

/** The settings that name the place of a secret. */
export function secretsOf(settings: {
  readonly environments: Settings["environments"];
  readonly signIn?: Settings["signIn"];
  readonly redis?: Pick<NonNullable<Settings["redis"]>, "user" | "password"> | null | undefined;
  /** Without one whose place was read at the start. */
  readonly outgoing: { readonly proxy?: string | null | undefined };
}): readonly NamedSecret[] {
  const { environments, signIn, redis, outgoing } = settings;
  const all: readonly (readonly [string, string | null | undefined])[] = [
    ...environments.map(
      ({ credentials, secret }, index) =>
        [`environments[${index}].secret`, credentials === "server" ? secret : undefined] as const,
    ),
    ["signIn.secret", signIn?.secret],
    ["outgoing.proxy", isSecretLocation(outgoing.proxy ?? "") ? outgoing.proxy : undefined],
    ["redis.user", redis?.user],
    ["redis.password", redis?.password],
  ];
  return all.flatMap(([name, place]) => (place === undefined || place === null ? [] : [{ name, place }]));
}

/** Returns why a secret can't be used, or null. Also warns of one that is probably wrong. */
export function faultOfSecret(
  { name, place }: NamedSecret,
  { variables, warn }: Pick<SecretSource, "variables" | "warn">,
): string | null {
  const isFile = place.startsWith("file:");
  try {
    if (/[\r\n]/.test(readSecretNow(place, variables))) {
      warn(
        `${name} names a ${isFile ? "file" : "variable"} with several lines. INV uses them all as one secret.`,
      );
    }
    return null;
  } catch (error) {
    const what = isFile ? `a file that can't be used: ${whyUnusable(error)}` : "a variable that isn't set";
    return `${name} names ${what}.`;
  }
}

/** systemd's credentials are below `/run`, and like the unit's variables, exist only for the running server. */
function isOfTheUnit(place: string): boolean {
  return place.startsWith("env:") || place.startsWith("file:/run/");
}

function faultsOfSignIn(
  { hosts, host }: CheckedSettings,
  { address, scopes, idleHours, totalHours }: NonNullable<Settings["signIn"]>,
): readonly string[] {
  const { hostname } = new URL(address);
  const isKnown = isLoopback(hostname) || hostname === host || hosts.includes(hostname);
  return [
    ...(isKnown ? [] : [`signIn.address uses ${hostname}. Add it to hosts.`]),
    ...(scopes.includes("openid") ? [] : [`signIn.scopes must contain "openid".`]),
    ...(idleHours > totalHours ? ["signIn.idleHours must not be more than signIn.totalHours."] : []),
  ];
}
