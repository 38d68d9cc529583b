/**
 * Microsoft's own half of Excel: the script that Excel for Windows loads into an add-in's page. It contains `Excel.run`,
 * the proxies with their loads and syncs, and the runtime of custom functions. Landmarks in the installed package mark where
 * to cut it out. Only tests use it, and no build contains it.
 * It meets Excel's native side at `_richApiNativeBridge`, where the tests put their own host.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const folder = join(dirname(require.resolve("@microsoft/office-js/package.json")), "dist");

/** The source of `CustomFunctions.associate` and `Office.actions.associate`. */
const associations = {
  file: "office.debug.js",
  from: "(function (OfficeExt) {\n    var Association = ",
  to: "var g_isExpEnabled",
};
/** Starts at the extension library. The code before it belongs to the older, common API. */
const library = {
  file: "excel-win32-16.01.debug.js",
  from: "var __extends = ",
  mark: "\nvar OfficeExtension;",
};

/** Code for a page (or a context of Node) that has `Office`, `OSF` and the bridge. */
export function readMicrosoftRuntime(): string {
  return `${associationSource()}\n${librarySource()}`;
}

function associationSource(): string {
  const text = read(associations.file);
  const from = text.indexOf(associations.from);
  const to = text.indexOf(associations.to, from);
  if (from < 0 || to < 0) throw reshaped(associations.file);
  return `var OfficeExt = OfficeExt || {};\n${text.slice(from, to)}`;
}

function librarySource(): string {
  const text = read(library.file);
  const mark = text.indexOf(library.mark);
  const from = text.lastIndexOf(library.from, mark);
  const source = text.slice(from);
  const needed = ["_richApiNativeBridge", "SetInvocationArrayResults", "Excel.run = run"];
  if (mark < 0 || from < 0 || needed.some((each) => !source.includes(each))) throw reshaped(library.file);
  return source;
}

function read(file: string): string {
  return readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
}

function reshaped(file: string): Error {
  return new Error(
    `${file} of @microsoft/office-js has another shape than this test bed knows: look for its landmarks again (test/excel/microsoft-runtime.ts).`,
  );
}
