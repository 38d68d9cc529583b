/**
 * The demo world's four accounts. Their secrets are public: they open nothing but made-up stock.
 * Each account leads to one outcome of the documented authentication table.
 */
import type { Consumer, Accounts } from "../backend";
import { demoSupplier, rivalSupplier } from "./catalogue";

export interface NamedAccount {
  readonly name: "demo" | "rival" | "unsubscribed" | "unmapped";
  readonly consumerId: string;
  readonly clientSecret: string;
  readonly supplierName: string;
}

const named: readonly (NamedAccount & { readonly account: Consumer })[] = [
  entry("demo", { subscribed: true, supplier: demoSupplier }),
  entry("rival", { subscribed: true, supplier: rivalSupplier }),
  entry("unsubscribed", { subscribed: false, supplier: demoSupplier }),
  entry("unmapped", { subscribed: true, supplier: null }),
];

/** The accounts by name; `demo` comes first. */
export const demoAccounts: readonly NamedAccount[] = named.map(
  ({ name, consumerId, clientSecret, supplierName }) => ({ name, consumerId, clientSecret, supplierName }),
);

export function createDemoAccounts(): Accounts {
  return {
    find: (consumerId) =>
      Promise.resolve(named.find((known) => known.consumerId === consumerId)?.account ?? null),
    checkSecret: (consumerId, clientSecret) =>
      Promise.resolve(
        named.some((known) => known.consumerId === consumerId && known.clientSecret === clientSecret),
      ),
  };
}

function entry(
  name: NamedAccount["name"],
  { subscribed, supplier }: Pick<Consumer, "subscribed" | "supplier">,
): NamedAccount & { readonly account: Consumer } {
  const consumerId = `${name}-consumer`;
  return {
    name,
    consumerId,
    clientSecret: `${name}-secret`,
    supplierName: supplier?.name ?? "",
    account: { consumerId, subscribed, supplier },
  };
}
