/**
 * Property tests with a fixed seed: a test fails because of a change, not by chance. `npm run drills -- properties` starts
 * with a random seed and prints it. INV_SEED sets a seed.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.INV_SEED ?? 20_261_123) });

export { fc };
