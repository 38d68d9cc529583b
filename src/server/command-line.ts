/** Parses the server's command line, and writes its help text. */
import { z } from "zod";
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

/** Throws a `ConfigError` for unknown flags and words. */
export function readCommandLine(args: readonly string[]): CommandLine {
  return readFlags(serverFlags, args);
}

export function helpText(): string {
  return [
    "INV for a team: serves the add-in and relays its calls.",
    "",
    ...helpLines(serverFlags),
    "",
    "docs/settings.md describes the file's settings. The variable PORT overrides its port.",
    "",
  ].join("\n");
}
