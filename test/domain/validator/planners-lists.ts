/** Small lists as planners have them, in nine languages, each with a trap, and the columns that may be chosen without a question. */
import type { InputCell } from "../../../src/domain/identifiers";

export interface PlannersList {
  readonly language: string;
  readonly trap: string;
  readonly rows: readonly (readonly InputCell[])[];
  /** Letters of the columns; null where a person must choose. */
  readonly stores: string | null;
  readonly items: string | null;
}

const oats = "00012345678905";
const milk = "00012345678912";
const rice = "00012345678929";

type Line = readonly InputCell[];

/** Three rows below the headings, each column with its three values. */
function list(
  [language, trap]: readonly [string, string],
  columns: Readonly<Record<string, readonly [InputCell, InputCell, InputCell]>>,
  expected: readonly [stores: string | null, items: string | null],
): PlannersList {
  const headings = Object.keys(columns);
  const values = Object.values(columns);
  const data: Line[] = [0, 1, 2].map((at) => values.map((column) => column[at] ?? null));
  const rows = headings.every((heading) => heading.startsWith("#")) ? data : [headings, ...data];
  return { language, trap, rows, stores: expected[0], items: expected[1] };
}

const gtins = [oats, milk, rice] as const;
const upcs = [12345678905, 12345678912, 12345678929] as const;
const stores = [1234, 57, 931] as const;
const counts = [12, 100, 57] as const;
const serials = [46348, 46349, 46350] as const;

export const plannersLists: readonly PlannersList[] = [
  list(["English", "a quantity"], { Store: stores, GTIN: gtins, Qty: counts }, ["A", "B"]),
  list(["English", "Store Count beside Store"], { "Store Count": counts, Store: stores, UPC: upcs }, [
    "B",
    "C",
  ]),
  list(["English", "Club Zip beside Club"], { "Club Zip": [72712, 72716, 72756], Club: stores, UPC: upcs }, [
    "B",
    "C",
  ]),
  list(["English", "SKU left of EAN"], { Store: stores, SKU: [88812345, 88812346, 88812347], EAN: gtins }, [
    "A",
    "C",
  ]),
  list(["English", "no headings"], { "#1": stores, "#2": gtins }, ["A", "B"]),
  list(["English", "no headings, and a quantity"], { "#1": stores, "#2": gtins, "#3": counts }, [null, "B"]),
  list(["English", "one-digit stores on top, no headings"], { "#1": [7, 8, 1234], "#2": gtins }, [null, "B"]),
  list(["English", "a date"], { Date: serials, STORE_NBR: stores, UPC: upcs }, ["B", "C"]),
  list(["German", "a quantity"], { Bestand: counts, Filiale: stores, EAN: gtins }, ["B", "C"]),
  list(
    ["German", "own article numbers"],
    { Markt: stores, Artikelnummer: [10012345, 10012352, 10012369], EAN: gtins },
    ["A", "C"],
  ),
  list(
    ["German", "receipt numbers"],
    { "Bon-Nr.": [48211, 48212, 48213], Filialnummer: stores, GTIN: gtins },
    ["B", "C"],
  ),
  list(
    ["German", "weeks and prices"],
    { KW: [46, 47, 48], Preis: [199, 249, 129], "Filiale Nr.": stores, EAN: gtins },
    ["C", "D"],
  ),
  list(["German", "two columns of EANs"], { Filiale: stores, EAN: gtins, "EAN-Code": gtins }, ["A", null]),
  list(["Spanish", "counts between store and UPC"], { Tienda: stores, Existencia: counts, UPC: upcs }, [
    "A",
    "C",
  ]),
  list(["Spanish", "a date"], { Fecha: serials, Tienda: stores, "Código de barras": gtins }, ["B", "C"]),
  list(
    ["Spanish", "telephone numbers"],
    { Sucursal: stores, Teléfono: [5512345678, 5512345679, 5512345680], EAN: gtins },
    ["A", "C"],
  ),
  list(["French", "a week"], { Semaine: [46, 47, 48], Magasin: stores, "Code-barres": gtins }, ["B", "C"]),
  list(
    ["French", "postcodes"],
    { "Code postal": [75001, 69002, 13003], "N° magasin": stores, Gencod: gtins },
    ["B", "C"],
  ),
  list(["Italian", "a quantity"], { Negozio: stores, EAN: gtins, Quantità: counts }, [null, "B"]),
  list(
    ["Dutch", "only one column can be stores"],
    { Winkel: stores, Streepjescode: gtins, Omschrijving: ["Havermout", "Melk", "Rijst"] },
    ["A", "B"],
  ),
  list(["Polish", "prices with decimals"], { Sklep: stores, Cena: [12.99, 3.49, 7.29], EAN: gtins }, [
    "A",
    "C",
  ]),
  list(
    ["Portuguese", "own codes of eight digits"],
    { Loja: stores, Código: [20012345, 20012352, 20012369], Barras: gtins },
    ["A", null],
  ),
  list(["Swedish", "receipt numbers"], { Kvittonr: [48211, 48212, 48213], Butik: stores, EAN: gtins }, [
    null,
    "C",
  ]),
  list(
    ["Swedish", "dates as texts, and one store that can't be read"],
    { Datum: ["2026-11-23", "2026-11-24", "2026-11-25"], Butik: [1234, "12A", 931], EAN: gtins },
    [null, "C"],
  ),
];
