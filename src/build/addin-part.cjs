/**
 * The add-in's part of the build. `host` detects the host and loads the rest. `addin` contains the functions
 * first and then the startup code. The pane is a separate chunk, and the page links one style sheet.
 * `signed-in` is for the sign-in window, `message` for the window of a message.
 */
const path = require("node:path");
const HtmlWebpackPlugin = require("html-webpack-plugin");
const MiniCssExtractPlugin = require("mini-css-extract-plugin");
const webpack = require("webpack");

/**
 * @param {{ root: string, functionFiles: string[], checks: boolean }} env the project's folder, the files of its custom functions, and
 * whether the pane offers the check of Excel
 */
module.exports = (env) => ({
  entry: {
    host: "./src/addin/load-host.ts",
    addin: [...env.functionFiles, "./src/addin/main.ts"],
    "signed-in": "./src/addin/signed-in.ts",
    message: "./src/addin/message-page.ts",
  },
  // Entries have no hashes, because the page names these files and the manifest names addin.js. Chunks have, so that a page that is
  // open during an upgrade never gets a chunk of another build.
  output: {
    filename: "[name].js",
    chunkFilename: "assets-addin/[name].[contenthash:8].js",
  },
  module: {
    rules: [
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, "css-loader"] },
      // This loader runs before the rule above.
      { test: /taskpane[\\/]tokens\.css$/, loader: require.resolve("./tokens-loader.cjs") },
    ],
  },
  plugins: [
    ...(env.checks ? [startWithChecks(env.root)] : []),
    page(env, "taskpane.html", { isInExcel: true }),
    // The browser workbook frames the same page without Excel's library.
    page(env, "taskpane.html", { filename: "workbook-pane.html", isInExcel: false }),
    page(env, "message.html"),
    // The page links one style sheet, so that the pane is never drawn without it.
    new MiniCssExtractPlugin({ filename: "taskpane.css", chunkFilename: "taskpane.css" }),
  ],
});

/** A page from a template of `src/addin`, unchanged but for the template's own conditions. */
function page(env, template, options = {}) {
  return new HtmlWebpackPlugin({
    template: path.join(env.root, "src", "addin", template),
    filename: template,
    inject: false,
    minify: false,
    ...options,
  });
}

/** Replaces the startup code with that of the check of Excel, which then calls the add-in's own. */
function startWithChecks(root) {
  return new webpack.NormalModuleReplacementPlugin(/^\.\/start$/, (resource) => {
    if (!/[\\/]src[\\/]addin$/.test(resource.context)) return;
    resource.request = path.join(root, "test", "excel-check", "start.ts");
  });
}
