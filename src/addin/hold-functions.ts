/**
 * Keeps Excel from calling functions before they are registered. Microsoft's runtime reports functions as ready together with
 * Office, even while the add-in's script still loads. Such calls fail without a reason (reported, and seen with a slow server).
 * The runtime waits while `CustomFunctionMappings` has this mark. The mark isn't documented; a runtime that doesn't know it
 * ignores it.
 */

/**
 * Call this before Office.js loads. Returns a function that lets Excel call; run it when functions are registered or have
 * failed.
 */
export function holdFunctions(page: object): () => void {
  const mappings: unknown = Reflect.get(page, "CustomFunctionMappings") ?? {};
  if (typeof mappings !== "object" || mappings === null) return () => undefined;
  Reflect.set(mappings, mark, true);
  Reflect.set(page, "CustomFunctionMappings", mappings);
  return () => void Reflect.deleteProperty(mappings, mark);
}

const mark = "__delay__";
