/**
 * Three builds into dist/ (`npm run dev`: into .cache/dev): `server` (server.js), `addin` (the pane's page and
 * scripts, functions.json, help, manifest) and `browser-workbook`. The last two together also write the notices. The parts that only one
 * page needs are in src/build/addin-part.cjs and src/build/browser-workbook-part.cjs.
 *
 * `INV_ARGUMENT_LISTS=0` leaves the lists of words for arguments out of functions.json.
 */
const path = require("node:path");
const CopyPlugin = require("copy-webpack-plugin");
const CustomFunctionsMetadataPlugin = require("custom-functions-metadata-plugin");
const TerserPlugin = require("terser-webpack-plugin");
const { FunctionsMetadataPlugin, catalogueFiles } = require("./src/build/functions-metadata.cjs");
const { engines } = require("./package.json");
const addinPart = require("./src/build/addin-part.cjs");
const { cleaningOf, keepPreviousChunks } = require("./src/build/shared-folder.cjs");
const { compressFiles } = require("./src/build/compressed-files.cjs");
const { createNotices } = require("./src/build/notices.cjs");
const browserWorkbookPart = require("./src/build/browser-workbook-part.cjs");

const argumentLists = process.env.INV_ARGUMENT_LISTS !== "0";

/**
 * @param {{ out?: string, reload?: boolean, checks?: boolean }} env the output folder, whether pages reload after a build (`npm run dev`),
 * and whether the pane offers the check of Excel (test/excel-check)
 */
module.exports = ({ out = "dist", reload = false, checks = false } = {}, { mode = "production" }) => {
  const folder = path.join(__dirname, out, "app");
  const notices = createNotices({ root: __dirname, folder, builds: ["addin", "browser-workbook"] });
  const env = {
    mode,
    reload,
    checks,
    root: __dirname,
    folder,
    functionFiles: catalogueFiles,
    notices,
  };
  return [server(env), addin(env), browserWorkbook(env)];
};

function common(env, name) {
  return {
    name,
    mode: env.mode,
    context: env.root,
    devtool: env.mode === "development" ? "source-map" : false,
    cache: {
      type: "filesystem",
      cacheDirectory: path.join(env.root, ".cache", "webpack"),
      name: `${name}-${env.mode}${env.reload ? "-watched" : ""}${env.checks ? "-checks" : ""}`,
    },
    resolve: { extensions: [".ts", ".tsx", ".js", ".mjs"] },
    module: {
      rules: [
        { test: /\.tsx?$/, exclude: /node_modules/, loader: "ts-loader", options: { transpileOnly: true } },
      ],
    },
    optimization: {
      // A failed build keeps the earlier one.
      emitOnErrors: false,
      minimizer: [
        new TerserPlugin({
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          // The third pass makes the pane half a kilobyte smaller; the second alone gains nothing.
          terserOptions: { compress: { passes: 3 } },
        }),
      ],
    },
    performance: { hints: false },
    stats: "errors-warnings",
  };
}

function server(env) {
  const base = common(env, "server");
  return {
    ...base,
    // The oldest Node that `engines` allows.
    target: `node${/\d+/.exec(engines.node)[0]}`,
    entry: { server: "./src/server/main.ts" },
    output: { path: path.dirname(env.folder), library: { type: "commonjs2" } },
    // The bundle contains only INV's own files.
    externals: [
      ({ request }, done) => {
        // An ES module, which Node 20 loads only by `import()`.
        if (request === "openid-client") done(null, `import ${request}`);
        else if (/^[a-z@]/.test(request)) done(null, `commonjs ${request}`);
        else done();
      },
    ],
    optimization: { ...base.optimization, minimize: false },
  };
}

function addin(env) {
  const base = common(env, "addin");
  const part = addinPart(env);
  return {
    ...base,
    ...part,
    target: "web",
    output: {
      path: env.folder,
      publicPath: "/",
      clean: cleaningOf("addin"),
      ...part.output,
    },
    module: { rules: [...base.module.rules, ...(part.module?.rules ?? [])] },
    plugins: [
      new CustomFunctionsMetadataPlugin({ output: "functions.json", input: catalogueFiles }),
      new FunctionsMetadataPlugin({ argumentLists }),
      new CopyPlugin({
        patterns: [
          { from: "assets", to: "assets" },
          { from: "src/addin/window.css", to: "window.css" },
          { from: "manifest.xml" },
          { from: "LICENSE", to: "LICENSE.txt", toType: "file" },
        ],
      }),
      ...(part.plugins ?? []),
      ...compressionOf(env),
      keepPreviousChunks("addin"),
      env.notices("addin"),
    ],
  };
}

function browserWorkbook(env) {
  const base = common(env, "browser-workbook");
  const part = browserWorkbookPart(env);
  return {
    ...base,
    ...part,
    target: "web",
    output: {
      path: env.folder,
      publicPath: "/",
      clean: cleaningOf("browser-workbook"),
      ...part.output,
    },
    module: { rules: [...base.module.rules, ...(part.module?.rules ?? [])] },
    plugins: [
      ...(part.plugins ?? []),
      ...compressionOf(env),
      keepPreviousChunks("browser-workbook"),
      env.notices("browser-workbook"),
    ],
  };
}

/** A development build is read from this machine and is built at every change. */
function compressionOf({ mode }) {
  return mode === "production" ? [compressFiles()] : [];
}
