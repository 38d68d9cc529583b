/** The promise behind IFNA: #N/A is always an answer of the service, never an outage. */
import { type ErrorCode, errorTable } from "../../src/domain/errors";

it("only answers of the service are #N/A, and none of them means that nobody answered", () => {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const answers = codes.filter((code) => errorTable[code].cell === "#N/A");
  expect(answers).toEqual([
    "not-mapped",
    "no-data",
    "no-history",
    "invalid-gtin",
    "item-error",
    "no-record",
    "no-events",
  ]);
  expect(answers.filter((code) => errorTable[code].isUnanswered)).toEqual([]);
});
