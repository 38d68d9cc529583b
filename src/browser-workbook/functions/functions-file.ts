/**
 * Reads functions.json, which also describes the add-in's functions to Excel. The browser workbook registers exactly
 * these functions and has no list of its own.
 */
import * as z from "../../domain/zod";

const functionsFile = z.object({
  functions: z.array(
    z.object({
      id: z.string().check(z.minLength(1)),
      name: z.string(),
      description: z._default(z.string(), ""),
      parameters: z.array(
        z.object({
          name: z.string(),
          description: z._default(z.string(), ""),
          // Arguments of other types would have to be converted.
          type: z.literal("any"),
          dimensionality: z.optional(z.literal("matrix")),
          optional: z._default(z.boolean(), false),
        }),
      ),
    }),
  ),
});

export interface FunctionParameter {
  readonly name: string;
  readonly description: string;
  /** True if the parameter takes ranges (`any[][]`). Otherwise a range is refused, as in Excel. */
  readonly isMatrix: boolean;
  readonly optional: boolean;
}

export interface FunctionDescription {
  readonly id: string;
  /** What people type after the namespace. */
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
}

/** Returns the functions of a parsed functions.json. Throws if it is invalid. */
export function readFunctionsFile(json: unknown): readonly FunctionDescription[] {
  const read = z.safeParse(functionsFile, json);
  if (!read.success) throw new Error("functions.json can't be read. Build the add-in again.");
  return read.data.functions.map(({ parameters, ...named }) => ({
    ...named,
    parameters: parameters.map(({ name, description, dimensionality, optional }) => ({
      name,
      description,
      isMatrix: dimensionality === "matrix",
      optional,
    })),
  }));
}
