/** Flags of both servers that can serve a stock file, and the format of times in flags. */
import { z } from "zod";
import { readTime, timeExamples } from "./times";

/** Yields milliseconds since 1970 UTC. */
export const timeFlag = z.string().transform((text, context) => {
  const ms = readTime(text, "iso");
  if (ms === null) {
    context.issues.push({ code: "custom", message: `must be ${timeExamples.iso}`, input: text });
  }
  return ms ?? 0;
});

export const stockFlags = {
  data: z.string().min(1).nullable().default(null).meta({
    description: "a stock file (docs/exports.md) instead of the demo, only for this machine",
    sample: "FILE",
  }),
  now: timeFlag.nullable().default(null).meta({
    description: "with --data: where its clock stands, such as 2026-11-20T05:58 (UTC)",
    sample: "TIME",
  }),
};
