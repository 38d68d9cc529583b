/** What may be said when the server is started, and the help that says so. */
import { parseArgs } from "node:util";
import { messageOf } from "../domain/errors";
import { ConfigError } from "./settings/faults";
import { listSettings } from "./settings/list";
import type { ToEnd } from "./operations/sessions-command";
import { readStockFlags } from "./stock-file/stock-flags";

export interface CommandLine {
  /** The configuration file; null where none is named. */
  readonly configPath: string | null;
  /** Only look whether the configuration is right. */
  readonly check: boolean;
  /** And try what it leads to. */
  readonly connect: boolean;
  readonly help: boolean;
  /** A stock file to serve in the demo's place; null where none is named. */
  readonly data: string | null;
  /** Where that service's clock stands, in milliseconds since 1970 UTC; null where it runs. */
  readonly clockMs: number | null;
  /** The demo can be told to fail on purpose. */
  readonly faultSwitches: boolean;
  /** A log of JSON lines and no greeting: for machines that nobody watches. */
  readonly unattended: boolean;
  /** `sessions`: ask the running server who is signed in, or have it end one or all; null to serve. */
  readonly sessions: { readonly toEnd: ToEnd } | null;
}

const options = {
  config: { type: "string" },
  check: { type: "boolean" },
  connect: { type: "boolean" },
  help: { type: "boolean" },
  unattended: { type: "boolean" },
  data: { type: "string" },
  now: { type: "string" },
  "fault-switches": { type: "boolean" },
  end: { type: "string" },
  "end-all": { type: "boolean" },
} as const;

const strayWord = "The command line holds something that belongs to no option; --help lists them.";
const strayConnect = "--connect belongs to --check.";
const strayEnd = "--end and --end-all belong to the word sessions, and not both.";

/** Throws a `ConfigError` for what it does not know. `INV_CONFIG` names the file where no flag does. */
export function readCommandLine(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): CommandLine {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.connect === true && values.check !== true) throw new ConfigError(strayConnect);
    return {
      sessions: readSessions(positionals, values),
      ...readStockFlags(values),
      configPath: values.config ?? variables.INV_CONFIG ?? null,
      check: values.check ?? false,
      connect: values.connect ?? false,
      help: values.help ?? false,
      faultSwitches: values["fault-switches"] ?? false,
      unattended: values.unattended ?? false,
    };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(faultOf(error));
  }
}

function readSessions(
  words: readonly string[],
  flags: { readonly end?: string; readonly "end-all"?: boolean },
): CommandLine["sessions"] {
  const { end = null, "end-all": all = false } = flags;
  if (words.length > 1 || (words[0] ?? "sessions") !== "sessions") throw new ConfigError(strayWord);
  if ((words.length === 0 && (end !== null || all)) || (end !== null && all)) throw new ConfigError(strayEnd);
  return words.length === 0 ? null : { toEnd: all ? "all" : end };
}

/** What stands there in an option's place is not repeated: it may be a secret that was pasted. */
function faultOf(error: unknown): string {
  switch (Reflect.get(Object(error) as object, "code")) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
      return "The command line holds an option that is none of INV's; --help lists them.";
    default:
      return messageOf(error);
  }
}

export function helpText(): string {
  const settings = listSettings();
  const widest = Math.max(...settings.map(({ variable }) => variable?.length ?? 0));
  const variables = settings.flatMap(({ variable, path }) =>
    variable === null ? [] : [`  ${variable.padEnd(widest)} ${path}`],
  );
  return [
    "INV for a team: serves the add-in and relays its calls.",
    "",
    "  --config FILE   the configuration file (or INV_CONFIG=FILE)",
    "  --example       only write a configuration to begin with, on standard output",
    "  --check         only say whether the configuration is right",
    "    --connect     and try what it names: environments, Redis, sign-in, port, certificate",
    "  --data FILE     a stock file (docs/exports.md) in the demo's place, for this machine alone",
    "  --now TIME      with --data: where its clock stands, such as 2026-11-20T05:58 (UTC)",
    "  --help          this text",
    "",
    "  sessions        who is signed in to the running server (needs operationsPort)",
    "    --end ID      ends that session",
    "    --end-all     ends all",
    "",
    "The file's settings are described in docs/configuration.md. These variables go before it:",
    "",
    ...variables,
    "",
  ].join("\n");
}
