/** Parses the server's command line, and writes its help text. */
import { z } from "zod";
import type { ToEnd } from "./operations/sessions-command";
import { ConfigError } from "./settings/config-error";
import { helpLines, readFlags } from "./settings/flags";

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
    check: z.boolean().default(false).meta({ description: "only say whether the configuration is right" }),
    connect: z.boolean().default(false).meta({
      description: "with --check: also try environments, Redis, sign-in, ports and certificate",
    }),
    stock: z.string().min(1).nullable().default(null).meta({
      description: "your own figures instead of the demo, on this machine: a CSV file (docs/figures.md)",
      sample: "FILE",
    }),
    events: z.string().min(1).nullable().default(null).meta({
      description: "with --stock: a CSV file of events",
      sample: "FILE",
    }),
    end: z.string().optional().meta({ description: "with sessions: ends that session", sample: "ID" }),
    endAll: z.boolean().default(false).meta({ description: "with sessions: ends all" }),
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
    if (value.end !== undefined && value.endAll) fault("end", "and --end-all exclude each other");
  });

export interface CommandLine extends z.output<typeof serverFlags> {
  /** Set for the command `sessions`, which lists or ends sessions of the running server. Null to serve. */
  readonly sessions: { readonly toEnd: ToEnd } | null;
}

/** Throws a `ConfigError` for unknown flags and words. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { flags, words } = readFlags(serverFlags, args);
  const { end = null, endAll } = flags;
  const isSessions = words[0] === "sessions" && words.length === 1;
  // The message doesn't repeat the word, which may be a pasted secret.
  if (words.length > 0 && !isSessions) {
    throw new ConfigError("The only word is sessions. --help lists the flags.");
  }
  if (!isSessions && (end !== null || endAll)) {
    throw new ConfigError("--end and --end-all need the word sessions.");
  }
  return {
    ...flags,
    sessions: isSessions ? { toEnd: endAll ? "all" : end } : null,
  };
}

export function helpText(): string {
  return [
    "INV for a team: serves the add-in and relays its calls.",
    "",
    ...helpLines(serverFlags),
    "",
    "The word sessions lists who is signed in to the running server (needs operationsPort).",
    "",
    "docs/configuration.md describes the file's settings. The variable PORT overrides its port.",
    "",
  ].join("\n");
}
