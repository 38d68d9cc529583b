import type { FunctionHelp } from "./read-catalogue.cjs";

/** The README's table: each function, and the first sentence of what it gives. */
export function functionTable(functions: readonly FunctionHelp[]): string;
/** The text of docs/functions.md. */
export function functionReference(functions: readonly FunctionHelp[]): string;
