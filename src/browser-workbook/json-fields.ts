/** Reads fields of parsed JSON whose shape is unknown. Each caller decides what a missing or invalid field means. */

export function field(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? Reflect.get(json, name) : undefined;
}

/** Returns "" for anything but text. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
