import type { FunctionHelp } from "./help/read-catalogue.cjs";

export const namespace: string;
/** Every file of the catalogue: input of the metadata generator, and entry of the add-in. */
export const catalogueFiles: readonly string[];

export class FunctionsMetadataPlugin {
  /** `publicUrl`: the absolute https address at which the add-in will be served. */
  constructor(options: { readonly publicUrl: string });
  /** Called by webpack with its compiler. */
  apply(compiler: object): void;
}

interface GeneratedFunction {
  readonly id: string;
  readonly parameters: readonly { readonly name: string; readonly optional?: boolean }[];
}

interface GeneratedMetadata {
  readonly functions: readonly GeneratedFunction[];
}

export function finishMetadata<T extends GeneratedMetadata>(
  generated: T,
  help: readonly FunctionHelp[],
  publicUrl: string,
): T;
/** What is missing in the help, in sentences. */
export function helpProblems(help: readonly FunctionHelp[], metadata: GeneratedMetadata): string[];
