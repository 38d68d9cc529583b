/**
 * jest's projects: `unit` (each room's folder), `german` (the workbook's adapter once more, with German
 * settings), `browser` (pages in Chromium, and Excel's own script) and `bench`. `rooms` is what `npm test -- ROOM`
 * knows. package.json names this file, so jest finds it without being told.
 */
import { fileURLToPath } from "node:url";

/** Folders of this one, by the project that runs their tests. */
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

/** Those that look at what was built. */
export const builtRooms = ["server", "embedded-service", "structure", ...rooms.browser];

/** Ships its modules in the newer form alone. */
const newerModules = "(happy-dom|preact|openid-client|oauth4webapi|jose)";

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const common = {
  rootDir: here(".."),
  testEnvironment: "node",
  // The clean-up of globals overflows the stack where a page of happy-dom still runs an effect after its last test.
  testEnvironmentOptions: { globalsCleanup: "off" },
  transform: {
    "\\.(ts|tsx|mjs)$": here("transform.cjs"),
    "\\.lua$": here("lua-transform.cjs"),
    [`/node_modules/${newerModules}/`]: here("transform.cjs"),
  },
  transformIgnorePatterns: [`/node_modules/(?!${newerModules}/)`],
  modulePathIgnorePatterns: ["<rootDir>/.cache", "<rootDir>/dist"],
};

const inBrowser = {
  ...common,
  globalSetup: here("browser/global-setup.ts"),
  globalTeardown: here("browser/global-teardown.ts"),
};

export default {
  // Only what hangs comes to this end: the machine may be slow, and a browser test is many steps.
  testTimeout: 300_000,
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: [`<rootDir>/test/{${rooms.unit.join(",")}}/**/*.test.{ts,tsx}`],
    },
    {
      ...common,
      displayName: "german",
      testMatch: ["<rootDir>/test/workbook/office/**/*.test.ts"],
      // How many round trips there are doesn't depend on the language, and counting them takes long.
      testPathIgnorePatterns: ["/round-trips\\.test\\.ts$"],
      setupFiles: [here("excel/german.cjs")],
    },
    {
      ...inBrowser,
      displayName: "browser",
      testMatch: [`<rootDir>/test/{${rooms.browser.join(",")}}/**/*.test.ts`],
    },
    {
      ...inBrowser,
      displayName: "bench",
      testMatch: ["<rootDir>/test/bench/**/*.bench.ts"],
    },
  ],
};
