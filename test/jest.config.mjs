/**
 * jest's projects: `unit` (a folder for each room), `browser` (pages in Chromium, and Excel's own script), and `stories`, which only
 * `npm run drills -- stories` runs. package.json names this file.
 */
import { fileURLToPath } from "node:url";

/** Rooms for `npm test -- ROOM`: folders beside this file, by the project that runs their tests. */
export const rooms = {
  unit: [
    "formula",
    "domain",
    "api",
    "engine",
    "cells",
    "connection",
    "functions",
    "workbook",
    "taskpane",
    "addin",
    "embedded-service",
    "server",
    "browser-workbook",
    "contract",
    "excel-check",
    "structure",
  ],
  browser: ["browser", "excel"],
};

/** Rooms whose tests need a build. */
export const builtRooms = ["server", "embedded-service", "structure", ...rooms.browser];

/** Packages without CommonJS modules, which jest needs, so they are transformed. */
const esModulePackages = "(happy-dom|preact|openid-client|oauth4webapi|jose)";

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const common = {
  rootDir: here(".."),
  testEnvironment: here("environment.cjs"),
  // jest's cleanup of globals overflows the stack if a page of happy-dom still runs an effect after its last test.
  testEnvironmentOptions: { globalsCleanup: "off" },
  transform: {
    "\\.(ts|tsx|mjs)$": here("transform.cjs"),
    [`/node_modules/${esModulePackages}/`]: here("transform.cjs"),
  },
  transformIgnorePatterns: [`/node_modules/(?!${esModulePackages}/)`],
  modulePathIgnorePatterns: ["<rootDir>/.cache", "<rootDir>/dist"],
};

const inBrowser = {
  ...common,
  globalSetup: here("browser/global-setup.ts"),
  globalTeardown: here("browser/global-teardown.ts"),
};

export default {
  // Long enough for a slow machine: only a test that hangs takes so long.
  testTimeout: 300_000,
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: [`<rootDir>/test/{${rooms.unit.join(",")}}/**/*.test.{ts,tsx}`],
    },
    {
      ...inBrowser,
      displayName: "browser",
      testMatch: [`<rootDir>/test/{${rooms.browser.join(",")}}/**/*.test.ts`],
    },
    {
      ...inBrowser,
      displayName: "stories",
      testMatch: ["<rootDir>/test/drills/stories/*.test.ts"],
    },
  ],
};
