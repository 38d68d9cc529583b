/**
 * The four accounts of a world of sample stock. Each leads to one outcome of the documented authentication table. Their secrets are
 * public, because they give access only to sample stock.
 */
import type { Accounts, Consumer, Supplier } from "../backend";
import { demoSupplier, rivalSupplier } from "./catalogue";

interface NamedAccount {
  readonly name: string;
  readonly consumerId: string;
  readonly clientSecret: string;
  readonly supplierName: string;
}

export interface SampleAccounts extends Accounts {
  /** The default account is first. */
  readonly named: readonly [NamedAccount, ...NamedAccount[]];
}

/** @param main the first account's name, and except in the demo the prefix of the others */
export function createSampleAccounts(main: "demo" | "sandbox" | "production"): SampleAccounts {
  const prefix = main === "demo" ? "" : `${main}-`;
  const consumers = new Map<string, Consumer>();
  const add = (name: string, subscribed: boolean, supplier: Supplier | null): NamedAccount => {
    const consumerId = `${name}-consumer`;
    consumers.set(consumerId, { consumerId, subscribed, supplier });
    return { name, consumerId, clientSecret: `${name}-secret`, supplierName: supplier?.name ?? "" };
  };
  const named = [
    add(main, true, demoSupplier),
    add(`${prefix}rival`, true, rivalSupplier),
    add(`${prefix}unsubscribed`, false, demoSupplier),
    add(`${prefix}unmapped`, true, null),
  ] as const;
  return {
    named,
    find: (consumerId) => Promise.resolve(consumers.get(consumerId) ?? null),
    checkSecret: (consumerId, clientSecret) =>
      Promise.resolve(
        named.some((known) => known.consumerId === consumerId && known.clientSecret === clientSecret),
      ),
  };
}
