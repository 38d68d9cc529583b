/** INV's functions for Insert, from `functions-list.json`, which the build writes from the catalogue's doc comments. */
import { InvError } from "../../domain/errors";
import * as z from "../../domain/zod";

const argument = z.object({
  name: z.string(),
  description: z.string(),
  optional: z.boolean(),
  ranges: z.boolean(),
  choices: z.array(z.string()),
  usedWhenLeftOut: z.nullable(z.string()),
});
const described = z.object({
  id: z.string(),
  implementation: z.string(),
  name: z.string(),
  description: z.string(),
  arguments: z.array(argument),
});
const file = z.object({ functions: z.array(described).check(z.minLength(1)) });

export type FunctionArgument = z.infer<typeof argument>;
export type DescribedFunction = z.infer<typeof described>;

/** The file beside the add-in. */
export const functionsListPath = "functions-list.json";

/** @throws InvError if the content isn't such a list */
export function readFunctionsList(json: unknown): readonly DescribedFunction[] {
  const read = z.safeParse(file, json);
  if (read.success) return read.data.functions;
  throw new InvError(
    "internal",
    `INV couldn't read its list of functions, ${functionsListPath}. Build the add-in again.`,
  );
}

/** Whether the function returns one value per row, and can be filled down; the others return a table of one item. */
export function isPerRow({ arguments: all }: DescribedFunction): boolean {
  return all.some(({ ranges }) => ranges);
}
