/**
 * The allowed imports between rooms, for dependency-cruiser. A room that isn't in the list of another can't be imported there.
 * `import type` counts like any import, except in `typesOnly`.
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

/** Only types: the two ends of the wire share the type Transport, never a builder, reader or schema. */
const typesOnly = { "embedded-service": ["api"], server: ["api"] };

/** Readers that the server shares with the add-in: records of items, tokens, errors, and the removal of secrets from texts. */
const readers = { server: ["^src/api/(body|error-body|events|item-record|token|values)[.]ts$"] };

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
      // Other rooms see only these files of the engine.
      name: "engine-faces",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/engine/" },
      to: { path: "^src/engine/", pathNot: "^src/engine/(engine|types|clock|test-connection)[.]ts$" },
    },
    {
      // The scheduler knows requests, but not their contents.
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
      // The shared quota doesn't know how pages are served.
      name: "shared-quota-knows-no-relay",
      severity: "error",
      from: { path: "^src/server/shared-quota/" },
      to: { path: "^src/server/(edge|relay|sign-in)/" },
    },
    { name: "no-tests-in-src", severity: "error", from: { path: "^src/" }, to: { path: "^test/" } },
    {
      // A stand-in replaces a package that the grid brings.
      name: "no-undeclared-package",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/build/stand-ins/" },
      to: { dependencyTypes: ["npm-no-pkg", "unknown"] },
    },
    {
      // Pages contain their libraries; a server has only its installed packages.
      name: "server-packages",
      severity: "error",
      from: {
        path: ["^src/server/", "^src/embedded-service/", "^src/formula/", "^src/domain/", "^src/api/"],
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
