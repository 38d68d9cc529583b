/** In docs/changelog.md, each version begins with what to do before an upgrade. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const text = readFileSync(join(__dirname, "..", "..", "docs", "changelog.md"), "utf8");
const versions = text
  .split(/^## /m)
  .slice(1)
  .map((section) => section.split("\n"));

it.each(versions.map(([title = "", ...lines]) => ({ title, lines })))("$title", ({ lines }) => {
  expect(lines.find((line) => line !== "")).toBe("### Before you upgrade");
});
