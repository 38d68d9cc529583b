/**
 * The browser workbook's sheet for trying formulas. It is in no gallery, because it is useful only beside that workbook's other
 * sheets.
 */
import type { Template } from "../../domain/templates/template";
import { ownTemplate } from "./built-in";
import tryHere from "./built-in/try.inv.json";

export function trySheet(): Template {
  return ownTemplate(tryHere);
}
