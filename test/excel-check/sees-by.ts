/** Whether the host reports an edit within some seconds. The port can't stop listening, so later edits are ignored. */
import type { Edit } from "../../src/workbook/port";
import type { CheckBed } from "./check";

const pollMs = 250;
const mostPolls = 20;

export async function seesBy(
  { workbook, pause }: CheckBed,
  act: () => Promise<void>,
  isMeant: (edit: Edit) => boolean,
): Promise<"told" | "not told"> {
  const seen = { isTold: false };
  workbook.onEdit((edit) => {
    if (isMeant(edit)) seen.isTold = true;
  });
  // The host needs a moment before it listens.
  await pause(pollMs);
  await act();
  for (let poll = 1; poll <= mostPolls && !seen.isTold; poll += 1) await pause(pollMs);
  return seen.isTold ? "told" : "not told";
}
