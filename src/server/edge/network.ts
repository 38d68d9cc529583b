/**
 * The network by which clients are counted: an IPv4 address, or the first 64 bits of an IPv6 address. An
 * internet connection gets a whole IPv6 network of that size, and its owner may choose the rest.
 */
import { isIPv6 } from "node:net";

/** Returns, for example, `192.0.2.7` or `2001:db8:0:0::/64`, for any spelling of the address. */
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
