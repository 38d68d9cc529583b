/** What comes with the chunk of changes, at the first refresh. */
export { compareSnapshots } from "./compare-snapshots";
export { readAgain } from "./read-again";
export { takeSnapshot } from "./snapshot";
