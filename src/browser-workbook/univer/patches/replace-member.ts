/**
 * Replaces a member of the grid, for the `patch…` files in this folder. If the member is missing, as after an upgrade, the
 * start fails with its name before any sheet is shown.
 */
export function replaceMember<T extends object, K extends keyof T>(
  owner: T,
  name: { readonly of: string; readonly member: K },
  replace: (original: T[K]) => T[K],
): void {
  const original = owner[name.member];
  if (typeof original !== "function") {
    throw new Error(`This version of the grid has no ${name.of}.${String(name.member)}, which INV needs.`);
  }
  // A member of a prototype is called with each of its objects as `this`.
  const isPrototype = Object.hasOwn(owner, "constructor");
  owner[name.member] = replace(isPrototype ? original : (original.bind(owner) as T[K]));
}
