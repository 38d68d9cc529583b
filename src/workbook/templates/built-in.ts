/** INV's own templates, read like everybody's. Loaded when the gallery or a sheet is wanted. */
import { readTemplate } from "../../domain/templates/read-template";
import type { Template } from "../../domain/templates/template";
import cases from "./built-in/cases.inv.json";
import emptyShelf from "./built-in/empty-shelf.inv.json";
import functions from "./built-in/functions.inv.json";
import grid from "./built-in/grid.inv.json";
import history from "./built-in/history.inv.json";
import planning from "./built-in/planning.inv.json";
import receiving from "./built-in/receiving.inv.json";

/** In the order of the gallery. @throws Error naming the fault of a file, which a test rules out */
export function builtInTemplates(): readonly Template[] {
  return [planning, grid, history, receiving, emptyShelf, functions, cases].map(ownTemplate);
}

/** @throws Error for an id that none has */
export function builtInTemplate(id: string): Template {
  const template = builtInTemplates().find((each) => each.id === id);
  if (template === undefined) throw new Error(`INV has no template "${id}".`);
  return template;
}

/** @throws Error naming the fault of a file of INV's own */
export function ownTemplate(json: unknown): Template {
  const { template, faults } = readTemplate(json);
  if (template === null) throw new Error(faults.join(" "));
  return template;
}
