import type { FunctionHelp } from "./read-catalogue.cjs";
import type { HelpTopic } from "./topics.cjs";

/** Returns the content of help.json. Its reader in the pane checks the shape. */
export function helpEntries(functions: readonly FunctionHelp[], topics: readonly HelpTopic[]): unknown[];
