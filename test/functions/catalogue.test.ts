/** The built functions.json and help, and a check that finds what Excel would refuse. */
import fs from "node:fs";
import path from "node:path";
import { metadataProblems } from "../../src/build/help/check-metadata.cjs";
import { type FunctionHelp, readCatalogue } from "../../src/build/help/read-catalogue.cjs";
import { catalogueFiles, helpProblems, namespace } from "../../src/build/functions-metadata.cjs";
import { parseAreaChoice, parseItemType, parseLocationArea, parseState } from "../../src/domain/choices";
import { eventTypes, parseEventType } from "../../src/domain/event-types";
import { buildCatalogue, type BuiltCatalogue } from "./build";

interface Parameter {
  name: string;
  optional?: boolean;
  description: string;
  type: string;
  dimensionality?: string;
  customEnumId?: string;
}
interface ArgumentList {
  id: string;
  type: string;
  values: { name: string; stringValue: string; tooltip?: string }[];
}
interface Entry {
  id: string;
  name: string;
  helpUrl: string;
  description: string;
  parameters: Parameter[];
}
interface Metadata {
  allowErrorForDataTypeAny: boolean;
  allowCustomDataForDataTypeAny: boolean;
  enums: ArgumentList[];
  functions: Entry[];
}
const root = path.resolve(__dirname, "../..");
let built: BuiltCatalogue;
let metadata: Metadata;

beforeAll(async () => {
  built = await buildCatalogue();
  metadata = JSON.parse(built.files.get("functions.json") ?? "{}") as Metadata;
});

function changed(change: (copy: Metadata, first: Entry) => void): string[] {
  const copy = structuredClone(metadata);
  change(copy, copy.functions[0]!);
  return metadataProblems(copy);
}

describe("the built catalogue", () => {
  it("builds without an error", () => {
    expect(built.errors).toEqual([]);
  });

  it("takes in every file of the catalogue's folder", () => {
    const folder = path.join(root, "src/functions/catalogue");
    const listed = catalogueFiles.map((file) => path.relative(folder, file));
    expect([...listed].sort()).toEqual(fs.readdirSync(folder).sort());
  });

  it("associates exactly the functions that functions.json lists", () => {
    expect([...built.associated.keys()].sort()).toEqual(metadata.functions.map(({ id }) => id).sort());
    for (const implementation of built.associated.values()) expect(typeof implementation).toBe("function");
  });

  it("passes what Excel demands of functions.json", () => {
    expect(metadataProblems(metadata)).toEqual([]);
    expect(metadata.allowErrorForDataTypeAny).toBe(true);
    expect(metadata.allowCustomDataForDataTypeAny).toBe(true);
  });

  it("gives each function an absolute help address whose page was written", () => {
    for (const { id, helpUrl } of metadata.functions) {
      expect(helpUrl).toBe(`https://localhost:3000/help/${id.toLowerCase()}.html`);
      expect(built.files.has(`help/${id.toLowerCase()}.html`)).toBe(true);
    }
  });

  it("fits Excel's function wizard: descriptions of at most 255 characters", () => {
    for (const { description, parameters } of metadata.functions) {
      for (const text of [description, ...parameters.map((parameter) => parameter.description)]) {
        expect(text.length).toBeLessThanOrEqual(255);
        expect(text).toMatch(/^[A-Z"].*\.$/s);
      }
    }
  });
});

describe("the argument lists", () => {
  function listOf(id: string, name: string): readonly string[] {
    const parameter = metadata.functions.find((entry) => entry.id === id)?.parameters;
    const enumId = parameter?.find((each) => each.name === name)?.customEnumId;
    const values = metadata.enums.find((list) => list.id === enumId)?.values ?? [];
    return values.map(({ stringValue }) => stringValue);
  }

  const areas = ["STORE", "BACKROOM"];
  const types = ["gtin", "wm_item_number"];
  const codes = eventTypes.map(({ code }) => code);

  it.each<[string, Record<string, readonly string[]>]>([
    ["QTY", { location_area: [...areas, "ALL"], state: ["AVAILABLE", "NET_AVAILABLE"], item_type: types }],
    ["STOCK", { item_type: types }],
    ["CID", { item_type: types }],
    ["UPDATED", { item_type: types }],
    ["ASOF", { item_type: types }],
    ["STATUS", { item_type: types }],
    ["EVENTS", { event_type: codes, location_area: areas }],
    ["EVENTQTY", { event_type: codes, location_area: areas }],
    ["LASTEVENT", { event_type: codes, location_area: areas }],
    ["EVENTTYPES", {}],
    ["ENV", {}],
  ])("of %s are the words that it takes", (id, lists) => {
    const { parameters } = metadata.functions.find((entry) => entry.id === id)!;
    const listed = parameters.filter(({ customEnumId }) => customEnumId !== undefined);
    expect(Object.fromEntries(listed.map(({ name }) => [name, listOf(id, name)]))).toEqual(lists);
    const parsers: Record<string, (word: string) => unknown> = {
      location_area: id === "QTY" ? parseAreaChoice : parseLocationArea,
      state: parseState,
      item_type: parseItemType,
      event_type: parseEventType,
    };
    for (const [name, words] of Object.entries(lists)) {
      for (const word of words) expect(parsers[name]!(word)).toBe(word);
    }
  });

  it("leave the released type and dimensionality of their arguments as they are", () => {
    for (const { parameters } of metadata.functions) {
      for (const { type, customEnumId } of parameters) if (customEnumId) expect(type).toBe("any");
    }
  });

  it("are left out by a build switch, and nothing else is", async () => {
    const built = await buildCatalogue({ argumentLists: false });
    expect(built.errors).toEqual([]);
    const { enums, ...rest } = metadata as unknown as Record<string, unknown>;
    expect(enums).not.toEqual([]);
    const without: unknown = JSON.parse(
      JSON.stringify(rest, (key, value: unknown) => (key === "customEnumId" ? undefined : value)),
    );
    expect(JSON.parse(built.files.get("functions.json") ?? "")).toEqual(without);
  });

  it("have a tooltip for each word, as Microsoft's generator writes them", () => {
    for (const { values } of metadata.enums) {
      for (const value of values) {
        expect(value).toEqual(expect.objectContaining({ tooltip: expect.any(String) as string }));
      }
    }
  });

  it("explain each event code", () => {
    const list = metadata.enums.find(({ values }) => values[0]?.name === "SALES");
    expect(list?.values[0]).toEqual({
      name: "SALES",
      stringValue: "SALES",
      tooltip: "Store-level sales transactions",
    });
  });
});

describe("the check of functions.json finds", () => {
  it.each<[string, (copy: Metadata, first: Entry) => void, RegExp]>([
    ["an id that is too short", (_copy, first) => (first.id = "QT"), /0\.id: must be 3 to 64/],
    ["a name like a cell's address", (_copy, first) => (first.name = "QTY1"), /0\.name: looks like/],
    ["an id used twice", (copy, first) => (copy.functions[1]!.id = first.id.toLowerCase()), /share the id/],
    ["a name used twice", (copy, first) => (copy.functions[1]!.name = first.name), /share the name/],
    ["a missing description", (_copy, first) => (first.description = ""), /0\.description/],
    [
      "a relative help address",
      (_copy, first) => (first.helpUrl = "/help/qty"),
      /helpUrl: must be an absolute/,
    ],
    [
      "a parameter without description",
      (_c, first) => (first.parameters[0]!.description = ""),
      /0\.description/,
    ],
    ["a parameter of an unknown type", (_c, first) => (first.parameters[0]!.type = "date"), /0\.type/],
    [
      "an unknown dimensionality",
      (_c, first) => (first.parameters[0]!.dimensionality = "cube"),
      /dimensionality/,
    ],
    ["two parameters of one name", (_c, first) => (first.parameters[1]!.name = "store"), /share a name/],
    [
      "a required parameter after an optional one",
      (_c, first) => (first.parameters[0]!.optional = true),
      /required/,
    ],
    [
      "errors that would not reach the functions",
      (copy) => (copy.allowErrorForDataTypeAny = false),
      /allowError/,
    ],
    ["a member that Excel doesn't know", (copy) => Object.assign(copy, { version: 1 }), /"version"/],
    [
      "a missing argument list",
      (_c, first) => (first.parameters[2]!.customEnumId = "PLANETS"),
      /PLANETS is missing/,
    ],
    ["two argument lists of one id", (copy) => copy.enums.push(copy.enums[0]!), /two enums share an id/],
    ["an empty argument list", (copy) => (copy.enums[0]!.values = []), /enums\.0\.values/],
    [
      "a tooltip that is too long",
      (copy) => (copy.enums[0]!.values[0]!.tooltip = "x".repeat(257)),
      /tooltip/,
    ],
    ["no function at all", (copy) => (copy.functions = []), /functions:/],
  ])("%s", (_name, change, problem) => {
    expect(changed(change).join("\n")).toMatch(problem);
  });
});

it("every function is as it was released: id, name, and each argument in its place", () => {
  const released: unknown = JSON.parse(
    fs.readFileSync(path.join(root, "test/released-functions.json"), "utf8"),
  );
  const today = metadata.functions.map(({ id, name, parameters }) => ({
    id,
    name,
    parameters: parameters.map(({ name: own, optional, dimensionality }) => ({
      name: own,
      optional: optional === true,
      range: dimensionality === "matrix",
    })),
  }));
  expect(today).toEqual(released);
});

describe("the help", () => {
  function help(): FunctionHelp[] {
    return readCatalogue(
      catalogueFiles.map((file) => fs.readFileSync(file, "utf8")),
      namespace,
    );
  }

  it("has a page for each function and topic, and the keys of the file that Excel reads", () => {
    const pages = [...built.files.keys()].filter((name) => /^help\/\w+\.html$/.test(name));
    for (const { id } of metadata.functions) expect(pages).toContain(`help/${id.toLowerCase()}.html`);
    expect(pages.length - metadata.functions.length).toBeGreaterThanOrEqual(10);
    const { shortcuts } = JSON.parse(fs.readFileSync("assets/shortcuts.json", "utf8")) as {
      shortcuts: { key: { default: string } }[];
    };
    for (const { key } of shortcuts) expect(built.files.get("help/keys.html")).toContain(key.default);
  });

  it("describes every function with result, errors, three examples and a live formula over demo data", () => {
    expect(helpProblems(help(), metadata)).toEqual([]);
    for (const { name, live, examples } of help()) {
      expect(live.startsWith(`=${name}(`)).toBe(true);
      expect(examples.every(({ formula }) => formula.startsWith("="))).toBe(true);
    }
  });

  it("is missed when a function has none, or tells of other arguments", () => {
    expect(helpProblems(help().slice(1), metadata)).toEqual(["QTY: the help is missing."]);
    const [first, ...rest] = help();
    expect(helpProblems([{ ...first!, arguments: [] }, ...rest], metadata)).toEqual([
      "QTY: the help has other arguments than functions.json.",
    ]);
  });

  it("never advises IFERROR, which would turn outages into zeros", () => {
    const formulas = help().flatMap(({ examples }) => examples.map(({ formula }) => formula));
    expect(formulas.join()).not.toMatch(/IFERROR/);
    expect(formulas.join()).toMatch(/IFNA/);
  });

  it("has pages without script, inline style or address of another host", () => {
    const pages = [...built.files].filter(([name]) => name.endsWith(".html"));
    expect(pages.length).toBeGreaterThan(metadata.functions.length);
    for (const [, html] of pages) {
      expect(html).not.toMatch(/<script|style=|<style|\son\w+=|https?:/);
      expect(html).toMatch(/<html lang="en">/);
    }
  });

  it("has a title on each page, leads from each to every other, and has no dead link", () => {
    const pages = [...built.files].filter(([name]) => name.endsWith(".html"));
    for (const [name, html] of pages) {
      expect(html).toMatch(/<h1>[^<]+<\/h1>/);
      const id = metadata.functions.find((one) => name === `help/${one.id.toLowerCase()}.html`)?.id;
      if (id !== undefined) expect(html).toContain(`<h1>INV.${id}</h1>`);
      for (const [other] of pages) expect(html).toContain(`href="${other.slice("help/".length)}"`);
      for (const [, target = ""] of html.matchAll(/href="([^"]+)"/g)) {
        if (target.startsWith("#")) expect(html).toContain(`id="${target.slice(1)}"`);
        else if (target.startsWith("../?show=")) {
          expect(metadata.functions.map(({ id }) => id)).toContain(target.slice("../?show=".length));
        } else expect(built.files.has(`help/${target}`)).toBe(true);
      }
    }
  });
});
