/**
 * Explains mistakes in settings and flags in zod's own words, each after its path. They name types, limits and
 * choices, never a value. Security: an unknown name may be a pasted secret, so it is repeated only if it is close
 * to a setting's.
 */
import { z } from "zod";
import { nearestOf } from "../../domain/typos";
import type { Setting } from "./list";

export class ConfigError extends Error {}

export interface FaultSource {
  readonly settings: readonly Setting[];
  /** Shows a path as people know it. Default: `environments[0].quota.search`. */
  readonly nameOf?: (path: string) => string;
}

/** Returns a line for each mistake, which may break two rules of its setting. */
export function faultLines(
  { issues }: z.ZodError,
  { settings, nameOf = (path) => path }: FaultSource,
): readonly string[] {
  const lines = issues.flatMap((issue) => {
    const path = z.core.toDotPath(issue.path);
    const isUnknown = issue.code === "unrecognized_keys";
    const texts = isUnknown ? unknownNames(issue.keys, namesIn(path, settings)) : [issue.message];
    return path === "" ? texts : texts.map((text) => `${nameOf(path)}: ${text}`);
  });
  return [...new Set(lines)];
}

function unknownNames(keys: readonly string[], allowed: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const key of keys) {
    const meant = key.length < 40 ? nearestOf(key, allowed) : null;
    if (meant !== null) texts.push(`"${key}" isn't a setting of INV; did you mean "${meant}"?`);
  }
  const others = keys.length - texts.length;
  const words = others === 1 ? "1 name isn't a setting" : `${others} names aren't settings`;
  return others === 0 ? texts : [...texts, `${words} of INV; allowed here: ${allowed.join(", ")}`];
}

function namesIn(path: string, settings: readonly Setting[]): readonly string[] {
  const before = path === "" ? "" : `${path.replace(/\[\d+\]/g, "[]")}.`;
  const inside = settings.filter((setting) => setting.path.startsWith(before));
  return [...new Set(inside.map((setting) => setting.path.slice(before.length).split(/[.[]/)[0] ?? ""))];
}
