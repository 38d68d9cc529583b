/** What a tab says while there is no open workbook. */
import type { OpenWorkbook } from "../../workbook/open-workbook";
import { Message } from "./parts";

export function NoWorkbook({ workbook }: { workbook: Exclude<OpenWorkbook, { kind: "open" }> }) {
  if (workbook.kind === "failed") return <Message intent="error">{workbook.error.message}</Message>;
  return <p>{workbook.kind === "starting" ? "Waiting for the workbook…" : "No workbook is open."}</p>;
}
