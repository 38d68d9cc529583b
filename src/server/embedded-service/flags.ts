/**
 * The command line of the standalone service: reads its flags, or says in words what is wrong with them.
 */
import { parseArgs } from "node:util";
import { InvError, messageOf } from "../../domain/errors";
import { parseFaultSpec } from "../../embedded-service/faults";
import { readStockFlags } from "../stock-file/stock-flags";

export interface ServiceFlags {
  readonly port: number;
  readonly latencyMs: number;
  readonly fail: string;
  readonly tokenLifetimeSeconds: number;
  readonly ratePerMinute: number;
  readonly seed: number;
  /** A stock file in place of the demo world; null where none is named. */
  readonly data: string | null;
  /** The demo's accounts open the stock file too. */
  readonly testAccounts: boolean;
  /** Where the service's clock stands, in milliseconds since 1970 UTC; null where it runs. */
  readonly clockMs: number | null;
  readonly help: boolean;
}

export const serviceUsage = `npm run service -- [flags]

  --port N             port on this machine (default 3010; 0: any free one)
  --latency MS         milliseconds every answer waits (default 0)
  --fail SPEC          share of calls that go wrong, of 429, 500, hang, reset, short, broken:
                       --fail 429=5%,hang=1%
  --token-lifetime S   seconds a token lives (default 900)
  --rate N             calls a consumer may make in any 60 seconds, by operation (default 600)
  --seed N             another seed gives other demo stock (default 1)
  --data FILE          a stock file of your own exports in place of the demo (see docs/exports.md)
  --now TIME           with --data: where the service's clock stands, such as 2026-11-20T05:58 (UTC)
  --test-accounts      with --data: the demo's accounts in place of the file's, for tests of the contract
  --help               this text
`;

/** Throws an InvError (`bad-argument`) whose message says which flag is wrong and what it takes. */
export function readServiceFlags(args: readonly string[]): ServiceFlags {
  const values = parse(args);
  const fail = values.fail ?? "";
  const shares = parseFaultSpec(fail);
  if (typeof shares === "string") throw new InvError("bad-argument", `--fail: ${shares}`);
  if (values.data !== undefined && values.seed !== undefined) {
    throw new InvError("bad-argument", "--seed belongs to the demo world: leave it out, or --data.");
  }
  return {
    ...readStockFlags(values),
    port: whole("--port", values.port ?? "3010", { min: 0, max: 65_535 }),
    latencyMs: whole("--latency", values.latency ?? "0", { min: 0, max: 60_000 }),
    fail,
    tokenLifetimeSeconds: whole("--token-lifetime", values["token-lifetime"] ?? "900", {
      min: 1,
      max: 86_400,
    }),
    ratePerMinute: whole("--rate", values.rate ?? "600", { min: 1, max: 1_000_000 }),
    seed: whole("--seed", values.seed ?? "1", { min: 0, max: 0xffff_ffff }),
    testAccounts: values["test-accounts"] ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: text,
        latency: text,
        fail: text,
        "token-lifetime": text,
        rate: text,
        seed: text,
        data: text,
        now: text,
        "test-accounts": { type: "boolean" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new InvError("bad-argument", messageOf(error));
  }
}

function whole(flag: string, value: string, { min, max }: { min: number; max: number }): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new InvError(
    "bad-argument",
    `${flag} takes a whole number from ${min} to ${max}, received "${value.slice(0, 40)}".`,
  );
}
