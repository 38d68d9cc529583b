/** Parses the command line of the stand-alone service, and writes its help text. */
import { z } from "zod";
import { parseFaultSpec } from "../../embedded-service/fault-switches";
import { ConfigError } from "../settings/config-error";
import { helpLines, readFlags } from "../settings/flags";

const serviceFlags = z.strictObject({
  port: z.int().min(0).max(65_535).default(3010).meta({
    description: "port on this machine; 0: any free one",
    sample: "N",
  }),
  latency: z.int().min(0).max(60_000).default(0).meta({
    description: "milliseconds every answer waits",
    sample: "MS",
  }),
  fail: z
    .string()
    .check(({ value, issues }) => {
      const shares = parseFaultSpec(value);
      if (typeof shares === "string") issues.push({ code: "custom", message: shares, input: value });
    })
    .default("")
    .meta({
      description: "share of calls that go wrong, of 429, 500 and hang: --fail 429=5%,hang=1%",
      sample: "SPEC",
    }),
  tokenLifetime: z.int().min(1).max(86_400).default(900).meta({
    description: "seconds a token lives",
    sample: "S",
  }),
  rate: z.int().min(1).max(1_000_000).default(600).meta({
    description: "calls a consumer may make in any 60 seconds, by operation",
    sample: "N",
  }),
  seed: z.int().min(0).max(0xffff_ffff).optional().meta({
    description: "another seed gives other demo stock (default 1)",
    sample: "N",
  }),
  help: z.boolean().default(false).meta({ description: "this text" }),
});

export type ServiceFlags = z.output<typeof serviceFlags>;

/** @throws ConfigError that says which flag is wrong and what it takes */
export function readServiceFlags(args: readonly string[]): ServiceFlags {
  const { flags, words } = readFlags(serviceFlags, args);
  if (words.length > 0) throw new ConfigError("The service takes only flags. --help lists them all.");
  return flags;
}

export const serviceUsage = ["npm run service -- [flags]", "", ...helpLines(serviceFlags), ""].join("\n");
