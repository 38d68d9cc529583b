/** Returns a part of the page by its id in index.html. */

export function pageElement<T extends HTMLElement = HTMLElement>(id: string, kind?: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof (kind ?? HTMLElement)) return element as T;
  throw new Error(`The page has no part "${id}" of the expected kind.`);
}
