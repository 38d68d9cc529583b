/** The description of one function, for every place that shows it. */
export interface FunctionHelp {
  readonly id: string;
  /** The name as typed in a cell: `INV.QTY`. */
  readonly name: string;
  readonly signature: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly optional: boolean;
    /** Whether the argument accepts ranges, so that the function returns one result for each cell. */
    readonly ranges: boolean;
    /** The allowed words. Empty if the argument accepts any other value. */
    readonly choices: readonly string[];
    readonly usedWhenLeftOut: string | null;
  }[];
  readonly results: string;
  readonly errors: readonly { readonly value: string; readonly when: string }[];
  readonly examples: readonly { readonly formula: string; readonly result: string; readonly note: string }[];
  /** A formula over demo data, for the link "See it live". */
  readonly live: string;
}

export function readCatalogue(sources: readonly string[], namespace: string): FunctionHelp[];
