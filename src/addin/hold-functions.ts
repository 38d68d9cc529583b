/**
 * Keeps Excel from calling functions that are not there yet. Microsoft's runtime tells Excel that functions
 * are ready as soon as Office is, even when the add-in's script is still on its way; calls that come then
 * fail without a reason (reported, and seen with a slow server). Its code looks at a mark in
 * `CustomFunctionMappings` and waits while it stands. The mark is not documented: a runtime that does not
 * know it goes on as before, and it is taken away in any case, so that nothing can wait on it for ever.
 */

/** Before Office's library is loaded. Returns the way to let go, for when the functions stand or cannot be had. */
export function holdFunctions(page: object): () => void {
  const mappings: unknown = Reflect.get(page, "CustomFunctionMappings") ?? {};
  if (typeof mappings !== "object" || mappings === null) return () => undefined;
  Reflect.set(mappings, mark, true);
  Reflect.set(page, "CustomFunctionMappings", mappings);
  return () => void Reflect.deleteProperty(mappings, mark);
}

const mark = "__delay__";
