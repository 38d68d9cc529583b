import type { FunctionHelp } from "./help/read-catalogue.cjs";

export const namespace: string;
/** The catalogue's files: input of the metadata generator, and entry of the add-in. */
export const catalogueFiles: readonly string[];

export class FunctionsMetadataPlugin {
  /** Without `argumentLists`, Excel offers no words for arguments. */
  constructor(options: { readonly argumentLists: boolean });
  apply(compiler: object): void;
}

interface GeneratedFunction {
  readonly id: string;
  readonly parameters: readonly { readonly name: string; readonly optional?: boolean }[];
}

interface GeneratedMetadata {
  readonly functions: readonly GeneratedFunction[];
}

export function helpProblems(help: readonly FunctionHelp[], metadata: GeneratedMetadata): string[];
