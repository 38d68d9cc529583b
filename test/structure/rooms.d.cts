/** The rules as far as tests read them; dependency-cruiser knows the rest. */
declare const rules: {
  readonly forbidden: readonly {
    readonly name: string;
    readonly to: { readonly path?: readonly string[] };
  }[];
};
export = rules;
