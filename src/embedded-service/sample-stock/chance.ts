/**
 * Chance without state: the same numbers always give the same chance, so that sample stock is a pure
 * function of store, item, time and seed. Not for secrets.
 */

// Taken out once: looking a global up costs much where a program runs in a sandbox, as tests do.
const { imul } = Math;

/** A well-stirred unsigned 32-bit number from a key and one more number. */
export function mix(key: number, value: number): number {
  let bits = imul(key ^ imul(value + 0x7f4a7c15, 0x9e3779b1), 0x85ebca6b);
  bits = imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = imul(bits ^ (bits >>> 12), 0x297a2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** The chance of a key, 0 up to but not including 1. */
export function share(bits: number): number {
  return bits / 0x1_0000_0000;
}
