/**
 * Decides which build removes which files in dist/app. The add-in and the browser workbook share this folder,
 * and each may be built separately. A file that no build writes any more must be removed. Otherwise, the server
 * would still serve it, and nobody would notice that the sources no longer produce it. Only the chunks of the
 * build before are kept, because pages that are open during an upgrade still ask for them.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const ofBrowserWorkbook = /^(browser-workbook\.|workbook\.html$|assets-workbook($|\/))/;
/** notices.cjs writes these files when both builds have ended. */
const ofBoth = /^(third-party-notices\.txt|sbom\.cdx\.json)$/;
/** Chunks, whose names contain a digest of their content, and their compressed copies. */
const chunk = /^assets-(addin|workbook)\/.+\.[0-9a-f]{8}\.\w+(\.br|\.gz)?$/;

/**
 * Returns webpack's `output.clean`.
 * @param {"addin" | "browser-workbook"} build
 */
exports.cleaningOf = function cleaningOf(build) {
  const isOwn = (name) =>
    !ofBoth.test(name) && ofBrowserWorkbook.test(name) === (build === "browser-workbook");
  return { keep: (name) => !isOwn(name.replaceAll("\\", "/")) };
};

/**
 * Returns a plugin that keeps the chunks of the last different build. A file beside the served folder lists the chunks of
 * both builds.
 * @param {"addin" | "browser-workbook"} build
 */
exports.keepPreviousChunks = function keepPreviousChunks(build) {
  return {
    apply(compiler) {
      const record = path.join(compiler.options.output.path, "..", `.chunks-${build}.json`);
      const read = () => (fs.existsSync(record) ? JSON.parse(fs.readFileSync(record, "utf8")) : [[], []]);
      let chunks = [[], []];
      compiler.hooks.emit.tap({ name: "INV previous chunks", stage: -100 }, ({ assets }) => {
        const [last, before] = read();
        const next = Object.keys(assets)
          .filter((name) => chunk.test(name))
          .sort();
        chunks = [next, next.join() === last.join() ? before : last];
      });
      compiler.hooks.compilation.tap("INV previous chunks", (compilation) => {
        compiler.webpack.CleanPlugin.getCompilationHooks(compilation).keep.tap(
          "INV previous chunks",
          (name) =>
            // Undefined leaves the decision to `output.clean`. A folder is kept with its files.
            chunks[1].some((kept) => kept === name || kept.startsWith(`${name}/`)) ? true : undefined,
        );
      });
      compiler.hooks.afterEmit.tap("INV previous chunks", () => {
        fs.writeFileSync(record, JSON.stringify(chunks));
      });
    },
  };
};
