/**
 * jest's environment for Node, for all projects. A worker of jest runs many test files in one process, and what a file leaves
 * there slows every later one: each AsyncLocalStorage (jest makes one for each file) is copied at each promise, and each
 * PerformanceObserver (the server's metrics have one) keeps its whole file in memory. On Node 20, a property that takes 13 s alone
 * took 35 s after 30 files and 237 s after 270.
 * Invariant: both end with the file that made them. An AsyncLocalStorage that is used again begins again.
 */
const asyncHooks = require("node:async_hooks");
const net = require("node:net");
const performanceHooks = require("node:perf_hooks");
const { TestEnvironment } = require("jest-environment-node");

/** What the running file has made. */
const ends = new Set();

asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(...given) {
    super(...given);
    ends.add(() => this.disable());
  }
};

performanceHooks.PerformanceObserver = class extends performanceHooks.PerformanceObserver {
  constructor(...given) {
    super(...given);
    ends.add(() => this.disconnect());
  }
};

// Where "localhost" is two addresses, Node goes on to the second one after 250 ms, on which a test's server may not listen. A
// busy worker stands still for longer, and would give up a connection that is open.
net.setDefaultAutoSelectFamilyAttemptTimeout(60_000);

module.exports = class extends TestEnvironment {
  async teardown() {
    for (const end of ends) end();
    ends.clear();
    await super.teardown();
  }
};
