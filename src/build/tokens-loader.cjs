/**
 * A webpack loader for tokens.css: Fluent's light and dark tokens as custom properties, only those that
 * the pane's own styles and its Fluent components use. Made at build time, because building the whole theme
 * in the page costs as much as a third of its first drawing.
 */
const { readFileSync } = require("node:fs");
const path = require("node:path");

/**
 * In place of Fluent's own. Its list of fonts comes to the same ones, but a browser without Segoe UI looks up
 * each of the six names before, for every size and weight: a fifth of the first frame.
 */
const ours = { fontFamilyBase: '"Segoe UI", system-ui, sans-serif' };

module.exports = function tokensLoader() {
  const done = this.async();
  const files = styleFiles(this.context);
  for (const file of files) this.addDependency(file);
  import("@fluentui/tokens").then(({ webDarkTheme, webLightTheme }) => {
    const words = new Set(files.flatMap((file) => readFileSync(file, "utf8").match(/\w+/g)));
    const used = Object.keys(webLightTheme).filter((name) => words.has(name));
    const rule = (selector, theme) =>
      `${selector} {\n${used.map((name) => `  --${name}: ${ours[name] ?? theme[name]};\n`).join("")}}\n`;
    done(null, rule("html", webLightTheme) + rule('html[data-theme="dark"]', webDarkTheme));
  }, done);
};

/** The pane's own style sheets, and those of the components that fluent.ts registers. */
function styleFiles(folder) {
  const registered = readFileSync(path.join(folder, "fluent.ts"), "utf8");
  const components = [...registered.matchAll(/web-components\/([a-z-]+)\/define\.js/g)].map(
    ([, name]) => name,
  );
  const entry = require.resolve("@fluentui/web-components/package.json");
  return [
    path.join(folder, "fluent.ts"),
    ...["pane.css", "first-frame.css", "inspect/inspect.css", "build/build.css", "help/help.css"].map(
      (name) => path.join(folder, name),
    ),
    ...components.map((name) => path.join(path.dirname(entry), "dist", "esm", name, `${name}.styles.js`)),
  ];
}
