/**
 * INV's own templates, loaded when the gallery or a sheet needs them. At run time only their shape is checked; a test applies
 * the other checks that templates from people must pass.
 */
import { type Template, templateShape } from "../../domain/templates/template";
import emptyShelf from "./built-in/empty-shelf.inv.json";
import functions from "./built-in/functions.inv.json";
import grid from "./built-in/grid.inv.json";
import history from "./built-in/history.inv.json";
import planning from "./built-in/planning.inv.json";
import receiving from "./built-in/receiving.inv.json";

/**
 * Returns the templates in the order of the gallery.
 * @throws Error that names the fault of a file; a test rules this out
 */
export function builtInTemplates(): readonly Template[] {
  return [planning, grid, history, receiving, emptyShelf].map(ownTemplate);
}

/** Returns the sheet of all functions, which is in the workbook for newcomers but not in the gallery. */
export function functionsTemplate(): Template {
  return ownTemplate(functions);
}

/** @throws Error if no template of the gallery has this id */
export function builtInTemplate(id: string): Template {
  const template = builtInTemplates().find((each) => each.id === id);
  if (template === undefined) throw new Error(`INV has no template "${id}".`);
  return template;
}

/** @throws Error if the file has another shape */
export function ownTemplate(json: unknown): Template {
  return templateShape.parse(json);
}
