/**
 * The limit of open files and connections of this process. When it is used up, Node closes new connections without a word, so INV
 * accepts fewer and refuses the others itself, which is counted and logged.
 */
import { readFileSync } from "node:fs";

/** For files, and for connections to services, Redis and the provider. */
const ownDescriptors = 128;

/** Linux only. Node raises its own limit to the highest that it may have. */
export function descriptorLimit(): number {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return found === undefined ? Infinity : Number(found);
  } catch {
    return Infinity;
  }
}

export function descriptorsFor(connections: number): number {
  return connections + ownDescriptors;
}

/** Returns how many connections of people this process can have. */
export function connectionsWithin(maxConnections: number, limit = descriptorLimit()): number {
  return Math.max(1, Math.min(maxConnections, limit - ownDescriptors));
}
