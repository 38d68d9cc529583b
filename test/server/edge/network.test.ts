/** One network is one caller, however its address is written and whichever of its addresses it uses. */
import { networkOf } from "../../../src/server/edge/network";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:0:0:0:0", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["2001:db8:1::", "2001:db8:1:0::/64"],
  ["somewhere", "somewhere"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
