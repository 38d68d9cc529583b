/** The promise behind IFNA: #N/A is always an answer of the service, never an outage. */
import { cellErrorOf, type ErrorCode, errorTable, isUnanswered } from "../../src/domain/errors";

it("only answers of the service are #N/A, and none of them means that nobody answered", () => {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const answers = codes.filter((code) => cellErrorOf(code) === "#N/A");
  expect(answers).toEqual([
    "not-mapped",
    "no-data",
    "no-history",
    "invalid-gtin",
    "item-error",
    "no-record",
    "no-events",
  ]);
  expect(answers.filter(isUnanswered)).toEqual([]);
});
