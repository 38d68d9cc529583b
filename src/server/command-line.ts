/**
 * Reads the server's command line, explains mistakes, and writes the help text, all from a zod schema. A flag has the name of its field:
 * `faultSwitches` is `--fault-switches`. Flags without a description are internal, and the help omits them.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { messageOf } from "../domain/errors";
import { nearestOf } from "../domain/typos";
import { ConfigError, faultLines } from "./settings/config-error";
import { listSettings } from "./settings/list";
import { codeOf } from "./system-error";

const serverFlags = z
  .strictObject({
    config: z.string().nullable().default(null).meta({
      description: "the configuration file",
      sample: "FILE",
    }),
    /** `serve.mjs` handles this flag. */
    example: z.boolean().default(false).meta({
      description: "only write a configuration to begin with, on standard output",
    }),
    check: z.boolean().default(false).meta({
      description: "only say whether the configuration, and the files of --stock and --events, are right",
    }),
    connect: z.boolean().default(false).meta({
      description: "with --check: also try environments, Redis, sign-in and ports",
    }),
    stock: z.string().min(1).nullable().default(null).meta({
      description: "your own figures instead of the demo, on this machine: a CSV file (docs/figures.md)",
      sample: "FILE",
    }),
    events: z.string().min(1).nullable().default(null).meta({
      description: "with --stock: a CSV file of events",
      sample: "FILE",
    }),
    help: z.boolean().default(false).meta({ description: "this text" }),
    /** Logs JSON lines instead of printing a greeting. */
    unattended: z.boolean().default(false),
    /** Whether the demo's simulated faults can be switched on. */
    faultSwitches: z.boolean().default(false),
  })
  .check(({ value, issues }) => {
    const fault = (path: keyof typeof value, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: null });
    if (value.connect && !value.check) fault("connect", "needs --check");
    if (value.events !== null && value.stock === null) fault("events", "needs --stock");
  });

export type CommandLine = z.output<typeof serverFlags>;

const settings = listSettings(serverFlags);

/** Throws a `ConfigError` that names every mistake. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  // The message doesn't repeat the word, which may be a pasted secret.
  if (positionals.length > 0) throw new ConfigError("The command takes only flags. --help lists them all.");
  const given = settings.map(({ path }) => [path, values[nameOf(path)]] as const);
  const parsed = serverFlags.safeParse(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
  if (parsed.success) return parsed.data;
  const faults = faultLines(parsed.error, { settings, nameOf: (path) => `--${nameOf(path)}` });
  throw new ConfigError(faults.join("\n"));
}

export function helpText(): string {
  return [
    "INV for a team: serves the add-in and relays its calls.",
    "",
    ...helpLines(),
    "",
    "docs/settings.md describes the file's settings. The variable PORT overrides its port.",
    "",
  ].join("\n");
}

function helpLines(): readonly string[] {
  const rows = settings
    .filter(({ meaning }) => meaning !== "")
    .map(({ path, sample, meaning }) => {
      const flag = `--${nameOf(path)}${sample === null ? "" : ` ${sample}`}`;
      return [flag, meaning] as const;
    });
  const widest = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, meaning]) => `  ${flag.padEnd(widest)}  ${meaning}`);
}

function parse(args: readonly string[]) {
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
