import type { FunctionHelp } from "./read-catalogue.cjs";
import type { HelpTopic } from "./topics.cjs";

/** Returns the entries of which `helpPages` makes pages. */
export function helpEntries(functions: readonly FunctionHelp[], topics: readonly HelpTopic[]): unknown[];
