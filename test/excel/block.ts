/** An area without its sheet, counted from 0. */
import type { Area } from "../../src/workbook/port";

export type Block = Omit<Area, "sheet">;
