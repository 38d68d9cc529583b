/**
 * Reading and building templates, as a chunk of its own: most people build a sheet once in a while, and no
 * cell waits for it.
 */
import type * as Templates from "../workbook/templates/chunk";

export function loadTemplates(): Promise<typeof Templates> {
  return import(/* webpackChunkName: "template-work" */ "../workbook/templates/chunk");
}
