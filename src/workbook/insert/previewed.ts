/** What a cell would show, as the pane shows it: from what a function gives or rejects with, in the host's own shapes. */
import { dateFromMs, msFromSerial } from "../../domain/dates";

export interface Previewed {
  /** The rows of the result, as texts; one cell for a single value. */
  readonly rows: readonly (readonly string[])[];
  /** Where the formula is refused as a whole. */
  readonly reason: string | null;
}

/** Resolves always. */
export async function previewedOf(calculation: Promise<unknown[][]>): Promise<Previewed> {
  try {
    return { rows: (await calculation).map((row) => row.map(textOf)), reason: null };
  } catch (error) {
    const reason: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : "";
    return { rows: [[textOf(error)]], reason: typeof reason === "string" ? reason : "" };
  }
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return String(value).toUpperCase();
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return "";
  const serial: unknown = Reflect.get(value, "basicValue");
  // The only data type that INV gives is a number with the format of a time.
  if (typeof serial === "number") return timeText(serial);
  const code: unknown = Reflect.get(value, "code");
  return typeof code === "string" ? code : "#VALUE!";
}

function timeText(serial: number): string {
  const ms = msFromSerial(serial);
  return `${dateFromMs(ms)} ${new Date(ms).toISOString().slice(11, 16)}`;
}
