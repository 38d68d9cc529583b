/** Calls of INV in the spelling of files that Excel or another program wrote before it knew INV. */
import { fromStoredFunctions } from "../../src/formula/stored-functions";

test.each([
  ["=_xldudf_INV_QTY(A2,B2)", "=INV.QTY(A2,B2)"],
  ["=IFNA([2]!_xldudf_INV_QTY(A2,B2),_xldudf_INV_ASOF(A2,B2))", "=IFNA(INV.QTY(A2,B2),INV.ASOF(A2,B2))"],
  ['=IF(A2="_xldudf_INV_QTY",INV.QTY(A2,B2),0)', '=IF(A2="_xldudf_INV_QTY",INV.QTY(A2,B2),0)'],
  ["='_xldudf_INV_A'!A1+INV.ENV()", "='_xldudf_INV_A'!A1+INV.ENV()"],
])("%s is read as %s", (stored, read) => {
  expect(fromStoredFunctions(stored)).toBe(read);
});
