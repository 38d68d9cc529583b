/**
 * Random numbers without state: the same keys always give the same number, so that sample stock is a pure function of store, item,
 * time and seed. Not for secrets.
 */

// Looked up once: looking up a global is slow in a sandbox, such as that of tests.
const { imul } = Math;

/** Returns a well-mixed unsigned 32-bit number from a key and another number. */
export function mix(key: number, value: number): number {
  let bits = imul(key ^ imul(value + 0x7f4a7c15, 0x9e3779b1), 0x85ebca6b);
  bits = imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = imul(bits ^ (bits >>> 12), 0x297a2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** Returns a number of at least 0 and less than 1. */
export function share(bits: number): number {
  return bits / 0x1_0000_0000;
}
