/**
 * Decides which build removes which files in dist/app. The add-in and the browser workbook share this folder,
 * and each may be built separately. A file that no build writes any more must be removed. Otherwise, the server
 * would still serve it, and nobody would notice that the sources no longer produce it.
 */
"use strict";

const ofBrowserWorkbook = /^(browser-workbook\.|workbook\.html$|assets-workbook($|\/))/;
/** notices.cjs writes these files when both builds have ended. */
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
