/** The flags that every server of a stock file takes: which file, and where its clock stands. */
import { InvError } from "../../domain/errors";
import { readTime, timeExamples } from "./times";

export interface StockFlags {
  /** Null: the demo world. */
  readonly data: string | null;
  /** Milliseconds since 1970 UTC; null: the clock runs. */
  readonly clockMs: number | null;
}

/** Throws an InvError (`bad-argument`) whose message says which flag is wrong and what it takes. */
export function readStockFlags({
  data,
  now,
}: {
  data?: string | undefined;
  now?: string | undefined;
}): StockFlags {
  if (data === "") throw new InvError("bad-argument", "--data takes the path of a stock file.");
  if (now === undefined) return { data: data ?? null, clockMs: null };
  if (data === undefined) {
    throw new InvError("bad-argument", "--now is for a stock file: give --data FILE too.");
  }
  const clockMs = readTime(now, "iso");
  if (clockMs !== null) return { data, clockMs };
  throw new InvError("bad-argument", `--now takes ${timeExamples.iso}; it is "${now.slice(0, 40)}".`);
}
