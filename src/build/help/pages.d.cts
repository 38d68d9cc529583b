import type { FunctionHelp } from "./read-catalogue.cjs";

/** File names (`qty.html`, `index.html`) with their HTML. */
export function helpPages(functions: readonly FunctionHelp[]): Map<string, string>;
/** The page of a function, by its id. */
export function pageName(id: string): string;
