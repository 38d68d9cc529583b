/**
 * Writes compressed copies (`.br`, `.gz`) of a page's files next to them, for the server to send. Brotli's
 * quality 9 takes two seconds for all files. Quality 11 would take forty and save another tenth.
 */
"use strict";

const zlib = require("node:zlib");

const worthwhile = /\.(?:js|css|html|json|xml|svg)$/;
/** The server writes its address into these. */
const addressed = /^(?:manifest\.xml|functions\.json)$/;
/** Smaller files fit into one packet anyway. */
const smallestBytes = 1_000;

const encodings = [
  [
    ".br",
    (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ],
  [".gz", (bytes) => zlib.gzipSync(bytes)],
];

exports.compressFiles = function compressFiles() {
  return {
    apply(compiler) {
      const { Compilation, sources } = compiler.webpack;
      compiler.hooks.compilation.tap("INV compression", (compilation) => {
        const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER;
        compilation.hooks.processAssets.tap({ name: "INV compression", stage }, (assets) => {
          for (const [name, source] of Object.entries(assets)) {
            const bytes = source.buffer();
            if (!worthwhile.test(name) || addressed.test(name) || bytes.length < smallestBytes) continue;
            for (const [ending, compress] of encodings) {
              compilation.emitAsset(name + ending, new sources.RawSource(compress(bytes)));
            }
          }
        });
      });
    },
  };
};
