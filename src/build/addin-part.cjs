/**
 * The build of the pane's page: `host` finds the host and loads the rest, `addin` has the functions first and then the start (the pane is a
 * chunk of its own), and the page links one style sheet. `signed-in` is for the window of a sign-in.
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
  },
  // Without hashes: the page names these files, and the manifest names addin.js.
  output: {
    filename: "[name].js",
    chunkFilename: "addin.[name].js",
  },
  module: {
    rules: [
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, "css-loader"] },
      // Runs before the rule above.
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
    // The page links one style sheet, so that the pane is never drawn without it.
    new MiniCssExtractPlugin({ filename: "taskpane.css", chunkFilename: "taskpane.css" }),
  ],
});

/** Replaces the start by that of the check of Excel, which calls the add-in's own. */
function startWithChecks(root) {
  return new webpack.NormalModuleReplacementPlugin(/^\.\/start$/, (resource) => {
    if (!/[\\/]src[\\/]addin$/.test(resource.context)) return;
    resource.request = path.join(root, "test", "excel-check", "start.ts");
  });
}
