/**
 * Keeps a workbook that can't be calculated from making the page unusable for good: after two loads in a row that did not
 * finish calculating, or a calculation that took too long, the workbook opens without calculating, until the person
 * asks for it.
 */

export interface LoadGuard {
  /** Whether the workbook may be calculated while it opens. */
  readonly allowsCalculation: boolean;
  /** The workbook is about to be calculated. */
  begin(): void;
  /** All of it has been calculated. */
  finish(): void;
  /** The calculation took too long. */
  giveUp(): void;
}

const mostUnfinished = 2;

/** @param storage null where the browser gives none: then every load calculates */
export function createLoadGuard(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null,
  environment: string,
): LoadGuard {
  const key = `inv.workbook.${environment}.unfinished`;
  const unfinished = Number(storage?.getItem(key) ?? 0);

  function write(count: number): void {
    try {
      if (count === 0) storage?.removeItem(key);
      else storage?.setItem(key, String(count));
    } catch {
      // A full or forbidden storage: the next load calculates.
    }
  }

  return {
    allowsCalculation: !(unfinished >= mostUnfinished),
    begin: () => write(Math.min(unfinished, mostUnfinished) + 1),
    finish: () => write(0),
    giveUp: () => write(mostUnfinished),
  };
}
