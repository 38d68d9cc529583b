/** What a file has and the grid does not show, as a list for the person. */

/** Nothing where all of it is shown. */
export function leftLines(left: readonly string[]): HTMLElement[] {
  if (left.length === 0) return [];
  const title = document.createElement("p");
  title.textContent = "Not shown here, and not in a download from here:";
  const list = document.createElement("ul");
  for (const line of left) {
    const item = document.createElement("li");
    item.textContent = line;
    list.append(item);
  }
  return [title, list];
}
