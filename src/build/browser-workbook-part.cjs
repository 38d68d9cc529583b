/**
 * The browser workbook's part of the build: its entry, the style sheets it loads, and what keeps the
 * grid's packages inside a strict Content-Security-Policy and a small download. `webpack.config.js`
 * adds the mode, the output folder, the cache, and the rule for TypeScript.
 */
"use strict";

const path = require("node:path");
const HtmlWebpackPlugin = require("html-webpack-plugin");
const MiniCssExtractPlugin = require("mini-css-extract-plugin");
const TerserPlugin = require("terser-webpack-plugin");
const webpack = require("webpack");

const here = (file) => path.join(__dirname, "..", "browser-workbook", file);

/**
 * A partial webpack configuration; the page becomes workbook.html.
 * @param {{ reload: boolean }} env whether the page loads itself again when it was built anew
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
      dropHyphenation(),
    ],
    optimization: {
      chunkIds: "named",
      minimizer: [new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false })],
    },
  };
};

/** The grid's text engine brings 75 hyphenation dictionaries (4 MB) as lazy chunks; cells need none of them. */
function dropHyphenation() {
  return new webpack.NormalModuleReplacementPlugin(/^\.\/[a-z][\w-]*-[\w-]{8}\.js$/, (resource) => {
    if (!/engine-render[\\/]lib[\\/]es/.test(resource.context)) return;
    resource.request = "data:text/javascript,export {}";
  });
}
