/**
 * What the pane's page needs of the build: `host` (decides who the host is, loads the rest), `addin` (the
 * functions first, then the start; the pane is a chunk of its own) and the style sheet that the page links; and what the
 * window of a sign-in needs, `signed-in`.
 */
const path = require("node:path");
const HtmlWebpackPlugin = require("html-webpack-plugin");
const MiniCssExtractPlugin = require("mini-css-extract-plugin");
const webpack = require("webpack");

/**
 * @param {{ root: string, functionFiles: string[], checks: boolean }} env the project's folder, its custom functions
 * files, and whether the pane offers to check this Excel
 */
module.exports = (env) => ({
  entry: {
    host: "./src/addin/load-host.ts",
    addin: [...env.functionFiles, "./src/addin/main.ts"],
    "signed-in": "./src/addin/signed-in.ts",
  },
  // The page names these files, and the manifest names addin.js: no hashes.
  output: {
    filename: "[name].js",
    chunkFilename: "addin.[name].js",
  },
  module: {
    rules: [
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, "css-loader"] },
      // Runs before the rule above, which takes what it gives.
      { test: /taskpane[\\/]tokens\.css$/, loader: require.resolve("./tokens-loader.cjs") },
    ],
  },
  plugins: [
    ...(env.checks ? [startWithChecks(env.root)] : []),
    new HtmlWebpackPlugin({
      template: path.join(env.root, "src", "addin", "taskpane.html"),
      filename: "taskpane.html",
      inject: false,
      minify: false,
    }),
    // One style sheet, linked by the page, so that the pane is never drawn without it.
    new MiniCssExtractPlugin({ filename: "taskpane.css", chunkFilename: "taskpane.css" }),
  ],
});

/** The development page's start, which calls the add-in's own. */
function startWithChecks(root) {
  return new webpack.NormalModuleReplacementPlugin(/^\.\/start$/, (resource) => {
    if (!/[\\/]src[\\/]addin$/.test(resource.context)) return;
    resource.request = path.join(root, "test", "excel-check", "start.ts");
  });
}
