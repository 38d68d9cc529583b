/** Times of exports: every style reads what it writes, and ambiguous times are not guessed. */
import { fc } from "../../helpers/properties";
import { readTime, type TimeStyle } from "../../../src/server/stock-file/times";

const seconds = fc
  .integer({ min: Date.parse("2000-01-02T00:00:00Z") / 1000, max: Date.parse("2099-12-30T23:59:59Z") / 1000 })
  .map((second) => second * 1000);

function written(ms: number, style: TimeStyle): string[] {
  const [, year = "", month = "", day = "", time = ""] =
    /^(\d{4})-(\d{2})-(\d{2})T(.{8})/.exec(new Date(ms).toISOString()) ?? [];
  const hour = Number(time.slice(0, 2));
  const twelve = `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)} ${hour < 12 ? "AM" : "PM"}`;
  const ahead = new Date(ms + 5.5 * 3_600_000).toISOString().slice(0, 19);
  switch (style) {
    case "iso":
      return [`${year}-${month}-${day}T${time}`, `${year}-${month}-${day} ${time}.123Z`, `${ahead}+05:30`];
    case "dmy":
      return [`${day}.${month}.${year} ${time}`, `${Number(day)}/${Number(month)}/${year}, ${time}`];
    case "mdy":
      return [`${month}/${day}/${year} ${time}`, `${Number(month)}/${Number(day)}/${year} ${twelve}`];
    case "excel":
      return [(ms / 86_400_000 + 25_569).toFixed(9)];
  }
}

it.each(["iso", "dmy", "mdy", "excel"] as const)("%s: reads a written time to the second", (style) => {
  fc.assert(
    fc.property(seconds, (ms) => {
      for (const text of written(ms, style)) expect([text, readTime(text, style)]).toEqual([text, ms]);
    }),
  );
});

it.each<[TimeStyle, string]>([
  ["iso", "20.11.2026"],
  ["iso", "2026-02-30"],
  ["iso", "2026-11-20T24:00"],
  ["iso", "20261120"],
  ["dmy", "11/20/2026"],
  ["dmy", "2026-11-20"],
  ["dmy", "20.11.26"],
  ["mdy", "20/11/2026"],
  ["mdy", "11/20/2026 13:00 PM"],
  ["excel", "2026-11-20"],
  ["excel", "46346,25"],
  ["excel", "1234"],
  ["iso", ""],
])("%s refuses %j", (style, text) => {
  expect(readTime(text, style)).toBeNull();
});
