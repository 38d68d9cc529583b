/** Whether the value is a JSON object. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Levels of nesting that INV reads. Documented responses have five. */
export const maxDepth = 20;

/**
 * Whether a parsed value has more levels than INV reads. JSON.parse reads any number of them, but what visits a value
 * afterwards, such as JSON.stringify, fails at a number that differs between engines and depends on the stack.
 */
export function isTooDeep(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.some((part) => isTooDeep(part, levels - 1));
}

/** Parses text from outside; returns undefined for null and for text that isn't JSON. */
export function parsedJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
