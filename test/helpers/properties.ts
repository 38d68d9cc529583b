/**
 * Properties, which begin from one seed: what makes a test fail is a change, and not the day's luck. `npm run drills --
 * properties` begins from a seed of its own, which it prints, and INV_SEED names one.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.INV_SEED ?? 20_261_123) });

export { fc };
