/** Types of the measurements, shared by the workers that write them and the report that shows them. */
import { middle } from "./figures";
import type { EditResult, FirstResult } from "./measure";
import type { SheetResult } from "./sheet-run";

export interface Findings {
  readonly machine: string;
  /** Results by `<measurement> <contender> <workload>`. A first sheet has several. */
  readonly results: Readonly<Record<string, unknown>>;
}

export interface Results {
  /** Results of each window of the peer that was tried. */
  sheets(peer: Peer, workload: string): readonly SheetResult[];
  edit(peer: Peer, figure: keyof EditResult): number;
  /** A number for one cell, from Excel's call to its value. */
  cell(figure: CellFigure, peer: Peer): number;
}

export const peers = ["inv", "dataloader", "window"] as const;
export type Peer = (typeof peers)[number];
export type CellFigure = keyof FirstResult | "known" | "waiting" | "answered";

export function typed(found: Findings["results"]): Results {
  const of = (name: string): unknown => {
    const result = found[name];
    if (result === undefined || result === null) throw new Error(`Not measured: ${name}.`);
    return result;
  };
  const windowsOf = (peer: Peer, measurement: string, workload: string): readonly unknown[] =>
    Object.keys(found)
      .filter((name) => name.startsWith(`${measurement} ${peer}`) && name.endsWith(` ${workload}`))
      .map(of);
  const functionOf = (peer: Peer): string => (peer === "inv" ? "qty" : `qty-${peer}`);
  return {
    sheets: (peer, workload) => windowsOf(peer, "sheet", workload) as readonly SheetResult[],
    edit(peer, figure) {
      const edits = windowsOf(peer, "edit", "") as readonly EditResult[];
      return Math.min(...edits.map((edit) => edit[figure] ?? Infinity));
    },
    cell(figure, peer) {
      if (figure === "known" || figure === "waiting" || figure === "answered") {
        return of(`${figure} ${functionOf(peer)} `) as number;
      }
      const sheets = of(`first ${functionOf(peer)} `) as readonly FirstResult[];
      return middle(sheets.map((first) => first[figure]));
    },
  };
}

/** The least value of a number, among the windows that lost the fewest cells. */
export function bestOf(windows: readonly SheetResult[], figure: (result: SheetResult) => number): number {
  const fewest = Math.min(...windows.map(lostBy));
  return Math.min(...windows.filter((each) => lostBy(each) === fewest).map(figure));
}

export function goodShare(result: SheetResult): number {
  return (result.good - lostBy(result)) / result.good;
}

export function lostBy({ lost, wrong, stuck }: SheetResult): number {
  return lost + wrong + stuck;
}
