/** docs/functions.md says what the functions' comments say. `UPDATE_DOCS=1` writes it. */
import fs from "node:fs";
import path from "node:path";
import { functionReference } from "../../src/build/help/markdown.cjs";
import { readCatalogue } from "../../src/build/help/read-catalogue.cjs";
import { catalogueFiles, namespace } from "../../src/build/functions-metadata.cjs";

const help = readCatalogue(
  catalogueFiles.map((file) => fs.readFileSync(file, "utf8")),
  namespace,
);
const reference = path.resolve(__dirname, "../../docs/functions.md");

/** Removes the spaces and dashes with which the formatter aligns tables. */
function unaligned(text: string): string {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---").trim();
}

if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(reference, functionReference(help));

it("docs/functions.md says what the functions' comments say", () => {
  expect(unaligned(fs.readFileSync(reference, "utf8"))).toBe(unaligned(functionReference(help)));
});
