/**
 * The tables of what a person waits for: a cell's whole way beside one scalar function per cell, the engine alone
 * beside its peers, a grid from one formula, and the pane beside a big sheet. And the aims that were missed.
 */
import type { Results } from "./findings";
import { ownMs } from "./measure-beside";
import { table } from "./table";
import { functions } from "./whole-way";

/** How many times the best peer's. */
const mostTimesBest = 2.7;
const mostTimesBestEngine = 1.5;
const mostWaitingBytes = 650;
/** Of the record that answers a later question, its consumer items as they came among it: some 1,250 of the bench's. */
const mostAnsweredBytes = 1_350;
const mostPasses = 2;
const longestBlockMs = 100;

const peers = ["qty-window", "qty-tick"];
const enginePeers = ["window", "tick"];
const notMeasured = "not finished";

type Show = (contender: string) => number | null | undefined;

export function wholeSections(results: Results): string {
  return [wholeSection(results), gridSection(results), besideSection(results)].join("\n\n");
}

function wholeSection(results: Results): string {
  const row = (title: string, show: Show): string[] => [
    title,
    ...functions.map(({ id }) => figure(show(id))),
    times(timesBest(show, "qty", peers)),
  ];
  const head = ["c, whole way", ...functions.map(({ title }) => title), "INV.QTY x the best"];
  const rows = [
    row("first sheet of a fresh process, us a cell", (id) => results.first(id)?.firstUs),
    row("the same after three sheets, us a cell", (id) => results.first(id)?.warmUs),
    row("bytes of a cell that waits", (id) => results.memory(id)),
    row("bytes kept of an item that was answered", (id) => results.answered(id)),
  ];
  const engineFirst: Show = (id) => results.first(id)?.firstUs;
  const engine = [
    ["first sheet of a fresh process, us a cell"].concat(
      ["inv", ...enginePeers].map((id) => figure(engineFirst(id))),
      times(timesBest(engineFirst, "inv", enginePeers)),
    ),
  ];
  return (
    "## The whole way\n\nFrom the function that Excel calls to the value that leaves it: processor time, the median of five processes\n" +
    "of each, taken in turns. The others' function takes and returns one value and checks nothing. Bytes are those beyond one\n" +
    `pending promise and the function that resolves it, both held.\n\n${table(head, rows)}\n\n` +
    table(["c, engine alone", "INV", "100 ms window", "dataloader, tick", "INV x the best"], engine)
  );
}

function gridSection(results: Results): string {
  const grid = results.grid();
  const best = least(peers.map((id) => results.first(id)?.firstUs));
  const warmBest = least(peers.map((id) => results.first(id)?.warmUs));
  const rows = [
    ["first in a fresh process", grid?.firstUs, best, grid?.firstBlockMs],
    ["after three", grid?.warmUs, warmBest, grid?.warmBlockMs],
  ].map(([title, us, peer, blockMs]) => [
    String(title),
    figure(us as number | undefined),
    times(typeof us === "number" && typeof peer === "number" ? us / peer : null),
    figure(blockMs as number | undefined),
    figure(grid?.bytes),
  ]);
  const head = [
    "",
    "us a value",
    "x the best function per cell",
    "ms of the longest block",
    "bytes a value that waits",
  ];
  return `## A grid from one formula\n\n1,000 items x 100 stores from one cell.\n\n${table(head, rows)}`;
}

function besideSection(results: Results): string {
  const beside = results.beside();
  const rows = (beside?.rows ?? []).map((row) => [
    row.title,
    ownMs(row).toFixed(0),
    times(beside ? ownMs(row) / beside.passMs : null),
    row.blockMs.toFixed(0),
  ]);
  const shown =
    rows.length === 0 ? "Not finished." : table(["", "ms", "x one pass", "ms of the longest block"], rows);
  return (
    "## The pane beside a big sheet\n\n200,000 INV formulas, all calculated. One pass: each formula's address is made and its entry in the register looked up.\n\n" +
    shown
  );
}

/** Figures that move with the machine; a miss is told and fails nothing. */
export function missedWholeAims(results: Results): string[] {
  const limits: readonly (readonly [string, number | null, number])[] = [
    [
      "first sheet, whole way, x the best",
      timesBest((id) => results.first(id)?.firstUs, "qty", peers),
      mostTimesBest,
    ],
    [
      "warm sheet, whole way, x the best",
      timesBest((id) => results.first(id)?.warmUs, "qty", peers),
      mostTimesBest,
    ],
    [
      "first sheet, engine alone, x the best",
      timesBest((id) => results.first(id)?.firstUs, "inv", enginePeers),
      mostTimesBestEngine,
    ],
    ["bytes of a waiting cell, whole way", results.memory("qty") ?? null, mostWaitingBytes],
    ["bytes kept of an answered item, whole way", results.answered("qty") ?? null, mostAnsweredBytes],
    ...(results.beside()?.rows ?? []).flatMap(
      (row) =>
        [
          [
            `beside 200,000 formulas, ${row.title}: passes`,
            ownMs(row) / (results.beside()?.passMs ?? NaN),
            mostPasses,
          ],
          [`beside 200,000 formulas, ${row.title}: ms of the longest block`, row.blockMs, longestBlockMs],
        ] as const,
    ),
  ];
  return limits.flatMap(([title, value, most]) => {
    if (value === null) return [`${title}: not measured`];
    return value <= most ? [] : [`${title}: ${value.toFixed(2)}, at most ${String(most)} aimed at`];
  });
}

function timesBest(show: Show, own: string, others: readonly string[]): number | null {
  const ours = show(own);
  const best = least(others.map(show));
  return typeof ours === "number" && best !== null ? ours / best : null;
}

function least(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === "number");
  return known.length === 0 ? null : Math.min(...known);
}

function figure(value: number | null | undefined): string {
  return typeof value === "number" ? value.toFixed(value < 100 ? 1 : 0) : notMeasured;
}

function times(value: number | null): string {
  return value === null ? notMeasured : value.toFixed(2);
}
