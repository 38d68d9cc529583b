/**
 * Explains the mistakes of a configuration: each with its path or environment variable, and with the allowed
 * values. Security: the messages repeat no text and no unknown name, unless the name is close to a setting's,
 * because it may be a pasted secret.
 */
import type { z } from "zod";
import { nearestOf } from "../../domain/typos";
import type { Setting } from "./list";

export class ConfigError extends Error {}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export interface FaultSource {
  readonly settings: readonly Setting[];
  /** Paths that messages show differently, for example with their variable. */
  readonly names: ReadonlyMap<string, string>;
  readonly value: unknown;
}

export function explain(issue: Issue, source: FaultSource): string {
  return issue.code === "unrecognized_keys" ? unknown(issue, source) : faultOfValue(issue, source);
}

function faultOfValue(issue: Issue, source: FaultSource): string {
  const name = nameOf(issue.path, source);
  if (issue.code === "custom") return `${name} ${issue.message}.`;
  const setting = settingAt(issue.path, source);
  const own = "format" in issue && issue.message.startsWith("must ") ? issue.message : null;
  const must = own ?? `must be ${setting?.allowed ?? "an object"}`;
  const value = valueAt(source.value, issue.path);
  if (value === undefined) return `${name} is missing; it ${must}.`;
  const shown = shownValue(value, setting);
  return `${name} ${must}${shown === null ? "" : `; it is ${shown}`}.`;
}

/** Names the places of unknown settings instead of their names, unless a name is close to a setting's. */
function unknown(
  { path, keys }: { readonly path: Path; readonly keys: readonly string[] },
  { settings, value }: FaultSource,
): string {
  const before = patternOf(path);
  const prefix = before === "" ? "" : `${before}.`;
  const known = settings
    .filter((setting) => setting.path.startsWith(prefix))
    .map((setting) => setting.path.slice(prefix.length).split(/[.[]/)[0] ?? "");
  const where = path.length === 0 ? "the file" : pathText(path);
  const [only = ""] = keys;
  const meant = keys.length === 1 && only.length < 40 ? nearestOf(only, known) : null;
  if (meant !== null) return `"${only}" in ${where} isn't a setting of INV; did you mean "${meant}"?`;
  const names = Object.keys(Object(valueAt(value, path)) as object);
  const places = keys.map((key) => ordinal(names.indexOf(key) + 1)).join(" and ");
  const verb = keys.length === 1 ? "name isn't a setting" : "names aren't settings";
  return `In ${where}, the ${places} ${verb} of INV; allowed here: ${[...new Set(known)].join(", ")}.`;
}

function ordinal(place: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[place % 10];
  return `${place}${ending === undefined || Math.floor((place % 100) / 10) === 1 ? "th" : ending}`;
}

/** Returns a path such as `environments[0].quota.search`. */
function pathText(path: Path): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}

function nameOf(path: Path, { names }: FaultSource): string {
  const text = pathText(path);
  return names.get(text) ?? (text === "" ? "The file" : text);
}

function settingAt(path: Path, { settings }: FaultSource): Setting | undefined {
  const pattern = patternOf(path);
  // A list's description covers its members.
  return settings.find((setting) => setting.path === pattern || `${setting.path}[]` === pattern);
}

function patternOf(path: Path): string {
  return pathText(path).replace(/\[\d+\]/g, "[]");
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => Reflect.get(Object(inner) as object, key), value);
}

/** Length in characters. A longer value could be a secret. */
const shortest = 6;

function shownValue(value: unknown, setting: Setting | undefined): string | null {
  if (typeof value === "string") return setting?.type === "integer" ? "text" : null;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length <= shortest ? text : "another";
}
