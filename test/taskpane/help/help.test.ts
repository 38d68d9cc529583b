/** The search through the help, over the help as it is built. */
import fs from "node:fs";
import path from "node:path";
import { helpEntries } from "../../../src/build/help/entries.cjs";
import { readCatalogue } from "../../../src/build/help/read-catalogue.cjs";
import { helpTopics, type Shortcuts } from "../../../src/build/help/topics.cjs";
import { catalogueFiles, namespace } from "../../../src/build/functions-metadata.cjs";
import { findHelp, readHelp } from "../../../src/taskpane/help/entries";

const read = (file: string) => fs.readFileSync(file, "utf8");
const asset = (name: string): unknown => JSON.parse(read(path.resolve(__dirname, "../../../assets", name)));
const keys = asset("shortcuts.json") as Shortcuts;
const { resources } = asset("shortcuts-resources.json") as {
  resources: { default: Record<string, { value: string }> };
};
const functions = readCatalogue(catalogueFiles.map(read), namespace);
const entries = readHelp(helpEntries(functions, helpTopics(keys, resources.default)));

it.each([
  ["how old", "freshness"],
  ["429", "quota"],
  ["stale", "stale"],
  ["mail", "sharing"],
  ["F1", "keys"],
  ["#NAME?", "errors"],
  ["#busy!", "errors"],
  ["fill down", "guard"],
  ["client secret", "connecting"],
  ["leading zeros", "numbers"],
  ["INV.EVENTQTY", "eventqty"],
  ["latest event time", "lastevent"],
])("finds, for %s, %s first", (query, id) => {
  expect(findHelp(entries, query)[0]?.id).toBe(id);
});

it("finds everything for an empty search, and nothing for unknown words", () => {
  expect(findHelp(entries, " ")).toHaveLength(entries.length);
  expect(findHelp(entries, "quota xyzzy")).toEqual([]);
});

it("lists the keys of the file that Excel reads", () => {
  const text = JSON.stringify(entries.find(({ id }) => id === "keys"));
  for (const { key } of keys.shortcuts) expect(text).toContain(key.default);
});

it.each([null, [], {}, [{ id: "qty" }]])("refuses %j as help", (json) => {
  expect(() => readHelp(json)).toThrow(/INV couldn't read its help/);
});
