import type { FunctionHelp } from "./read-catalogue.cjs";

export function functionReference(functions: readonly FunctionHelp[]): string;
