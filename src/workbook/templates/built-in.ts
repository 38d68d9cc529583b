/**
 * INV's own templates. Loaded when the gallery or a sheet is wanted; what is checked of other people's beyond the shape
 * is checked of these in a test.
 */
import { type Template, templateShape } from "../../domain/templates/template";
import cases from "./built-in/cases.inv.json";
import emptyShelf from "./built-in/empty-shelf.inv.json";
import functions from "./built-in/functions.inv.json";
import grid from "./built-in/grid.inv.json";
import history from "./built-in/history.inv.json";
import planning from "./built-in/planning.inv.json";
import receiving from "./built-in/receiving.inv.json";

/** In the order of the gallery. @throws Error naming the fault of a file, which a test rules out */
export function builtInTemplates(): readonly Template[] {
  return [planning, grid, history, receiving, emptyShelf].map(ownTemplate);
}

/** Sheets for the first look and the help, which a planner builds nothing with. */
export function exampleTemplates(): readonly Template[] {
  return [functions, cases].map(ownTemplate);
}

/** @throws Error for an id that none has */
export function builtInTemplate(id: string): Template {
  const template = [...builtInTemplates(), ...exampleTemplates()].find((each) => each.id === id);
  if (template === undefined) throw new Error(`INV has no template "${id}".`);
  return template;
}

/** @throws Error for a file of another shape */
export function ownTemplate(json: unknown): Template {
  return templateShape.parse(json);
}
