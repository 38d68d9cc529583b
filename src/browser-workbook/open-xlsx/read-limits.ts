/**
 * Why a file can't be opened, and the limits on what INV reads from one, over all its sheets. A small file can become
 * large in the grid, for example if a million cells share one long text.
 */

/** The page shows the message to the person unchanged. */
export class FileFault extends Error {
  readonly code = "file-fault";
}

export function isFileFault(error: unknown): error is FileFault {
  return error instanceof Error && "code" in error && error.code === "file-fault";
}

export interface ReadLimits {
  add(what: "cells" | "characters" | "spilled cells", count: number): void;
}

const limits = { cells: 1_000_000, characters: 60_000_000, "spilled cells": 1_000_000 } as const;

export function createReadLimits(): ReadLimits {
  const counts = { cells: 0, characters: 0, "spilled cells": 0 };
  return {
    add(what, count) {
      counts[what] += count;
      if (counts[what] <= limits[what]) return;
      throw new FileFault(
        `The file is too large to be opened here: it has more than ${limits[what].toLocaleString("en")} ${what}.`,
      );
    },
  };
}
