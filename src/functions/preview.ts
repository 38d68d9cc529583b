/**
 * A function of the catalogue calculated as a preview: as Excel does it when a part of a formula is pointed at.
 * Nothing is asked and nothing reported; what is not at hand shows its placeholder.
 */
import * as events from "./catalogue/events";
import * as inventory from "./catalogue/inventory";
import * as workbook from "./catalogue/workbook";

const catalogue: Readonly<Record<string, unknown>> = { ...inventory, ...events, ...workbook };

/**
 * @param implementation the name under which the catalogue exports the function
 * @param given its arguments in order, those left out as null
 * @returns the matrix; rejects with the host's error, as the function does
 */
export async function previewFunction(
  implementation: string,
  given: readonly unknown[],
): Promise<unknown[][]> {
  const found = catalogue[implementation];
  if (typeof found !== "function") throw new Error(`The catalogue has no function ${implementation}.`);
  const result: unknown = Reflect.apply(found, null, [...given, { isInValuePreview: true }]);
  return (await result) as unknown[][];
}
