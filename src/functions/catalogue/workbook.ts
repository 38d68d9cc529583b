/** The functions about the workbook itself as Excel lists them, by the rules in `inventory.ts`. */
import { calculate } from "../calculate";
import { environment } from "../fact-rules";

/**
 * The environment whose numbers this workbook shows, such as demo, sandbox or production.
 * @customfunction ENV
 * @requiresAddress
 * @returns The name of the environment. Only production has real numbers.
 * @error #VALUE! No environment is chosen yet: open the INV pane.
 * @example =INV.ENV() | demo | Good in a corner of every sheet that is printed or sent on.
 * @example =IF(INV.ENV()="production", "", "Not real numbers") | a text | A warning for everyone who opens the sheet.
 * @example ="Stock from "&INV.ENV() | a text | In a heading.
 * @live =INV.ENV()
 */
export function env(invocation?: CustomFunctions.Invocation): Promise<unknown[][]> {
  return calculate({}, invocation, environment);
}
