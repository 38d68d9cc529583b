/** Reads the help that the build writes (`help/help.json`), and searches it. */
import { InvError } from "../../domain/errors";
import * as z from "../../domain/zod";

const part = z.union([z.string(), z.object({ pairs: z.array(z.tuple([z.string(), z.string()])) })]);
const helpEntries = z.array(
  z.object({
    /** Also the id of its page: `qty`, `freshness`. */
    id: z.string(),
    kind: z.enum(["function", "topic"]),
    title: z.string(),
    words: z.string(),
    lead: z.string(),
    sections: z.array(z.object({ heading: z.string(), parts: z.array(part) })),
  }),
);

export type HelpEntry = z.infer<typeof helpEntries>[number];
/** A paragraph, or pairs of a term and its meaning. Backticks mark code. */
export type HelpPart = z.infer<typeof part>;

/**
 * Parses the help.
 * @throws InvError `bad-answer` if the JSON is not INV's help
 */
export function readHelp(json: unknown): readonly HelpEntry[] {
  const parsed = helpEntries.safeParse(json);
  if (parsed.success && parsed.data.length > 0) return parsed.data;
  throw new InvError(
    "bad-answer",
    "INV couldn't read its help. The server may have another version of INV. Reload INV, then try again.",
  );
}

/**
 * Returns the entries that contain every word of the query, those with it in the title first. An empty query returns all
 * entries.
 */
export function findHelp(entries: readonly HelpEntry[], query: string): readonly HelpEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const ranked = entries.flatMap((entry) => {
    const texts = [entry.title, entry.words, entryText(entry)].map((text) => text.toLowerCase());
    const ranks = words.map((word) => texts.findIndex((text) => text.includes(word)));
    return ranks.includes(-1) ? [] : [{ entry, rank: ranks.reduce((sum, rank) => sum + rank, 0) }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

function entryText({ lead, sections }: HelpEntry): string {
  const parts = sections.flatMap((section) => [section.heading, ...section.parts]);
  return [lead, ...parts.map((one) => (typeof one === "string" ? one : one.pairs.flat().join(" ")))].join(
    " ",
  );
}
