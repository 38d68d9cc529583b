/** The parts that are loaded with the first refresh. */
export { compareSnapshots } from "./compare-snapshots";
export { readAgain } from "./read-again";
export { takeSnapshot } from "./snapshot";
