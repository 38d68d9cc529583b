/**
 * From one configuration file and the environment's variables to what the server runs with. Every mistake is found
 * and named at once, files that are named included, so that nothing is learnt only when the first call fails.
 * Holds no credentials: they are typed by their owner, or stand in files and variables that are named here.
 */
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { createSecureContext, rootCertificates } from "node:tls";
import { messageOf } from "../../domain/errors";
import { sampleWorlds } from "../../embedded-service/sample-stock/worlds";
import { isLoopback } from "../edge/hosts";
import { ConfigError, explain } from "./faults";
import { listSettings, type Setting } from "./list";
import { type Settings, settingsSchema } from "./schema";
import { faultsOfSecrets } from "./secret-faults";

export interface ServerConfig extends Omit<Settings, "tls" | "outgoing" | "redis"> {
  /** PEM contents; null serves plain HTTP. */
  readonly tls: {
    readonly cert: string;
    readonly key: string;
    readonly certFile: string;
    readonly keyFile: string;
  } | null;
  readonly outgoing: {
    /** All certificates to trust, as PEM; null for Node's own. */
    readonly ca: readonly string[] | null;
    readonly proxy: string | null;
    readonly noProxy: string;
  };
  /** Null where this server is alone. */
  readonly redis: RedisConfig | null;
}

export interface RedisConfig extends Omit<NonNullable<Settings["redis"]>, "ca"> {
  /** All certificates to trust, as PEM; null for Node's own. */
  readonly ca: readonly string[] | null;
}

export type RealEnvironment = Settings["environments"][number];

export interface SettingsSource {
  /** The configuration file; null for none. */
  readonly path: string | null;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Told of each secret that is named and cannot be read here; left out, it is a mistake like the others. */
  readonly missing?: (fault: string) => void;
}

/** Throws a `ConfigError` that names every mistake. */
export function readSettings({ path, variables, missing }: SettingsSource): ServerConfig {
  const settings = listSettings(settingsSchema);
  const value = path === null ? {} : parseFile(path);
  const names = override(value, settings, variables);
  const parsed = settingsSchema.safeParse(value);
  const source = { settings, names, value };
  if (!parsed.success) {
    throw wrong(
      path,
      parsed.error.issues.flatMap((issue) => explain(issue, source)),
    );
  }
  const { tls, outgoing, redis, ...rest } = parsed.data;
  const faults: string[] = [];
  const config = {
    ...rest,
    tls: tls === undefined ? null : readTls(tls, faults),
    outgoing: {
      ca: readAuthorities(outgoing.ca, "outgoing.ca", faults),
      proxy: readProxy(variables, faults),
      noProxy: variableOf(variables, "NO_PROXY") ?? "",
    },
    redis: redis === undefined ? null : { ...redis, ca: readAuthorities(redis.ca, "redis.ca", faults) },
  };
  const secrets = { variables, missing: missing ?? ((fault: string) => void faults.push(fault)) };
  faults.push(
    ...repeatedIds(rest.environments),
    ...repeatedAddresses(rest.environments),
    ...unprotected(config, tls !== undefined),
    ...unreadableFolder(rest.templates),
    ...unwritableFolder(rest.signIn?.templates?.folder),
    ...faultsOfSecrets(parsed.data, secrets),
  );
  if (faults.length > 0) throw wrong(path, faults);
  return config;
}

function wrong(path: string | null, faults: readonly string[]): ConfigError {
  const where = path === null ? "The server's settings" : path;
  return new ConfigError(
    `${where}: ${faults.length === 1 ? "" : `${faults.length} mistakes\n  `}${faults.join("\n  ")}`,
  );
}

type Fields = Record<string, unknown>;

function parseFile(path: string): Fields {
  let text: string;
  try {
    // Editors on Windows put a mark before the text.
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch {
    throw new ConfigError(`The configuration file cannot be read: ${path}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/,? *"[^]*/, "") : "";
    throw new ConfigError(`${path} is not valid JSON: ${reason}`);
  }
  throw new ConfigError(`${path} must hold one JSON object.`);
}

/** Puts the variables' values into the file's; returns what the paths that they gave are called in faults. */
function override(
  value: Fields,
  settings: readonly Setting[],
  variables: SettingsSource["variables"],
): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const { path, variable, type } of settings) {
    if (variable === null) continue;
    const text = variableOf(variables, variable);
    if (text === null) continue;
    given.set(path, `${path} (from ${variable})`);
    put(value, path.split("."), type === "integer" && /^\d+$/.test(text) ? Number(text) : text);
  }
  return given;
}

/** Null where it is not set, or set to nothing, as deployment tools write it. */
function variableOf(variables: SettingsSource["variables"], name: string): string | null {
  // Proxies are commonly named in lower case.
  return variables[name] || (name.endsWith("_PROXY") && variables[name.toLowerCase()]) || null;
}

function readProxy(variables: SettingsSource["variables"], faults: string[]): string | null {
  const proxy = variableOf(variables, "HTTPS_PROXY");
  if (proxy === null || (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol))) return proxy;
  faults.push("HTTPS_PROXY must be an http or https address.");
  return null;
}

function put(value: Fields, [name = "", ...inner]: readonly string[], set: unknown): void {
  if (inner.length === 0) {
    value[name] = set;
    return;
  }
  const next = value[name] ?? {};
  value[name] = next;
  // What is no object in the file stays, and is named as a mistake.
  if (typeof next === "object") put(next as Fields, inner, set);
}

function readTls(
  paths: { readonly cert: string; readonly key: string },
  faults: string[],
): ServerConfig["tls"] {
  const cert = readPem(paths.cert, "tls.cert", faults);
  const key = readPem(paths.key, "tls.key", faults);
  if (cert === null || key === null) return null;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    faults.push(`tls.cert and tls.key are no certificate and its key, as PEM: ${messageOf(error)}.`);
  }
  return { cert, key, certFile: paths.cert, keyFile: paths.key };
}

/** Beside the public ones; null where none are named. */
function readAuthorities(path: string | undefined, name: string, faults: string[]): readonly string[] | null {
  const pem = path === undefined ? null : readPem(path, name, faults);
  if (pem === null) return null;
  try {
    if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error("no certificate in it");
    createSecureContext({ ca: pem });
  } catch (error) {
    faults.push(`${name} holds no certificates as PEM: ${messageOf(error)}.`);
  }
  return [...rootCertificates, pem];
}

function readPem(path: string, name: string, faults: string[]): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not its path: whoever pastes a key in its place would find it in a log.
    faults.push(`${name} names no file that can be read.`);
    return null;
  }
}

function repeatedIds(environments: readonly RealEnvironment[]): readonly string[] {
  // A workbook that names one of these must never show another's stock.
  const taken = sampleWorlds.map(({ id }): string => id);
  const ids = [...taken, ...environments.map(({ id }) => id)];
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index ? [] : [`environments[${index - taken.length}].id "${id}" is used twice.`],
  );
}

/** Each operation has an address of its own: two alike are a slip of copying. */
function repeatedAddresses(environments: readonly RealEnvironment[]): readonly string[] {
  const names = ["tokenUrl", "searchUrl", "eventsUrl"] as const;
  return environments.flatMap((environment, index) =>
    names.flatMap((name, at) => {
      const twin = names.slice(0, at).find((before) => environment[before] === environment[name]);
      return twin === undefined ? [] : [`environments[${index}].${name} is the same address as ${twin}.`];
    }),
  );
}

function unprotected({ host, allowPlainHttp }: Settings | ServerConfig, hasTls: boolean): readonly string[] {
  if (hasTls || allowPlainHttp || isLoopback(host)) return [];
  return [
    `host is not this machine alone, and there is no tls: client secrets would cross the network unprotected. ` +
      `Give tls or, where a proxy before INV speaks HTTPS, "allowPlainHttp": true.`,
  ];
}

function unwritableFolder(folder: string | undefined): readonly string[] {
  try {
    if (folder !== undefined) accessSync(folder, constants.R_OK | constants.W_OK);
    return [];
  } catch {
    return ["signIn.templates.folder names no folder that can be written to."];
  }
}

function unreadableFolder(templates: string | undefined): readonly string[] {
  try {
    if (templates !== undefined) readdirSync(templates);
    return [];
  } catch {
    return ["templates names no folder that can be read."];
  }
}
