/**
 * Who cleans what in dist/app, which the add-in's and the browser workbook's builds share, each also alone: the
 * workbook's build what it writes itself, the add-in's everything else. A file that no build writes any more
 * goes; one that stayed would still be served, and hide that it is missing from the next download.
 */
"use strict";

const ofBrowserWorkbook = /^(browser-workbook\.|workbook\.html$|assets-workbook($|\/))/;
/** Written when both builds have ended (see notices.cjs). */
const ofBoth = /^(third-party-notices\.txt|sbom\.cdx\.json)$/;

/**
 * webpack's `output.clean`.
 * @param {"addin" | "browser-workbook"} build
 */
exports.cleaningOf = function cleaningOf(build) {
  const isOwn = (name) =>
    !ofBoth.test(name) && ofBrowserWorkbook.test(name) === (build === "browser-workbook");
  return { keep: (name) => !isOwn(name.replaceAll("\\", "/")) };
};
