/** Content of the drill's workbooks: calls of INV.QTY, arrays that grow and shrink, and cells that refer to both. */
import type { Scalar } from "../../../src/browser-workbook/functions/cell-values";

export type Cell = readonly [row: number, col: number, content: Scalar];

export const main = "Main";
export const other = "Other";
/** A sheet with references in both directions, which is deleted and restored. */
export const guest = "Guest";
export const sheets = [main, other, guest];

/** Requested items. Each gives a value, an error, two rows, or nothing. */
export const items: readonly Scalar[] = ["a", "b", "c", null, "err", "two"];

export const formulas: readonly Cell[] = [
  [1, 1, "=INV.QTY(A$1,A2)"],
  [2, 1, "=INV.QTY(A$1,A3)"],
  [3, 1, "=INV.QTY(A$1,A4)"],
  [0, 2, "=SUM(B2:B4)"],
  [1, 2, '=IF(C1=D1,"same","different")'],
  [2, 2, '=IF(ISERROR(C1),"error",IF(C1="","none",C1))'],
  [0, 3, "=IFERROR(B2,0)+IFERROR(B3,0)+IFERROR(B4,0)"],
  [0, 4, "=MAP(A2:A4,LAMBDA(x,INV.QTY(A$1,x)))"],
  [0, 5, "=SUM(E1:E3)"],
  [1, 5, "=E2*2"],
  [2, 5, '=IF(E3="","none",E3)'],
  [3, 5, "=E1+G2"],
  [4, 5, "=F2+F4"],
  [0, 6, "=INV.QTY(A1,A2:A4)"],
  [4, 6, '=G3&"x"'],
  [5, 6, "=E3+G3"],
  [0, 7, "=LET(s,A1,SUM(MAP(A2:A4,LAMBDA(x,INV.QTY(s,x)))))"],
  [1, 7, "=REDUCE(0,B2:B4,LAMBDA(a,b,a+IFERROR(b,0)))"],
  [2, 7, "=SUM(BYROW(A2:A4,LAMBDA(x,INV.QTY(A$1,x))))"],
  [3, 7, '=IFERROR(SUM(E1:E3),"none")'],
  [4, 7, "=H1-H3"],
  [0, 9, "=SEQUENCE(I1)"],
  [0, 10, '=J3&"!"'],
  [1, 10, "=SUM(J1:J4)"],
  [2, 10, "=J2+J3"],
  [3, 10, "=J2"],
  [4, 10, "=SUM(J2:J4)"],
  [0, 11, '=FILTER(A2:A4,A2:A4<>"")'],
  [0, 12, '=L3&"!"'],
  [1, 12, "=L2&L3"],
  [2, 12, "=COUNTA(L2:L4)"],
  [0, 13, "=INV.QTY(A1,L2)"],
  [1, 13, "=INV.QTY(A1,L3)"],
  [2, 13, "=N1+N2"],
  [0, 14, "=K2"],
  [0, 15, "=OFFSET(I1,0,0)+1"],
  [1, 15, "=INDEX(J1:J4,2)"],
  [2, 15, "=OFFSET(Guest!A1,1,0)+1"],
  [3, 15, "=SUM(OFFSET(Guest!A1,0,0,I1,1))"],
  [4, 15, "=OFFSET(Visitor,0,0)*2"],
  [0, 16, "=Named*2"],
  [1, 16, "=INV.QTY(Named,A2)"],
  [2, 16, "=Guest!A2+1"],
  [3, 16, "=named+SUM(B2:B3)"],
  [4, 16, "=Alias*2"],
  [5, 16, "=Visitor+1"],
];

export const inputs: readonly Cell[] = [
  [0, 0, 1234],
  [1, 0, "a"],
  [2, 0, "b"],
  [3, 0, "c"],
  [0, 8, 3],
];

export const elsewhere: readonly Scalar[] = [
  "=Main!F1",
  "=Main!J3",
  "=SUM(Main!B2:B4)",
  "=A1+1",
  '=IF(Main!C1="","none",Main!C1)',
];

/** Values where an array is or would be: they block its spill or replace it. */
export const obstacles: readonly Cell[] = [0, 1].flatMap((row) =>
  [4, 6, 9, 11].flatMap((col): Cell[] => [
    [row, col, "x"],
    [row, col, 9],
    [row, col, null],
  ]),
);
