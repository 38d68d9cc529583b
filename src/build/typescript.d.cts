/** The types of typescript.cjs. */
export const compilation: { readonly jsc: object };
