import type { FunctionHelp } from "./read-catalogue.cjs";

export function functionTable(functions: readonly FunctionHelp[]): string;
export function functionReference(functions: readonly FunctionHelp[]): string;
