/** Compiles a script for Redis, as the build does. The cache key contains all its sources, so a change compiles it again. */
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { compileLua } = require("../src/build/lua.cjs");

const root = join(__dirname, "..");
/** Folders of all sources that a script may import. */
const folders = [
  ...["src/server/shared-quota", "src/server/shared-quota/in-redis", "src/server/redis", "src/server/relay"],
  "src/domain",
];

module.exports = {
  process: (_source, path) => ({
    code: `module.exports = { __esModule: true, default: ${JSON.stringify(compileLua(path).text)} };`,
  }),
  getCacheKey(source) {
    const hash = createHash("sha1")
      .update(source)
      .update(readFileSync(join(root, "src/build/lua.cjs")));
    for (const folder of folders) {
      for (const name of readdirSync(join(root, folder)).sort()) {
        if (name.endsWith(".ts")) hash.update(readFileSync(join(root, folder, name)));
      }
    }
    return hash.digest("hex");
  },
};
