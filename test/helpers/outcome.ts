/** Returns a store's outcome if it has the given kind. Any other kind fails the test. */
export function expectKind<T extends { readonly kind: string }, K extends T["kind"]>(
  kind: K,
  outcome: T,
): Extract<T, { readonly kind: K }> {
  if (outcome.kind !== kind) throw new Error(`Expected "${kind}", received "${outcome.kind}".`);
  return outcome as Extract<T, { readonly kind: K }>;
}
