/** INV's functions as Insert offers them. The build writes `functions-list.json` from the catalogue's doc comments. */
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
  name: z.string(),
  description: z.string(),
  arguments: z.array(argument),
});
const file = z.object({ functions: z.array(described).check(z.minLength(1)) });

export type FunctionArgument = z.infer<typeof argument>;
export type DescribedFunction = z.infer<typeof described>;

export const functionsListPath = "functions-list.json";

export function readFunctionsList(json: unknown): readonly DescribedFunction[] {
  const read = z.safeParse(file, json);
  if (read.success) return read.data.functions;
  throw new InvError(
    "internal",
    `INV couldn't read its list of functions, ${functionsListPath}. Build the add-in again.`,
  );
}

/** Returns whether the function returns one value per row and so can be filled down. Other functions return a table. */
export function isPerRow({ arguments: all }: DescribedFunction): boolean {
  return all.some(({ ranges }) => ranges);
}
