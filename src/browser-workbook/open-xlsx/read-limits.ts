/**
 * Limits what INV reads from a file, over all its sheets. A small file can become large in the grid, for example if a
 * million cells share one long text.
 */
import { FileFault } from "./file-fault";

export interface ReadLimits {
  add(what: "cells" | "characters" | "spilled cells", count: number): void;
}

const most = { cells: 1_000_000, characters: 60_000_000, "spilled cells": 1_000_000 } as const;

export function createReadLimits(): ReadLimits {
  const counts = { cells: 0, characters: 0, "spilled cells": 0 };
  return {
    add(what, count) {
      counts[what] += count;
      if (counts[what] <= most[what]) return;
      throw new FileFault(
        `The file is too large to be opened here: it has more than ${most[what].toLocaleString("en")} ${what}.`,
      );
    },
  };
}
