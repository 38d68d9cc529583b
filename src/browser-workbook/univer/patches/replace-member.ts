/**
 * The one way in which a member of the grid is replaced, for the `patch…` files beside this one. A member that is gone, as
 * after an upgrade, is named at start-up, before any sheet is shown.
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
  // What stands on a prototype is called for each of its objects.
  const isPrototype = Object.hasOwn(owner, "constructor");
  owner[name.member] = replace(isPrototype ? original : (original.bind(owner) as T[K]));
}
