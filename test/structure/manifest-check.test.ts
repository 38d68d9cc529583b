/** The check of what the schema misses: it accepts this manifest for both addresses, and names each planted fault. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandIds } from "../../src/addin/command-queue";
import { checkManifest } from "../../src/build/manifest-check.cjs";

const root = join(__dirname, "..", "..");
const manifest = readFileSync(join(root, "manifest.xml"), "utf8");
const published = manifest.replaceAll("https://localhost:3000", "https://inv.example.com");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path)) : null);
const bundle = commandIds.map((id) => `"${id}"`).join(" ");
const check = (text: string, change: Partial<Parameters<typeof checkManifest>[1]> = {}) =>
  checkManifest(text, { production: false, read, bundle, ...change });

it("passes the manifest for development and for a published address", () => {
  expect(check(manifest)).toEqual([]);
  expect(check(published, { production: true })).toEqual([]);
});

it.each<[string, string, RegExp]>([
  [
    "an http address",
    manifest.replace("https://localhost:3000/addin.js", "http://localhost:3000/addin.js"),
    /isn't https/,
  ],
  [
    "a missing resource",
    manifest.replace('<bt:String id="Help.Label"', '<bt:String id="Other.Label"'),
    /"Help.Label" is missing/,
  ],
  [
    "a resource nobody uses",
    manifest.replace(
      '<bt:String id="Help.Label"',
      '<bt:String id="Old" DefaultValue="x"/><bt:String id="Help.Label"',
    ),
    /"Old" isn't used/,
  ],
  [
    "pages of two runtimes",
    manifest.replace('<FunctionFile resid="Taskpane.Url"', '<FunctionFile resid="Help.Url"'),
    /isn't that of the commands' page/,
  ],
  ["an icon of another size", manifest.replace("icon-16.png", "icon-32.png"), /is 32 pixels wide, not 16/],
  ["an icon that isn't served", manifest.replace("icon-16.png", "icon-17.png"), /icon-17.png isn't served/],
  [
    "a text that is too long",
    manifest.replace('DefaultValue="INV help"', `DefaultValue="${"x".repeat(126)}"`),
    /"Help.Label" is longer/,
  ],
  [
    "a command without an action",
    manifest.replace("<FunctionName>showHelp", "<FunctionName>showHlep"),
    /"showHlep" has no action/,
  ],
  ["an id used twice", manifest.replace('id="Inv.Thaw"', 'id="Inv.Freeze"'), /"Inv.Freeze" is used twice/],
])("names %s", (_, text, expected) => {
  expect(check(text).join("\n")).toMatch(expected);
});

it("reports this machine in a production manifest, and keys without an action", () => {
  expect(check(manifest, { production: true })[0]).toMatch(/must not name this machine/);
  expect(check(manifest, { bundle: "" }).join("\n")).toMatch(
    /The key's action "refreshSelection" has no action/,
  );
  const other = (path: string) =>
    path.endsWith("shortcuts.json")
      ? Buffer.from(read(path)!.toString().replace("Shift+R", "Shift+S"))
      : read(path);
  expect(check(manifest, { read: other }).join("\n")).toMatch(/"Ctrl\+Alt\+Shift\+S" is used twice/);
});

it("every command of the add-in is in the manifest, and every key runs one", () => {
  const named = new Set([...manifest.matchAll(/<FunctionName>([^<]+)</g)].map(([, name]) => name));
  expect([...named].sort()).toEqual([...commandIds].sort());
});
