/** What INV's own templates show fits their columns, measured with the widths of Arial's letters. */
import { eventTypes } from "../../../src/domain/event-types";
import {
  builtInTemplate,
  builtInTemplates,
  functionsTemplate,
} from "../../../src/workbook/templates/built-in";

/** Widths of Arial's letters in thousandths of the font size. Letters without an entry have the usual width. */
interface Advances {
  readonly named: readonly (readonly [number, string])[];
  readonly usual: number;
}

const widthPx = (text: string, { named, usual }: Advances): number => {
  const advance = (letter: string) => named.find(([, letters]) => letters.includes(letter))?.[0] ?? usual;
  return (Array.from(text).reduce((sum, letter) => sum + advance(letter), 0) / 1000) * 13.3;
};

const bold: Advances = {
  named: [
    [278, " ,.:;/iljI"],
    [333, "()ft-"],
    [389, "r"],
    [722, "ABCDHKNRU"],
    [778, "GOQw"],
    [889, "mMW"],
  ],
  usual: 611,
};

const regular: Advances = {
  named: [
    [222, "ijl"],
    [278, " ,.:;/ftI"],
    [333, "()r-"],
    [500, "ckJsvxyz"],
    [667, "ABEKPSVXY"],
    [722, "CDHNRUw"],
    [778, "GOQ"],
    [833, "mM"],
    [944, "W"],
  ],
  usual: 556,
};

it("headings fit their columns", () => {
  const roomPx = 14;
  const tooNarrow = builtInTemplates().flatMap(({ table }) =>
    (table?.columns ?? []).flatMap(({ header, widthPx: givenPx = 88 }) => {
      const neededPx = widthPx(header, bold) + roomPx;
      return neededPx > givenPx ? [`${header}: ${Math.ceil(neededPx)}`] : [];
    }),
  );
  expect(tooNarrow).toEqual([]);
});

it.each([
  ["history", "meaning", 2, builtInTemplate("history")],
  ["functions", "meaning", 5, functionsTemplate()],
  ["functions", "category", 3, functionsTemplate()],
] as const)("%s has room for each event type's %s", (_id, part, col, template) => {
  const neededPx = Math.max(...eventTypes.map((type) => widthPx(type[part], regular)));
  expect(template.sheet.widthsPx?.[col]).toBeGreaterThan(neededPx + 4);
});
