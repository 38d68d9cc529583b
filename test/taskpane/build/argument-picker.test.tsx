/** Choices for an argument: saved lists of the right kind, if the argument accepts several cells. */
import { render } from "preact";
import { ArgumentPicker } from "../../../src/taskpane/build/argument-picker";
import { root } from "../page";

const heading = { sheet: "Lists", row: 0, col: 0 };
const list = (name: string, kind: "stores" | "items" | null) =>
  ({ name, kind, heading, endRow: 10, values: [], summary: "" }) as never;
const savedLists = [list("Stores_North", "stores"), list("Items_Top", "items"), list("Others", null)];

function offered(name: string, ranges: boolean): string[] {
  const argument = { name, ranges, description: "", optional: false, choices: [], usedWhenLeftOut: null };
  render(
    <ArgumentPicker
      {...{ argument, savedLists, list: null, pick: { kind: "left-out" } }}
      onPick={() => undefined}
      takeCell={() => Promise.resolve("$A$1")}
    />,
    root,
  );
  const options = [...root.querySelectorAll("option")].map((each) => each.textContent);
  render(null, root);
  return options.filter((text) => text.startsWith("List "));
}

test("offers saved lists for an argument that accepts several cells", () => {
  expect(offered("store", true)).toEqual(["List Stores_North", "List Others"]);
  expect(offered("item", true)).toEqual(["List Items_Top", "List Others"]);
});

test("offers no list for an argument that takes a single value", () => {
  expect(offered("store", false)).toEqual([]);
  expect(offered("gtin", false)).toEqual([]);
});
