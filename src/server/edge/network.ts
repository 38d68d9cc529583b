/**
 * What callers are counted by where guesses and people of one place are bounded: an address, or of IPv6 the network of
 * 64 bits that one connection to the internet comes with, since whoever has one chooses the rest as they like.
 */
import { isIPv6 } from "node:net";

/** As in `192.0.2.7` or `2001:db8:0:0::/64`, however the address is written. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [before = "", after] = address.split("::");
  const first = groupsOf(before);
  const last = after === undefined ? [] : groupsOf(after);
  const skipped = Math.max(0, groups - first.length - last.length);
  const network = [...first, ...Array.from({ length: skipped }, () => "0"), ...last].slice(0, groups / 2);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

const groups = 8;

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
