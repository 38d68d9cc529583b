/**
 * Decides which build cleans which files in dist/app. The add-in and the browser workbook share this folder, and each may be built alone.
 * A file that no build writes any more must go: the server would still serve it, and nobody would notice that it is missing.
 */
"use strict";

const ofBrowserWorkbook = /^(browser-workbook\.|workbook\.html$|assets-workbook($|\/))/;
/** Written when both builds have ended, by notices.cjs. */
const ofBoth = /^(third-party-notices\.txt|sbom\.cdx\.json)$/;

/**
 * Returns webpack's `output.clean`.
 * @param {"addin" | "browser-workbook"} build
 */
exports.cleaningOf = function cleaningOf(build) {
  const isOwn = (name) =>
    !ofBoth.test(name) && ofBrowserWorkbook.test(name) === (build === "browser-workbook");
  return { keep: (name) => !isOwn(name.replaceAll("\\", "/")) };
};
