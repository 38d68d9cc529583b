/** What is told about one function, wherever it is told. */
export interface FunctionHelp {
  readonly id: string;
  /** As typed in a cell: `INV.QTY`. */
  readonly name: string;
  readonly signature: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly optional: boolean;
    /** Whether it takes ranges, and gives one result for each of their cells. */
    readonly ranges: boolean;
    /** The words it takes; empty where it takes other things. */
    readonly choices: readonly string[];
    readonly usedWhenLeftOut: string | null;
  }[];
  readonly results: string;
  readonly errors: readonly { readonly value: string; readonly when: string }[];
  readonly examples: readonly { readonly formula: string; readonly result: string; readonly note: string }[];
  /** A formula over demo data that shows it live. */
  readonly live: string;
}

export function readCatalogue(sources: readonly string[], namespace: string): FunctionHelp[];
