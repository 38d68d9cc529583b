/** A planner's list of 120 rows with fifty errors, each with its fault and what was meant. */
import { checkDigitOf } from "../../../src/domain/gtin-hints";
import type { PlainValue } from "../../../src/domain/bad-argument";
import type { InputFault, InputField } from "../../../src/domain/validator/finding";

export interface Row {
  store: PlainValue | null;
  item: PlainValue | null;
}

interface PlantedError {
  readonly row: number;
  readonly field: InputField;
  readonly fault: InputFault;
}

export interface Sheet {
  /** As it should be: stores as numbers, GTINs as texts of 14 digits. */
  readonly meant: readonly Row[];
  readonly rows: readonly Row[];
  readonly errors: readonly PlantedError[];
}

type Spoil = (row: Row) => Partial<Row>;

const rowCount = 120;
const stores = [100, 1234, 2045, 5260, 64, 801];

/** Returns GTINs with different numbers of leading zeros, all with a valid check digit. */
export function gtinOf(number: number): string {
  const bodies = [
    `00${String(1_234_567_890 + number * 7919).padStart(11, "0")}`,
    `0${400_000_000_000 + number * 104_729}`,
    `1${500_000_000_000 + number * 15_485}`,
  ];
  const body = bodies[number % bodies.length] ?? "";
  return `${body}${checkDigitOf(body)}`;
}

const text = ({ item }: Row): string => String(item);
const changedCheckDigit: Spoil = (row) => ({
  item: text(row).slice(0, -1) + String((Number(text(row).at(-1)) + 3) % 10),
});
const firstZeros = (row: Row, by: string): string =>
  text(row).replace(/^0+/, (zeros) => by.repeat(zeros.length));

/** Ten kinds of errors, each planted five times. `kind` is the kind of GTIN: 0 and 1 have leading zeros, 2 has none. */
const kinds: readonly { fault: InputFault; field?: InputField; kind: number; spoil: Spoil }[] = [
  { fault: "zeros-missing", kind: 0, spoil: (row) => ({ item: Number(text(row)) }) },
  { fault: "zeros-missing", kind: 0, spoil: (row) => ({ item: text(row).slice(2) }) },
  { fault: "zeros-missing", kind: 1, spoil: (row) => ({ item: text(row).slice(1) }) },
  { fault: "letter-for-digit", kind: 1, spoil: (row) => ({ item: firstZeros(row, "O") }) },
  {
    fault: "letter-for-digit",
    field: "store",
    kind: 2,
    spoil: ({ store }) => ({ store: String(store).replace("0", "O") }),
  },
  { fault: "wrong-check-digit", kind: 0, spoil: changedCheckDigit },
  { fault: "mixed-types", kind: 2, spoil: (row) => ({ item: Number(text(row)) }) },
  { fault: "mixed-types", field: "store", kind: 1, spoil: (row) => ({ store: String(row.store) }) },
  { fault: "nine-digits", kind: 2, spoil: () => ({ item: "550123456" }) },
  { fault: "duplicate", kind: 0, spoil: () => ({ store: 1234, item: gtinOf(0) }) },
];

export function plantFiftyErrors(): Sheet {
  const meant = Array.from({ length: rowCount }, (_, number): Row => ({
    store: number === 0 ? 1234 : (stores[number % stores.length] ?? 100),
    item: gtinOf(number),
  }));
  const rows = meant.map((row) => ({ ...row }));
  const errors: PlantedError[] = [];
  const used = new Set([0]);
  for (const { fault, field = "item", kind, spoil } of kinds) {
    for (let planted = 0; planted < 5; planted++) {
      const row = meant.findIndex((_, number) => number % 3 === kind && !used.has(number));
      used.add(row);
      const before = meant[row] as Row;
      Object.assign(rows[row] as Row, spoil(before));
      // The other rows don't show what a duplicate row contained before.
      if (fault === "duplicate") Object.assign(before, rows[row]);
      errors.push({ row, field, fault });
    }
  }
  return { meant, rows, errors };
}
