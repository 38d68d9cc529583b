/** The manifest is valid by Microsoft's schema, and follows the rules that the schema doesn't contain. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";
import { commandIds } from "../../src/addin/command-queue";
import { requirementSets } from "../../src/addin/host";
import { forAddress } from "../../src/server/address";

const root = join(__dirname, "..", "..");
const developmentUrl = "https://localhost:3000";
const manifest = readFileSync(join(root, "manifest.xml"), "utf8").replace(/^\uFEFF/, "");
/** Without comments, in which nothing is an element. */
const elements = manifest.replace(/<!--.*?-->/gs, "");

const xsd = (fileName: string) => ({
  fileName,
  contents: readFileSync(join(__dirname, "xsd", fileName), "utf8"),
});

function validate(contents: string) {
  return validateXML({
    xml: [{ fileName: "manifest.xml", contents }],
    schema: [xsd("OfficeAppManifestV1_1.xsd")],
    preload: [xsd("OfficeAppBasicTypesV1_0.xsd"), xsd("TaskPaneAppVersionOverridesV1_0.xsd")],
  });
}

/** Every value of an attribute, by element. */
function attributes(element: string, attribute: string): string[] {
  const pattern = new RegExp(`<(?:\\w+:)?${element}\\b[^>]*?\\b${attribute}="([^"]*)"`, "g");
  return [...elements.matchAll(pattern)].map(([, value]) => value!);
}

function elementText(element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(elements)?.[1] ?? "";
}

/** Resources by id. */
const resources = new Map(
  [...elements.matchAll(/<bt:(?:Image|Url|String) id="([^"]+)" DefaultValue="([^"]+)"/g)].map(
    ([, id, value]) => [id!, value!],
  ),
);
/** Addresses in attributes and elements; namespaces are names. */
const addresses = [...elements.matchAll(/(?:DefaultValue=")(https?:[^"]+)"|<AppDomain>([^<]+)</g)].map(
  ([, attribute, domain]) => attribute ?? domain!,
);

describe("the schema", () => {
  it("accepts the manifest", async () => {
    const { valid, errors } = await validate(manifest);
    expect(errors.map(({ message }) => message)).toEqual([]);
    expect(valid).toBe(true);
  });

  it("refuses an element in the wrong place", async () => {
    const wrong = manifest
      .replace(/<Permissions>.*<\/Permissions>/, "")
      .replace("<Hosts>", "<Permissions/><Hosts>");
    expect((await validate(wrong)).valid).toBe(false);
  });
});

describe("identity", () => {
  it("has a valid id", () => {
    expect(elementText("Id")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it("has a version that Excel accepts as newer than earlier ones, and that isn't below the package's", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    // The marketplace refuses a first part of 0.
    expect(elementText("Version")).toMatch(/^[1-9]\d{0,4}(\.\d{1,5}){3}$/);
    for (const least of ["1.0.0.0", `${version}.0`]) {
      expect(elementText("Version").localeCompare(least, "en", { numeric: true })).toBeGreaterThanOrEqual(0);
    }
  });

  it("has the frozen id in the released add-in, and doesn't mention development", () => {
    const of = (element: string, text: string) => new RegExp(`<${element}>([^<]*)<`).exec(text)?.[1];
    const released = forAddress(manifest, "inv.example.com");
    expect(of("Id", released)).toBe("13c78417-834e-4ebd-a303-482841c6f921");
    expect(released.replace(/<!--.*?-->/gs, "")).not.toMatch(/development/i);
    const own = forAddress(manifest, "localhost:3000");
    expect(of("Id", own)).not.toBe(of("Id", released));
    expect(of("Version", own)).toBe(of("Version", released));
    // Both may be in one list, and both have a group on the Home tab.
    expect(own.match(/="INV[^"]* \(development\)"/g)).toHaveLength(2);
    expect(released.match(/taskpane\.html"/g)).toHaveLength(2);
  });

  it("names functions INV", () => {
    expect(resources.get(attributes("Namespace", "resid")[0]!)).toBe("INV");
  });
});

describe("one shared runtime", () => {
  it("has a long lifetime, in the page that Excel opens first", () => {
    expect(attributes("Runtime", "lifetime")).toEqual(["long"]);
    expect(attributes("DefaultSettings>\\s*<SourceLocation", "DefaultValue")).toEqual([
      resources.get(attributes("Runtime", "resid")[0]!),
    ]);
  });

  it("comes first in its host, with one pane, and is required", () => {
    expect(elements).toMatch(/<Host xsi:type="Workbook">\s*<Runtimes>/);
    expect(elements).not.toContain("TaskpaneId");
  });

  it("demands the requirement sets whose lack the pane warns of", () => {
    const names = attributes("Set", "Name");
    const versions = attributes("Set", "MinVersion");
    expect(names.map((name, place) => [name, versions[place]])).toEqual(
      requirementSets.map(([name, version]) => [name, version]),
    );
  });
});

describe("addresses", () => {
  it("are https, at one origin, and name files that the build writes", () => {
    const paths = new Set(addresses.map((url) => url.replace(developmentUrl, "")));
    expect([...paths].sort()).toEqual([
      "",
      "/addin.js",
      "/assets/icon-16.png",
      "/assets/icon-32.png",
      "/assets/icon-64.png",
      "/assets/icon-80.png",
      "/functions.json",
      "/help/index.html",
      "/taskpane.html",
    ]);
    expect(addresses.every((url) => url.startsWith(developmentUrl))).toBe(true);
    expect(manifest).not.toContain("http://localhost");
  });

  it("are those of the server for people who reach it under another name", async () => {
    const served = forAddress(manifest, "inv.example.com:8443");
    expect(served).not.toMatch(/localhost|127\.0\.0\.1/);
    expect(served).toContain("https://inv.example.com:8443/taskpane.html");
    expect((await validate(served)).valid).toBe(true);
  });
});

describe("resources", () => {
  const used = attributes("\\w+", "resid");

  it("all exist, are all used, and have an id of at most 32 characters", () => {
    expect([...new Set(used)].sort()).toEqual([...resources.keys()].sort());
    for (const id of resources.keys()) expect(id.length).toBeLessThanOrEqual(32);
  });

  it.each([
    ["ShortStrings", 125],
    ["LongStrings", 250],
  ])("%s have at most %i characters", (kind, most) => {
    const [, strings = ""] = new RegExp(`<bt:${kind}>([^]*?)</bt:${kind}>`).exec(elements) ?? [];
    const texts = [...strings.matchAll(/DefaultValue="([^"]*)"/g)].map(([, text]) => text!.length);
    expect(texts.length).toBeGreaterThan(0);
    expect(Math.max(...texts)).toBeLessThanOrEqual(most);
  });

  it("name one page for functions, commands and pane", () => {
    for (const place of ["<Page>\\s*<SourceLocation", "<FunctionFile", 'ShowTaskpane">\\s*<SourceLocation']) {
      const [, id] = new RegExp(`${place} resid="([^"]+)"`).exec(elements) ?? [];
      expect([place, id]).toEqual([place, attributes("Runtime", "resid")[0]]);
    }
  });

  it("have icons of the size that they are named for", () => {
    const sized = [...elements.matchAll(/<bt:Image size="(\d+)" resid="([^"]+)"/g)];
    const icons = sized.map(([, size, id]) => [Number(size), resources.get(id!)!] as const);
    icons.push([32, attributes("IconUrl", "DefaultValue")[0]!]);
    icons.push([64, attributes("HighResolutionIconUrl", "DefaultValue")[0]!]);
    for (const [size, url] of icons) {
      const file = readFileSync(join(root, url.replace(developmentUrl, "")));
      expect([url, file.readUInt32BE(16)]).toEqual([url, size]);
    }
  });
});

describe("commands and keys", () => {
  const json = (file: string): unknown => JSON.parse(readFileSync(join(root, "assets", file), "utf8"));
  const { actions, shortcuts } = json("shortcuts.json") as {
    actions: { id: string; name: string }[];
    shortcuts: { action: string; key: { default: string } }[];
  };

  it("are exactly those of the add-in, with unique ids", () => {
    const named = new Set([...elements.matchAll(/<FunctionName>([^<]+)</g)].map(([, name]) => name));
    expect([...named].sort()).toEqual([...commandIds].sort());
    const ids = [...elements.matchAll(/<(?:Control|Item|Group)\b[^>]*\bid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("have names, and keys as Excel spells them, each used once", () => {
    const names = json("shortcuts-resources.json") as { resources: { default: Record<string, string> } };
    for (const { id, name } of actions) {
      expect(commandIds).toContain(id);
      expect(names.resources.default[/^\$\{resource\.(\w+)\}$/.exec(name)?.[1] ?? ""]).toBeTruthy();
    }
    for (const { action } of shortcuts) expect(actions.map(({ id }) => id)).toContain(action);
    const keys = shortcuts.map(({ key }) => key.default);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^(?:(?:Ctrl|Alt|Shift)\+)+[A-Z0-9]$/);
  });
});

it.each(["icon.svg", "favicon.svg"])("the source drawing of the icons exists: %s", (drawing) => {
  expect(existsSync(join(root, "assets", drawing))).toBe(true);
});
