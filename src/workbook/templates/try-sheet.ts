/** The browser workbook's sheet to try formulas in; in no gallery, because it is of use beside the others only. */
import type { Template } from "../../domain/templates/template";
import { ownTemplate } from "./built-in";
import tryHere from "./built-in/try.inv.json";

export function trySheet(): Template {
  return ownTemplate(tryHere);
}
