/**
 * What the administrator decides: port, certificates, and the real environments. All of it comes from
 * the process's environment variables and one JSON file (`INV_CONFIG`); what is wrong in them stops
 * the start with a sentence that names it. Holds no credentials: those are typed by their owner.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";

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
  readonly environments: readonly RealEnvironment[];
  /** Log a line per relayed call: method, operation, status, duration. */
  readonly logCalls: boolean;
}

/** A wrong setting, in words for the administrator. */
export class ConfigError extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

export function readConfig(variables: Variables): ServerConfig {
  return {
    host: variables.HOST ?? "localhost",
    port: readPort(variables.PORT ?? "3000"),
    tls: readTls(variables),
    environments: variables.INV_CONFIG === undefined ? [] : readEnvironments(variables.INV_CONFIG),
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
  return { cert: readText(cert, "HTTPS_CERT"), key: readText(key, "HTTPS_KEY") };
}

/** Secrets travel to these addresses, so plain HTTP is for this machine only. */
const address = z.string().refine(isAllowedAddress, "must be an https address (http only for localhost)");

const perMinute = z.number().int().min(1).default(600);

const configFile = z.strictObject({
  environments: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lower-case letters, digits and dashes"),
      label: z.string().min(1).max(60),
      kind: z.enum(["sandbox", "production"]),
      tokenUrl: address,
      searchUrl: address,
      eventsUrl: address,
      quota: z.strictObject({ search: perMinute, events: perMinute }).default({ search: 600, events: 600 }),
    }),
  ),
});

function readEnvironments(path: string): readonly RealEnvironment[] {
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
  return parsed.data.environments;
}

function isAllowedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, hash, search } = new URL(text);
  if (username !== "" || hash !== "" || search !== "") return false;
  return (
    protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname))
  );
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
