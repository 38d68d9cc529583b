/**
 * Reads a command's flags, explains mistakes and prints the help, all from a zod schema. A flag has the name
 * of its field: `tokenLifetime` is `--token-lifetime`. Flags without a description are internal, and the help
 * omits them.
 */
import { parseArgs } from "node:util";
import type { z } from "zod";
import { messageOf } from "../../domain/errors";
import { nearestOf } from "../../domain/typos";
import { ConfigError, faultLines } from "./config-error";
import { listSettings, type Setting } from "./list";
import { codeOf } from "../system-error";

export interface GivenFlags<Schema extends z.ZodObject> {
  readonly flags: z.output<Schema>;
  readonly words: readonly string[];
}

/** @throws ConfigError that names every mistake */
export function readFlags<Schema extends z.ZodObject>(
  schema: Schema,
  args: readonly string[],
): GivenFlags<Schema> {
  const settings = listSettings(schema);
  const { values, positionals } = parse(settings, args);
  const value: Record<string, unknown> = {};
  for (const { path, type } of settings) {
    const given = values[nameOf(path)];
    if (given !== undefined) {
      value[path] = type === "integer" && /^\d+$/.test(String(given)) ? Number(given) : given;
    }
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { flags: parsed.data, words: positionals };
  const faults = faultLines(parsed.error, { settings, nameOf: (path) => `--${nameOf(path)}` });
  throw new ConfigError(faults.join("\n"));
}

export function helpLines(schema: z.ZodObject): readonly string[] {
  const rows = listSettings(schema)
    .filter(({ meaning }) => meaning !== "")
    .map(({ path, sample, meaning, preset, type }) => {
      const shown =
        preset === null || type === "boolean" || preset === '""'
          ? ""
          : ` (default ${preset.replaceAll('"', "")})`;
      return [`--${nameOf(path)}${sample === null ? "" : ` ${sample}`}`, `${meaning}${shown}`] as const;
    });
  const widest = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, meaning]) => `  ${flag.padEnd(widest)}  ${meaning}`);
}

function parse(settings: readonly Setting[], args: readonly string[]) {
  const options = Object.fromEntries(
    settings.map(({ path, type }) => [
      nameOf(path),
      { type: type === "boolean" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(faultOf(error, Object.keys(options)));
  }
}

/** Repeats an unknown option only if it is close to a known one, because it may be a pasted secret. */
function faultOf(error: unknown, known: readonly string[]): string {
  const message = messageOf(error);
  if (codeOf(error) !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") return message;
  const meant = nearestOf(/^Unknown option '--([a-z-]{1,40})'/.exec(message)?.[1] ?? "", known);
  if (meant === null) return "The command line has an unknown option. --help lists them all.";
  return `The command line has an unknown option; did you mean --${meant}?`;
}

function nameOf(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
