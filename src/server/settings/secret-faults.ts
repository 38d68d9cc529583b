/**
 * What is wrong between the settings of credentials and of signing in: no secret, two places for one, a file that
 * cannot be read, an environment that anybody could use. Looked at before the start; no value is ever shown.
 */
import { isLoopback } from "../edge/hosts";
import { readSecretNow, type SecretPlaces, type Variables } from "../sign-in/secret";
import type { Settings } from "./schema";

type Looked = Pick<Settings, "environments" | "signIn" | "hosts" | "host">;
type RedisPlaces = Pick<
  NonNullable<Settings["redis"]>,
  "userFile" | "userVariable" | "passwordFile" | "passwordVariable"
>;

/** Where secrets are looked for. */
export interface SecretSource {
  readonly variables: Variables;
  /** Told of each secret that is named and cannot be read here. */
  readonly missing: (fault: string) => void;
}

export function faultsOfSecrets(settings: Looked, source: SecretSource): readonly string[] {
  const { environments, signIn } = settings;
  const faults = environments.flatMap((environment, index) => {
    const name = `environments[${index}]`;
    if (environment.credentials === "user") return placedForNobody(environment, name);
    return [
      ...(environment.clientId === undefined ? [`${name}.clientId is missing; "server" needs it.`] : []),
      ...faultsOfPlaces(environment, name, source),
      ...(signIn === undefined
        ? [`${name}.credentials is "server", and there is no signIn: anybody who reaches INV could use them.`]
        : []),
    ];
  });
  if (signIn === undefined) return faults;
  return [...faults, ...faultsOfPlaces(signIn, "signIn", source), ...faultsOfSignIn(settings, signIn)];
}

function placedForNobody(
  environment: SecretPlaces & { readonly clientId?: string | undefined },
  name: string,
): readonly string[] {
  return (["clientId", "secretFile", "secretVariable"] as const).flatMap((setting) =>
    environment[setting] === undefined
      ? []
      : [`${name}.${setting} is for "credentials": "server"; with "user" each person types their own.`],
  );
}

function faultsOfPlaces(places: SecretPlaces, name: string, source: SecretSource): readonly string[] {
  const { secretFile, secretVariable } = places;
  if ((secretFile === undefined) === (secretVariable === undefined)) {
    return [`${name} needs secretFile or secretVariable, and not both.`];
  }
  lookFor(places, `${name}.secret`, source);
  return [];
}

/** `name` without the `File` or `Variable` behind it. */
function lookFor(places: SecretPlaces, name: string, { variables, missing }: SecretSource): void {
  try {
    readSecretNow(places, variables);
  } catch {
    missing(
      places.secretFile === undefined
        ? `${name}Variable names no variable that is set.`
        : `${name}File names no file that can be read and holds a secret.`,
    );
  }
}

/** Neither is needed, and a user without a password is nobody. */
export function faultsOfRedisPlaces(redis: RedisPlaces, source: SecretSource): readonly string[] {
  const faults = (["user", "password"] as const).flatMap((word) => {
    const [secretFile, secretVariable] = [redis[`${word}File`], redis[`${word}Variable`]];
    if (secretFile === undefined && secretVariable === undefined) return [];
    if (secretFile === undefined || secretVariable === undefined) {
      lookFor({ secretFile, secretVariable }, `redis.${word}`, source);
      return [];
    }
    return [`redis.${word}File and redis.${word}Variable: only one of them.`];
  });
  const isNamed = redis.userFile !== undefined || redis.userVariable !== undefined;
  const isProven = redis.passwordFile !== undefined || redis.passwordVariable !== undefined;
  return isNamed && !isProven
    ? [...faults, "redis has a user without passwordFile or passwordVariable."]
    : faults;
}

function faultsOfSignIn(
  { hosts, host }: Looked,
  { address, scopes, idleHours, totalHours }: NonNullable<Settings["signIn"]>,
): readonly string[] {
  const { hostname } = new URL(address);
  const isKnown = isLoopback(hostname) || hostname === host || hosts.includes(hostname);
  return [
    ...(isKnown ? [] : [`signIn.address leads to ${hostname}, which is not among hosts.`]),
    ...(scopes.includes("openid") ? [] : [`signIn.scopes must hold "openid".`]),
    ...(idleHours > totalHours ? ["signIn.idleHours must not be more than signIn.totalHours."] : []),
  ];
}
