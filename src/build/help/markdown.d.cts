import type { FunctionHelp } from "./read-catalogue.cjs";

/** The README's table: formula and what it gives. */
export function functionTable(functions: readonly FunctionHelp[]): string;
/** The text of docs/functions.md. */
export function functionReference(functions: readonly FunctionHelp[]): string;
