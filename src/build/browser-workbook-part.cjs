/**
 * The browser workbook's part of the build: its entry and its style sheets. It also adapts the grid's
 * packages to a strict Content-Security-Policy and a small download. `webpack.config.js` adds the mode, the
 * output folder, the cache, and the rule for TypeScript.
 */
"use strict";

const path = require("node:path");
const HtmlWebpackPlugin = require("html-webpack-plugin");
const MiniCssExtractPlugin = require("mini-css-extract-plugin");
const TerserPlugin = require("terser-webpack-plugin");
const webpack = require("webpack");

const standInFolder = path.join(__dirname, "stand-ins");
const here = (file) => path.join(__dirname, "..", "browser-workbook", file);

/**
 * A partial webpack configuration. Its page becomes workbook.html.
 * @param {{ reload: boolean }} env whether the page reloads itself after each build
 */
module.exports = function browserWorkbookPart({ reload }) {
  return {
    entry: {
      "browser-workbook": [
        "@univerjs/preset-sheets-core/lib/index.css",
        "sonner/dist/styles.css",
        here("page.css"),
        here("main.ts"),
        ...(reload ? [here("reload-when-built.ts")] : []),
      ],
    },
    output: {
      filename: "browser-workbook.js",
      chunkFilename: "assets-workbook/[name].[contenthash:8].js",
      assetModuleFilename: "assets-workbook/[name].[contenthash:8][ext]",
      chunkLoadingGlobal: "invWorkbook",
    },
    module: {
      rules: [
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, "css-loader"] },
        { test: /sonner[\\/]dist[\\/]index\.mjs$/, loader: require.resolve("./drop-inserted-css.cjs") },
        {
          test: /react-style-singleton[\\/]dist[\\/]\w+[\\/]singleton\.js$/,
          loader: require.resolve("./adopt-styles.cjs"),
        },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: "browser-workbook.css",
        chunkFilename: "assets-workbook/[name].[contenthash:8].css",
      }),
      new HtmlWebpackPlugin({
        template: here("index.html"),
        filename: "workbook.html",
        scriptLoading: "defer",
      }),
      preloadGrid(),
      dropHyphenation(),
      ...standIns.map(([name, source]) => replaceModule(name, source)),
    ],
    optimization: {
      chunkIds: "named",
      minimizer: [new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false })],
    },
  };
};

/**
 * Adds preload links for the grid, so that the browser fetches it together with the first script. Otherwise,
 * the first script requests the grid only when it runs.
 */
function preloadGrid() {
  return {
    apply(compiler) {
      compiler.hooks.compilation.tap("INV preload", (compilation) => {
        HtmlWebpackPlugin.getHooks(compilation).alterAssetTagGroups.tap("INV preload", (page) => {
          const files = compilation.namedChunkGroups.get("grid")?.getFiles() ?? [];
          for (const file of files.filter((name) => name.endsWith(".js"))) {
            const attributes = { rel: "preload", as: "script", href: `/${file}` };
            page.headTags.unshift(HtmlWebpackPlugin.createHtmlTagObject("link", attributes));
          }
        });
      });
    },
  };
}

/**
 * Drops the 75 hyphenation dictionaries (4 MB) that the grid's text engine has as lazy chunks, because cells
 * need none of them.
 */
function dropHyphenation() {
  return new webpack.NormalModuleReplacementPlugin(/^\.\/[a-z][\w-]*-[\w-]{8}\.js$/, (resource) => {
    if (!/engine-render[\\/]lib[\\/]es/.test(resource.context)) return;
    resource.request = "data:text/javascript,export {}";
  });
}

/**
 * Packages that cells need only in part or not at all, and their replacements. They detect a text's language
 * (only for hyphenation), parse fonts that a page brings itself, recognize Chinese, Japanese and Korean
 * characters, and parse numbers. The package for characters computes them from tables of 300 KB while the
 * page starts.
 */
const standIns = [
  ["franc-min", `data:text/javascript,export const franc = () => "und"`],
  ["opentype.js", "data:text/javascript,export const parse = () => null"],
  ["cjk-regex", path.join(standInFolder, "cjk-regex.mjs")],
  ["numfmt", path.join(standInFolder, "numfmt.mjs")],
];

/** Replaces a module with a stand-in. The stand-in itself still gets the package. */
function replaceModule(name, source) {
  const pattern = new RegExp(`^${name.replace(".", "\\.")}$`);
  return new webpack.NormalModuleReplacementPlugin(pattern, (resource) => {
    if (resource.context !== standInFolder) resource.request = source;
  });
}
