/**
 * What the administrator decides: port, certificates, names, and the real environments. All of it comes from
 * the process's environment variables and one JSON file (`INV_CONFIG`); what is wrong in them stops
 * the start with a sentence that names it. Holds no credentials: those are typed by their owner.
 */
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { z } from "zod";
import { hostPattern, isLoopback } from "./edge/hosts";

export interface RealEnvironment {
  readonly id: string;
  readonly label: string;
  readonly kind: "sandbox" | "production";
  readonly tokenUrl: string;
  readonly searchUrl: string;
  readonly eventsUrl: string;
  readonly quota: { readonly search: number; readonly events: number };
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** PEM contents; null serves plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Names this server answers to, beyond this machine's own; lower case, without a port. */
  readonly hosts: readonly string[];
  /** Origins beyond Office's that may show the pane in a frame. */
  readonly frames: readonly string[];
  readonly environments: readonly RealEnvironment[];
  /** Log a line per relayed call: method, operation, status, duration. */
  readonly logCalls: boolean;
}

/** A wrong setting, in words for the administrator. */
export class ConfigError extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

export function readConfig(variables: Variables): ServerConfig {
  const host = variables.HOST ?? "localhost";
  const tls = readTls(variables);
  const { allowPlainHttp, ...file } =
    variables.INV_CONFIG === undefined ? noFile : readFile(variables.INV_CONFIG);
  if (tls === null && !isLoopback(host) && !allowPlainHttp) {
    throw new ConfigError(
      `HOST is "${host}" and there is no certificate: client secrets would cross the network unprotected. ` +
        `Give HTTPS_CERT and HTTPS_KEY or, where a proxy before INV speaks HTTPS, "allowPlainHttp": true in INV_CONFIG.`,
    );
  }
  return {
    host,
    port: readPort(variables.PORT ?? "3000"),
    tls,
    ...file,
    logCalls: variables.INV_LOG === "1",
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new ConfigError(`PORT must be a number from 0 to 65535; it is "${text}".`);
}

function readTls(variables: Variables): ServerConfig["tls"] {
  const { HTTPS_CERT: cert, HTTPS_KEY: key } = variables;
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new ConfigError("HTTPS needs both HTTPS_CERT and HTTPS_KEY (paths of PEM files).");
  }
  const tls = { cert: readText(cert, "HTTPS_CERT"), key: readText(key, "HTTPS_KEY") };
  try {
    createSecureContext(tls);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`HTTPS_CERT and HTTPS_KEY are no certificate and its key, as PEM: ${reason}`);
  }
  return tls;
}

/** Secrets travel to these addresses, so plain HTTP is for this machine only. */
const address = z.string().check((context) => {
  const fault = faultOfAddress(context.value);
  if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
});

const perMinute = z.number().int().min(1).default(600);

const environment = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lower-case letters, digits and dashes"),
  label: z.string().min(1).max(60),
  kind: z.enum(["sandbox", "production"]),
  tokenUrl: address,
  searchUrl: address,
  eventsUrl: address,
  quota: z.strictObject({ search: perMinute, events: perMinute }).default({ search: 600, events: 600 }),
});

const configFile = z.strictObject({
  environments: z.array(environment).default([]),
  hosts: z
    .array(z.string().regex(hostPattern, 'must be a lower-case name without port, such as "inv.example.com"'))
    .default([]),
  frames: z
    .array(
      z.string().regex(/^https:\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/, 'must be like "https://portal.example.com"'),
    )
    .default([]),
  /** A proxy before INV speaks HTTPS, and nobody else reaches the port. */
  allowPlainHttp: z.boolean().default(false),
});

const noFile = configFile.parse({});

function readFile(path: string): z.infer<typeof configFile> {
  const parsed = configFile.safeParse(parseJson(readText(path, "INV_CONFIG"), path));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${path}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not valid"}.`);
  }
  const ids = ["demo", ...parsed.data.environments.map(({ id }) => id)];
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) {
    throw new ConfigError(`${path}: the environment id "${repeated}" is used twice.`);
  }
  return parsed.data;
}

/** Null for an address that calls may go to. What is wrong is never repeated: it may hold a password. */
function faultOfAddress(text: string): string | null {
  if (!URL.canParse(text)) return "must be an https address";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "must not hold a user name or password";
  // `?` and `#` with nothing behind them are gone from the parsed address, and would still change a call's.
  if (text.includes("?")) return 'must end before any "?"';
  if (text.includes("#")) return 'must end before any "#"';
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return null;
  return "must be an https address (http only for localhost)";
}

function readText(path: string, variable: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ConfigError(`The file named by ${variable} cannot be read: ${path}`);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(`${path} is not valid JSON.`);
  }
}
