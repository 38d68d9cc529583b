/** The part of the rules that tests read. */
declare const rules: {
  readonly forbidden: readonly {
    readonly name: string;
    readonly to: { readonly path?: readonly string[] };
  }[];
};
export = rules;
