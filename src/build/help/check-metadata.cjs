/**
 * Checks functions.json against Excel's rules, because one wrong function makes Excel silently register none
 * at all. The limits are the stricter ones of Excel's two metadata schemas. Microsoft's generator checks
 * neither lengths nor unknown members.
 */
"use strict";
const { z } = require("zod");

const text = (maxLength) => z.string().min(1).max(maxLength);
const id = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9._]{2,63}$/, "must be 3 to 64 letters, digits, dots or underscores");
const dimensionality = z.enum(["scalar", "matrix"]).optional();
const type = z.enum(["any", "string", "number", "boolean"]);

const parameter = z.strictObject({
  name: text(64),
  description: text(512),
  type,
  dimensionality,
  optional: z.boolean().optional(),
  customEnumId: z.string().optional(),
});

const parameters = z
  .array(parameter)
  .max(128)
  .refine((all) => isUnique(all.map(({ name }) => name)), "two parameters share a name")
  .refine(
    (all) => all.every(({ optional }, index) => optional || !all[index - 1]?.optional),
    "a required parameter follows an optional one",
  );

const excelFunction = z.strictObject({
  id,
  name: id.refine((name) => !/^[A-Za-z]{1,3}[0-9]+$/.test(name), "looks like a cell's address"),
  description: text(1024),
  helpUrl: z.string().regex(/^https?:\/\/.{1,2040}$/, "must be an absolute address"),
  parameters,
  result: z.strictObject({ type: type.optional(), dimensionality }).optional(),
  options: z.strictObject({ requiresAddress: z.boolean() }).optional(),
});

const value = z.strictObject({ name: text(256), stringValue: text(256), tooltip: z.string().max(256) });
const list = z.strictObject({ id, type: z.literal("string"), values: z.array(value).min(1) });

const metadataShape = z
  .strictObject({
    allowCustomDataForDataTypeAny: z.literal(true),
    allowErrorForDataTypeAny: z.literal(true),
    enums: z.array(list).max(256).default([]),
    functions: z.array(excelFunction).min(1),
  })
  .superRefine(({ enums, functions }, { addIssue }) => {
    const problem = (message) => addIssue({ code: "custom", message });
    for (const member of ["id", "name"]) {
      if (!isUnique(functions.map((each) => each[member]))) problem(`two functions share the ${member}`);
    }
    if (!isUnique(enums.map((each) => each.id))) problem("two enums share an id");
    const known = new Set(enums.map((each) => each.id));
    for (const { customEnumId } of functions.flatMap((each) => each.parameters)) {
      if (customEnumId !== undefined && !known.has(customEnumId)) {
        problem(`the enum ${customEnumId} is missing`);
      }
    }
  });

/** Returns the faults of the metadata as texts. */
function metadataProblems(metadata) {
  const { error } = metadataShape.safeParse(metadata);
  return (error?.issues ?? []).map(({ path, message }) => `functions.json ${path.join(".")}: ${message}`);
}

/** Excel ignores the letter case of ids and names. */
function isUnique(words) {
  return new Set(words.map((word) => word.toUpperCase())).size === words.length;
}

module.exports = { metadataProblems };
