/**
 * Suppliers, stores and items of the sample stock. They don't depend on the seed, so that documentation, examples and saved workbooks
 * stay right. For these, store 1234 is first, and the demo supplier's first item is GTIN 00012345678905, item number 123456789.
 */
import type { Supplier } from "../backend";
import { mix } from "./chance";

export interface SampleStore {
  readonly storeNumber: number;
  /** Local time minus UTC, in hours; negative west of Greenwich. */
  readonly utcOffsetHours: number;
}

export interface SampleItem {
  readonly index: number;
  readonly gtin: string;
  readonly itemNumber: string;
  readonly cid: number;
  readonly supplier: Supplier;
  /** Discontinued: no store has data. */
  readonly withoutData: boolean;
}

export const demoSupplier: Supplier = { id: "demo", name: "Demo Foods Inc." };
export const rivalSupplier: Supplier = { id: "rival", name: "Rival Brands Ltd." };

export const fixedStoreNumber = 1234;
export const fixedItemIndex = 0;

const demoItemCount = 640;
const rivalItemCount = 48;
const fixedCompanyNumber = 1_234_567_890;
const rivalCompanyNumber = 9_876_543_210;

/** 48 stores with numbers of every documented length, 2 to 6 digits. */
export const sampleStores: readonly SampleStore[] = [
  fixedStoreNumber,
  12,
  57,
  100,
  248,
  931,
  ...Array.from({ length: 37 }, (_, index) => 1301 + index * 113),
  10_025,
  10_311,
  24_870,
  100_204,
  123_456,
].map((storeNumber) => ({ storeNumber, utcOffsetHours: -5 - (mix(storeNumber, 5) % 4) }));

export const sampleItems: readonly SampleItem[] = [
  ...Array.from({ length: demoItemCount }, (_, index) => demoItem(index)),
  ...Array.from({ length: rivalItemCount }, (_, index) => rivalItem(index)),
];

function demoItem(index: number): SampleItem {
  return {
    index,
    gtin: gtinOf(fixedCompanyNumber + index),
    itemNumber: index === fixedItemIndex ? "123456789" : String(550_100_000 + index * 137),
    cid: cidOf(index),
    supplier: demoSupplier,
    withoutData: index === demoItemCount - 1,
  };
}

function rivalItem(index: number): SampleItem {
  return {
    index: demoItemCount + index,
    gtin: gtinOf(rivalCompanyNumber + index),
    itemNumber: String(770_200_000 + index * 151),
    cid: cidOf(demoItemCount + index),
    supplier: rivalSupplier,
    withoutData: false,
  };
}

/** One CID in five has two items, such as two pack sizes of one product. The first item's CID has only one. */
function cidOf(index: number): number {
  const first = index % 10 === 4 ? index - 1 : index;
  return 30_000_017 + first * 53;
}

/** Adds the GS1 check digit (weights 3 and 1 from the left) to 13 digits. */
function gtinOf(companyAndItem: number): string {
  const digits = String(companyAndItem).padStart(13, "0");
  const sum = Array.from(digits).reduce(
    (total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1),
    0,
  );
  return digits + String((10 - (sum % 10)) % 10);
}
