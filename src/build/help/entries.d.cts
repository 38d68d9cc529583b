import type { FunctionHelp } from "./read-catalogue.cjs";
import type { HelpTopic } from "./topics.cjs";

/** What help.json holds; its reader, in the pane, checks the shape. */
export function helpEntries(functions: readonly FunctionHelp[], topics: readonly HelpTopic[]): unknown[];
