/**
 * Reads the configuration file and the variable PORT. It reports all mistakes at once at startup,
 * including those in files that the settings name. So the first call doesn't fail because of one. Settings
 * contain no secrets: people type those in the pane, or settings name their files and variables.
 */
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { createSecureContext, rootCertificates } from "node:tls";
import { getHeapStatistics } from "node:v8";
import { messageOf } from "../../domain/errors";
import { sampleWorlds } from "../../embedded-service/sample-stock/worlds";
import { descriptorLimit, descriptorsFor } from "../edge/descriptors";
import { everyAddress, isLoopback, monitoringHost, withoutBrackets } from "../edge/hosts";
import type { PortSetting } from "../open-port";
import { isSecretLocation, readSecretNow, readTextNow, textOf, type Variables } from "../sign-in/secret";
import { whyUnusable } from "../system-error";
import { ConfigError, faultLines } from "./config-error";
import { judgeCertificate } from "./certificate";
import { listSettings } from "./list";
import { type Settings, settingsSchema } from "./schema";
import { faultsOfSecrets } from "./secret-faults";

export interface ServerConfig extends Omit<Settings, "tls" | "outgoing" | "redis"> {
  /** PEM contents, or null to serve plain HTTP. */
  readonly tls: {
    readonly cert: string;
    readonly key: string;
    readonly certFile: string;
    readonly keyFile: string;
  } | null;
  readonly outgoing: {
    /** All trusted certificates in PEM, or null for Node's defaults. */
    readonly ca: readonly string[] | null;
    readonly proxy: string | null;
    readonly noProxy: readonly string[];
  };
  /** Null for a single server. */
  readonly redis: RedisConfig | null;
}

export interface RedisConfig extends Omit<NonNullable<Settings["redis"]>, "ca"> {
  /** All trusted certificates in PEM, or null for Node's defaults. */
  readonly ca: readonly string[] | null;
}

export type RealEnvironment = Settings["environments"][number];

export interface SettingsSource {
  readonly path: string | null;
  /** Only `PORT`, which overrides the file, and those that settings name as the places of secrets. */
  readonly variables: Variables;
}

export interface Reading {
  /** Called with a sentence for each setting that is accepted, and that an administrator should look at. */
  readonly warn?: (warning: string) => void;
  /** `--check`: an administrator who runs it by hand lacks the secrets that only the running server has. Those are warnings then. */
  readonly isCheck?: boolean;
  readonly nowMs?: number;
}

/**
 * The start and `--check` read the settings here, so that both refuse the same ones in the same words. Throws a `ConfigError` that
 * names every mistake.
 */
export function readSettings(source: SettingsSource, reading: Reading = {}): ServerConfig {
  const { path, variables } = source;
  const { warn = () => undefined, isCheck = false, nowMs = Date.now() } = reading;
  const { tls, outgoing, redis, ...rest } = parseSettings(source);
  const faults: string[] = [];
  const report = { fault: (fault: string) => faults.push(fault), warn };
  const config = {
    ...rest,
    tls: tls === undefined ? null : readTls(tls, { hosts: rest.hosts, nowMs, ...report }),
    outgoing: {
      ca: readAuthorities(outgoing.ca, "outgoing.ca", faults),
      proxy: readProxy(outgoing.proxy, variables, faults),
      noProxy: outgoing.noProxy,
    },
    redis: redis === undefined ? null : { ...redis, ca: readAuthorities(redis.ca, "redis.ca", faults) },
  };
  faults.push(
    ...repeatedIds(rest),
    ...repeatedAddresses(rest.environments),
    ...repeatedPorts(rest),
    ...unprotected(config, tls !== undefined),
    ...unknownToPeople(rest),
    ...unusableFolder(rest.templates, { name: "templates", as: "read" }),
    ...unusableFolder(rest.signIn?.templates?.folder, { name: "signIn.templates.folder", as: "written to" }),
    ...faultsOfSecrets({ ...rest, outgoing, redis }, { variables, isCheck, warn }),
  );
  if (faults.length > 0) throw wrong(path, faults);
  for (const warning of doubts(config)) warn(warning);
  return config;
}

/** Reads the file alone, and none of those that it names: some exist only for the running server. Throws a `ConfigError`. */
function parseSettings({ path, variables }: SettingsSource): Settings {
  const value = path === null ? {} : parseFile(path);
  const { PORT: port } = variables;
  // Deployment tools set empty variables.
  if (port) value["port"] = /^\d+$/.test(port) ? Number(port) : port;
  const parsed = settingsSchema.safeParse(value);
  if (!parsed.success) {
    const nameOf = (at: string) => (at === "port" && port ? "port (from PORT)" : at);
    throw wrong(path, faultLines(parsed.error, { settings: listSettings(settingsSchema), nameOf }));
  }
  return parsed.data;
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
    text = textOf(readFileSync(path));
  } catch (error) {
    throw new ConfigError(`The configuration file ${path} can't be read: ${whyUnusable(error)}.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/,? *"[^]*/, "") : "";
    throw new ConfigError(`${path} is not valid JSON: ${reason}`);
  }
  throw new ConfigError(`${path} must contain one JSON object.`);
}

/** Returns null without a proxy, and if its place can't be read, which `faultsOfSecrets` reports. */
function readProxy(setting: string | undefined, variables: Variables, faults: string[]): string | null {
  if (setting === undefined) return null;
  try {
    const proxy = isSecretLocation(setting) ? readSecretNow(setting, variables) : setting;
    if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return proxy;
    faults.push("outgoing.proxy must be, or name the place of, an http or https address.");
  } catch {
    // The caller stops for the reported fault, so no call goes around the proxy.
  }
  return null;
}

function readTls(
  paths: { readonly cert: string; readonly key: string },
  means: {
    readonly hosts: readonly string[];
    readonly nowMs: number;
    readonly fault: (fault: string) => void;
    readonly warn: (warning: string) => void;
  },
): ServerConfig["tls"] {
  const { hosts, nowMs, fault, warn } = means;
  const missing: string[] = [];
  const cert = readPem(paths.cert, "tls.cert", missing);
  const key = readPem(paths.key, "tls.key", missing);
  missing.forEach(fault);
  if (cert === null || key === null) return null;
  const { faults, warnings } = judgeCertificate({ cert, key }, hosts, nowMs);
  faults.forEach(fault);
  warnings.forEach(warn);
  return { cert, key, certFile: paths.cert, keyFile: paths.key };
}

/** Returns these authorities and the public ones, or null if the setting is missing. */
function readAuthorities(path: string | undefined, name: string, faults: string[]): readonly string[] | null {
  const pem = path === undefined ? null : readPem(path, name, faults);
  if (pem === null) return null;
  try {
    if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error("no certificate in it");
    createSecureContext({ ca: pem });
  } catch (error) {
    faults.push(`${name} contains no certificates in PEM: ${messageOf(error)}.`);
  }
  return [...rootCertificates, pem];
}

function readPem(path: string, name: string, faults: string[]): string | null {
  try {
    return readTextNow(path, { fatal: false });
  } catch (error) {
    faults.push(`${name} names a file that can't be read: ${whyUnusable(error)}.`);
    return null;
  }
}

function repeatedIds({ environments }: Pick<Settings, "environments">): readonly string[] {
  // A workbook with one of these IDs must never show another environment's stock.
  const reserved = sampleWorlds.map(({ id }): string => id);
  const ids = environments.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    const name = `environments[${index}].id "${id}"`;
    if (reserved.includes(id)) return [`${name} is reserved.`];
    return ids.indexOf(id) === index ? [] : [`${name} is used twice.`];
  });
}

/** Each operation has its own address, so two equal addresses are a copying mistake. */
function repeatedAddresses(environments: readonly RealEnvironment[]): readonly string[] {
  const names = ["tokenUrl", "searchUrl", "eventsUrl"] as const;
  return environments.flatMap((environment, index) =>
    names.flatMap((name, at) => {
      const twin = names.slice(0, at).find((before) => environment[before] === environment[name]);
      return twin === undefined ? [] : [`environments[${index}].${name} is the same address as ${twin}.`];
    }),
  );
}

function repeatedPorts(settings: PortSettings): readonly string[] {
  const ports = portsOf(settings);
  return ports.flatMap(({ setting, port }, index) => {
    const twin = ports.slice(0, index).find((other) => other.port === port && port !== 0);
    return twin === undefined ? [] : [`${setting} has the same port as ${twin.setting}.`];
  });
}

type PortSettings = Pick<Settings, "host" | "port" | "monitoringPort" | "metricsAddress">;

/** The ports that the server opens. */
export function portsOf({
  host,
  port,
  monitoringPort,
  metricsAddress,
}: PortSettings): readonly PortSetting[] {
  const ports: PortSetting[] = [{ setting: "port", host, port }];
  if (monitoringPort !== undefined) {
    ports.push({ setting: "monitoringPort", host: monitoringHost, port: monitoringPort });
  }
  const [, name, number] = /^(.*):(\d+)$/.exec(metricsAddress ?? "") ?? [];
  if (name !== undefined) {
    ports.push({ setting: "metricsAddress", host: withoutBrackets(name), port: Number(number) });
  }
  return ports;
}

function unprotected({ host, allowPlainHttp }: Settings | ServerConfig, hasTls: boolean): readonly string[] {
  if (hasTls || allowPlainHttp || isLoopback(host)) return [];
  return [
    `host allows other machines, and there is no tls: client secrets would cross the network unprotected. ` +
      `Add tls or, behind a proxy that speaks HTTPS, "allowPlainHttp": true.`,
  ];
}

function unknownToPeople({ host, hosts }: Pick<Settings, "host" | "hosts">): readonly string[] {
  return everyAddress.has(host) && hosts.length === 0
    ? [`hosts is empty, and host is "${host}": INV would answer only to this machine's own names.`]
    : [];
}

function unusableFolder(
  folder: string | undefined,
  { name, as }: { readonly name: string; readonly as: "read" | "written to" },
): readonly string[] {
  if (folder === undefined) return [];
  try {
    readdirSync(folder);
    if (as === "written to") accessSync(folder, constants.W_OK);
    return [];
  } catch (error) {
    return [`${name} names a folder that can't be ${as}: ${whyUnusable(error)}.`];
  }
}

const bytesOfMegabyte = 1_048_576;
/** What a server needs besides its cache (docs/install.md). */
const ownMegabytes = 200;
/** Longest prefixes of ranges that are surely more than a few proxies. */
const wideIpv4Bits = 15;
const wideIpv6Bits = 47;

type Doubtful = Pick<
  Settings,
  "trustProxy" | "frames" | "environments" | "host" | "cacheMegabytes" | "maxConnections"
> & { readonly redis: object | null };

/** Finds settings that work, and that an administrator has probably not meant. */
function doubts(config: Doubtful): readonly string[] {
  const { trustProxy, frames, environments, host, redis, cacheMegabytes, maxConnections } = config;
  const heapMegabytes = Math.round(getHeapStatistics().heap_size_limit / bytesOfMegabyte);
  const descriptors = descriptorLimit();
  return [
    ...trustProxy.flatMap((range, index) =>
      isWide(range)
        ? [
            `trustProxy[${index}] trusts every machine in ${range}: each can pretend to be another address. Name only your proxies.`,
          ]
        : [],
    ),
    ...frames.flatMap((origin, index) => {
      const ending = /^https:\/\/\*(\.[^.]+?)(:\d+)?$/.exec(origin)?.[1];
      return ending === undefined
        ? []
        : [`frames[${index}] allows every site whose name ends with "${ending}". Name your own sites.`];
    }),
    ...(environments.length === 0 && !isLoopback(host)
      ? ["environments is empty: people see sample stock instead of your company's."]
      : []),
    ...(redis === null && cacheMegabytes + ownMegabytes > heapMegabytes
      ? [
          `cacheMegabytes is ${cacheMegabytes}, and Node may use ${heapMegabytes} MB in all. Lower it, or set the variable NODE_OPTIONS to --max-old-space-size=${cacheMegabytes + ownMegabytes}.`,
        ]
      : []),
    ...(descriptorsFor(maxConnections) > descriptors
      ? [
          `maxConnections is ${maxConnections}, and this account may open only ${descriptors} files and connections. INV accepts fewer. Raise the limit (LimitNOFILE) to at least ${descriptorsFor(maxConnections)}.`,
        ]
      : []),
  ];
}

function isWide(range: string): boolean {
  const bits = /\/(\d+)$/.exec(range)?.[1];
  return bits !== undefined && Number(bits) <= (range.includes(":") ? wideIpv6Bits : wideIpv4Bits);
}
