/** Choices for an argument: lists of the right kind, if the argument accepts several cells. */
import { render } from "preact";
import { ArgumentPicker } from "../../../src/taskpane/build/argument-picker";
import { root } from "../page";

const area = { sheet: "Plan", row: 1, col: 0, rows: 9, cols: 1 };
const list = (text: string, kind: "stores" | "items" | null) => ({ text, kind, area });
const cellLists = [list("Stores_North", "stores"), list("Items_Top", "items"), list("Others", null)];

function offered(name: string, ranges: boolean): string[] {
  const argument = { name, ranges, description: "", optional: false, choices: [], usedWhenLeftOut: null };
  render(
    <ArgumentPicker
      {...{ argument, cellLists, list: null, pick: { kind: "left-out" } }}
      onPick={() => undefined}
      takeCell={() => Promise.resolve("$A$1")}
    />,
    root,
  );
  const options = [...root.querySelectorAll("option")].map((each) => each.textContent);
  render(null, root);
  return options.filter((text) => text.startsWith("List "));
}

test("offers lists for an argument that accepts several cells", () => {
  expect(offered("store", true)).toEqual(["List Stores_North", "List Others"]);
  expect(offered("item", true)).toEqual(["List Items_Top", "List Others"]);
});

test("offers no list for an argument that takes a single value", () => {
  expect(offered("store", false)).toEqual([]);
  expect(offered("gtin", false)).toEqual([]);
});
