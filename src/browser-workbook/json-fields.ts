/**
 * Reading parsed JSON that may be anything: a field of an object, or nothing. What a missing or odd field
 * means is left to the reader of each file.
 */

/** Undefined where there is no such field, or no object at all. */
export function field(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? Reflect.get(json, name) : undefined;
}

/** "" for anything but text. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
