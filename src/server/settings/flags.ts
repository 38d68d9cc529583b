/**
 * Reads a command's flags, explains mistakes and prints the help, all from a zod schema. A flag has the name
 * of its field: `faultSwitches` is `--fault-switches`. Flags without a description are internal, and the help
 * omits them.
 */
import { parseArgs } from "node:util";
import type { z } from "zod";
import { messageOf } from "../../domain/errors";
import { nearestOf } from "../../domain/typos";
import { ConfigError, faultLines } from "./config-error";
import { listSettings, type Setting } from "./list";
import { codeOf } from "../system-error";

/** @throws ConfigError that names every mistake */
export function readFlags<Schema extends z.ZodObject>(
  schema: Schema,
  args: readonly string[],
): z.output<Schema> {
  const settings = listSettings(schema);
  const { values, positionals } = parse(settings, args);
  // The message doesn't repeat the word, which may be a pasted secret.
  if (positionals.length > 0) throw new ConfigError("The command takes only flags. --help lists them all.");
  const given = settings.map(({ path }) => [path, values[nameOf(path)]] as const);
  const parsed = schema.safeParse(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
  if (parsed.success) return parsed.data;
  const faults = faultLines(parsed.error, { settings, nameOf: (path) => `--${nameOf(path)}` });
  throw new ConfigError(faults.join("\n"));
}

export function helpLines(schema: z.ZodObject): readonly string[] {
  const rows = listSettings(schema)
    .filter(({ meaning }) => meaning !== "")
    .map(({ path, sample, meaning }) => {
      const flag = `--${nameOf(path)}${sample === null ? "" : ` ${sample}`}`;
      return [flag, meaning] as const;
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
