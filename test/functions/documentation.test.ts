/** The tables in the documentation match the functions' comments. */
import fs from "node:fs";
import path from "node:path";
import { functionReference, functionTable } from "../../src/build/help/markdown.cjs";
import { readCatalogue } from "../../src/build/help/read-catalogue.cjs";
import { catalogueFiles, namespace } from "../../src/build/functions-metadata.cjs";

const root = path.resolve(__dirname, "../..");
const help = readCatalogue(
  catalogueFiles.map((file) => fs.readFileSync(file, "utf8")),
  namespace,
);
const section = /(<!-- functions -->\n)([\s\S]*?)(<!-- \/functions -->)/;
const reference = path.join(root, "docs/functions.md");
const readme = path.join(root, "README.md");

/** Removes the spaces and dashes with which the formatter aligns tables. */
function unaligned(text: string): string {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---").trim();
}

if (process.env["UPDATE_DOCS"] !== undefined) {
  fs.writeFileSync(reference, functionReference(help));
  const table = (_all: string, start: string, _old: string, end: string): string =>
    `${start}\n${functionTable(help)}\n\n${end}`;
  fs.writeFileSync(readme, fs.readFileSync(readme, "utf8").replace(section, table));
}

describe("the documentation says what the functions' comments say", () => {
  it("in docs/functions.md", () => {
    expect(unaligned(fs.readFileSync(reference, "utf8"))).toBe(unaligned(functionReference(help)));
  });

  it("in the README's table", () => {
    const found = section.exec(fs.readFileSync(readme, "utf8"))?.[2];
    expect(unaligned(found ?? "no section between the markers")).toBe(unaligned(functionTable(help)));
  });
});
