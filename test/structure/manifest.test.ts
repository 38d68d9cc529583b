/**
 * The manifest as Excel will read it: valid by Microsoft's schema, and right in what the schema does not
 * see: resources, addresses, one shared runtime, limits, and icons of the sizes they claim.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";
import { manifestFor } from "../../src/build/manifest.cjs";

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

function textOf(element: string): string {
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

  it("would refuse an element in the wrong place", async () => {
    const wrong = manifest
      .replace(/<Permissions>.*<\/Permissions>/, "")
      .replace("<Hosts>", "<Permissions/><Hosts>");
    expect((await validate(wrong)).valid).toBe(false);
  });
});

describe("resources", () => {
  it("that are asked for are all there, once, and none is unused", () => {
    const asked = [...new Set([...elements.matchAll(/resid="([^"]+)"/g)].map(([, id]) => id!))];
    expect(asked.sort()).toEqual([...resources.keys()].sort());
    expect(attributes("(?:Image|Url|String)", "id")).toHaveLength(resources.size);
  });

  it("keep to Excel's lengths", () => {
    for (const id of resources.keys()) expect(id.length).toBeLessThanOrEqual(32);
    const strings = (kind: string) =>
      [
        ...new RegExp(`<bt:${kind}>(.*?)</bt:${kind}>`, "s")
          .exec(elements)![1]!
          .matchAll(/DefaultValue="([^"]*)"/g),
      ].map(([, value]) => value!);
    for (const text of strings("ShortStrings")) expect(text.length).toBeLessThanOrEqual(125);
    for (const text of strings("LongStrings")) expect(text.length).toBeLessThanOrEqual(250);
    for (const url of addresses) expect(url.length).toBeLessThanOrEqual(2048);
    expect(attributes("DisplayName", "DefaultValue")[0]!.length).toBeLessThanOrEqual(125);
    expect(attributes("Description", "DefaultValue")[0]!.length).toBeLessThanOrEqual(250);
  });
});

describe("identity", () => {
  it("has a valid id, and the package's version, which begins with 1 or more", () => {
    expect(textOf("Id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(textOf("Version")).toBe(`${version}.0`);
    // The marketplace refuses a first part of 0.
    expect(textOf("Version")).toMatch(/^[1-9]\d{0,4}(\.\d{1,5}){3}$/);
  });

  it("of a build follows the package's version; the released add-in has its frozen id and no word of development", () => {
    const built = (publicUrl: string) => manifestFor(manifest, { publicUrl, version: "12.3.4" });
    const of = (element: string, text: string) => new RegExp(`<${element}>([^<]*)<`).exec(text)?.[1];
    const released = built("https://inv.example.com");
    expect(of("Id", released)).toBe("13c78417-834e-4ebd-a303-482841c6f921");
    expect(of("Version", released)).toBe("12.3.4.0");
    expect(released.replace(/<!--.*?-->/gs, "")).not.toMatch(/development/i);
    const own = built(developmentUrl);
    expect(of("Id", own)).not.toBe(of("Id", released));
    expect(of("Version", own)).toBe("12.3.4.0");
    // Both may be in one list, and both have a group on the Home tab.
    expect(own.match(/="INV[^"]* \(development\)"/g)).toHaveLength(2);
    expect(own.match(/taskpane\.html\?check=excel"/g)).toHaveLength(2);
    expect(released).not.toContain("check=excel");
    expect(released.match(/taskpane\.html"/g)).toHaveLength(2);
  });

  it("names functions INV", () => {
    expect(resources.get(attributes("Namespace", "resid")[0]!)).toBe("INV");
  });
});

describe("one shared runtime", () => {
  const runtime = attributes("Runtime", "resid")[0]!;

  it("runs functions, commands and pane in the same long-lived page", () => {
    const inside = (element: string) =>
      new RegExp(`<${element}\\b[^>]*>\\s*<SourceLocation resid="([^"]+)"`).exec(elements)?.[1];
    expect(inside("Page")).toBe(runtime);
    expect(inside("Action")).toBe(runtime);
    expect(attributes("FunctionFile", "resid")).toEqual([runtime]);
    expect(attributes("Runtime", "lifetime")).toEqual(["long"]);
    expect(attributes("DefaultSettings>\\s*<SourceLocation", "DefaultValue")).toEqual([
      resources.get(runtime),
    ]);
  });

  it("comes first in its host, with one pane, and is required", () => {
    expect(elements).toMatch(/<Host xsi:type="Workbook">\s*<Runtimes>/);
    expect(elements).not.toContain("TaskpaneId");
    expect(attributes("Set", "Name")).toEqual(["SharedRuntime", "CustomFunctionsRuntime", "ExcelApi"]);
  });
});

describe("addresses", () => {
  it("are https, at one place, and name what the build writes", () => {
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
      "/taskpane.html?check=excel",
    ]);
    expect(addresses.every((url) => url.startsWith(developmentUrl))).toBe(true);
    expect(manifest).not.toContain("http://localhost");
  });

  it("of a production build hold no trace of this machine", async () => {
    const built = manifestFor(manifest, { publicUrl: "https://inv.example.com", version: "1.2.3" });
    expect(built).not.toMatch(/localhost|127\.0\.0\.1/);
    expect((await validate(built)).valid).toBe(true);
    expect(readFileSync(join(root, "webpack.config.js"), "utf8")).toContain("manifestFor(content.toString()");
  });
});

describe("icons", () => {
  it.each([16, 32, 64, 80, 128])("are drawn at %i pixels", (size) => {
    const png = readFileSync(join(root, "assets", `icon-${size}.png`));
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect(png.subarray(12, 16).toString("latin1")).toBe("IHDR");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  });

  it("are named by their size, and the two in the list of add-ins are 32 and 64", () => {
    for (const [, size, id] of elements.matchAll(/<bt:Image size="(\d+)" resid="([^"]+)"/g)) {
      expect(resources.get(id!)).toBe(`${developmentUrl}/assets/icon-${size}.png`);
    }
    expect(attributes("IconUrl", "DefaultValue")).toEqual([`${developmentUrl}/assets/icon-32.png`]);
    expect(attributes("HighResolutionIconUrl", "DefaultValue")).toEqual([
      `${developmentUrl}/assets/icon-64.png`,
    ]);
  });

  it("come with the drawings they were made from", () => {
    expect(existsSync(join(root, "assets", "icon.svg"))).toBe(true);
    expect(existsSync(join(root, "assets", "favicon.svg"))).toBe(true);
  });
});
