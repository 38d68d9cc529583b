/**
 * What is wrong with a configuration, in words for the administrator: each mistake by its path and, where it came
 * from one, its environment variable, with what is allowed there. Values are shown only where they can be no secret.
 */
import type { z } from "zod";
import type { Setting } from "./list";

/** Wrong settings; the message names each. */
export class ConfigError extends Error {}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export interface Source {
  readonly settings: readonly Setting[];
  /** Paths whose value a variable gave. */
  readonly fromVariables: ReadonlyMap<string, string>;
  readonly value: unknown;
}

export function explain(issue: Issue, source: Source): string {
  if (issue.code === "unrecognized_keys") return unknown(issue, source);
  const name = nameOf(issue.path, source);
  if (issue.code === "custom") return `${name} ${issue.message}.`;
  const setting = settingAt(issue.path, source);
  const own = "format" in issue && issue.message.startsWith("must ") ? issue.message : null;
  const must = own ?? `must be ${setting?.allowed ?? "an object"}`;
  const value = valueAt(source.value, issue.path);
  if (value === undefined) return `${name} is missing; it ${must}.`;
  const isHarmless =
    issue.code === "invalid_value" || setting?.isNumber === true || typeof value !== "string";
  return isHarmless ? `${name} ${must}; it is ${shown(value)}.` : `${name} ${must}.`;
}

function unknown(issue: Issue & { readonly code: "unrecognized_keys" }, { settings }: Source): string {
  const before = patternOf(issue.path);
  const prefix = before === "" ? "" : `${before}.`;
  const known = settings
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path }) => path.slice(prefix.length).split(/[.[]/)[0] ?? "");
  const names = issue.keys.map((key) => pathText([...issue.path, key])).join(", ");
  const verb = issue.keys.length === 1 ? "is no setting" : "are no settings";
  return `${names} ${verb} of INV; allowed here: ${[...new Set(known)].join(", ")}.`;
}

/** As people write it: `environments[0].quota.search`. */
export function pathText(path: Path): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}

function nameOf(path: Path, { fromVariables }: Source): string {
  const text = pathText(path);
  const variable = fromVariables.get(text);
  if (variable !== undefined) return `${text} (from ${variable})`;
  return text === "" ? "The file" : text;
}

function settingAt(path: Path, { settings }: Source): Setting | undefined {
  const pattern = patternOf(path);
  // A member of a list is described by the list.
  return settings.find((setting) => setting.path === pattern || `${setting.path}[]` === pattern);
}

function patternOf(path: Path): string {
  return pathText(path).replace(/\[\d+\]/g, "[]");
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => Reflect.get(Object(inner) as object, key), value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) as string | undefined)?.slice(0, 60) ?? "nothing";
}
