/**
 * jest's environment of the browser tests. It loads Playwright once for each worker, because jest would evaluate it
 * again for each test file, which takes 0.4 s.
 */
const { chromium } = require("playwright-core");
const { TestEnvironment } = require("jest-environment-node");

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.chromium = chromium;
  }
};
