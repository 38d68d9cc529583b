/**
 * Which room may import which, for dependency-cruiser. Read with docs/architecture.md.
 * A room not named on the right of its line is closed to it; `import type` counts like any import,
 * but where it is said to be allowed.
 */
const rooms = {
  formula: [],
  domain: ["formula"],
  api: ["domain"],
  engine: ["api", "domain"],
  cells: ["engine", "domain", "formula"],
  functions: ["cells", "engine", "domain"],
  workbook: ["cells", "engine", "domain", "formula"],
  connection: ["workbook", "cells", "engine", "api", "domain"],
  taskpane: ["connection", "workbook", "cells", "engine", "domain", "formula"],
  addin: ["functions", "taskpane", "connection", "workbook", "cells", "engine", "api", "domain", "formula"],
  "browser-workbook": ["workbook", "domain", "formula"],
  "embedded-service": [],
  server: ["embedded-service", "domain"],
  build: [],
  start: [],
};

/** Types alone: the two ends of the wire share the word Transport, never a builder, reader or schema. */
const typesOnly = { "embedded-service": ["api"], server: ["api"] };

/**
 * But the server tells as the add-in does which record belongs to which item, which answer is a token, and what a
 * refusal speaks of; and takes out of a text as it does what nobody may see: by the same readers.
 */
const readers = { server: ["^src/api/(body|error-body|item-record|token|values)[.]ts$"] };

const noNode = Object.keys(rooms).filter((room) => !["server", "build", "start"].includes(room));
const path = (room) => `^src/${room}/`;

module.exports = {
  forbidden: [
    { name: "no-cycle", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    {
      name: "no-node",
      severity: "error",
      from: { path: noNode.map(path) },
      to: { dependencyTypes: ["core"] },
    },
    {
      // The engine is one idea to others: its faces, and nothing behind them.
      name: "engine-faces",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/engine/" },
      to: { path: "^src/engine/", pathNot: "^src/engine/(engine|types|answer|clock|connection-test)[.]ts$" },
    },
    {
      // What sends knows calls; what is in them it does not.
      name: "sending-knows-no-items",
      severity: "error",
      from: { path: "^src/engine/scheduler/" },
      to: { path: "^src/engine/(items|histories)/" },
    },
    {
      name: "items-know-no-sending",
      severity: "error",
      from: { path: "^src/engine/(items|histories)/" },
      to: { path: "^src/engine/scheduler/" },
    },
    {
      // Who waits for whom in a company is told by whoever serves pages, never by what they are served with.
      name: "shared-quota-knows-no-relay",
      severity: "error",
      from: { path: "^src/server/shared-quota/" },
      to: { path: "^src/server/(edge|relay|sign-in)/" },
    },
    { name: "no-tests-in-src", severity: "error", from: { path: "^src/" }, to: { path: "^test/" } },
    {
      name: "no-undeclared-package",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "unknown"] },
    },
    {
      // Pages bring their libraries in their bundles; a server finds only what its installation holds. Stock files
      // are for a clone: their packages are no part of the team server's archive.
      name: "server-packages",
      severity: "error",
      from: {
        path: ["^src/server/", "^src/embedded-service/", "^src/formula/", "^src/domain/", "^src/api/"],
        pathNot: ["^src/server/import/", "^src/server/stock-file/libsql[.]ts$"],
      },
      to: { dependencyTypes: ["npm-dev"] },
    },
    ...Object.entries(rooms).map(([room, open]) => {
      const others = Object.keys(rooms).filter((other) => other !== room && !open.includes(other));
      const closed = others.filter((other) => !(typesOnly[room] ?? []).includes(other));
      return {
        name: `${room}-arrows`,
        severity: "error",
        from: { path: path(room) },
        to: { path: closed.map(path) },
      };
    }),
    ...Object.entries(typesOnly).map(([room, open]) => ({
      name: `${room}-types-only`,
      severity: "error",
      from: { path: path(room) },
      to: { path: open.map(path), pathNot: readers[room] ?? [], dependencyTypesNot: ["type-only"] },
    })),
  ],
  options: {
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
    // The build's plugins run in Node before there is a bundle.
    exclude: { path: "\\.cjs$" },
  },
};
