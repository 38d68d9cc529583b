/**
 * The pane's page as a visitor: it listens to the workbook and to the colours for as long as it is loaded.
 * When its frame is loaded again, the page before is gone, and so is everything that it listened to.
 */
import type { BrowserHost } from "../workbook/browser-host";
import type { Workbook } from "../workbook/port";

export interface FrameVisit {
  /** The same, with listeners that end with the visit. */
  workbook(workbook: Workbook): Workbook;
  onTheme: BrowserHost["onTheme"];
  /** The page has gone. */
  leave(): void;
}

export function createFrameVisit(onTheme: BrowserHost["onTheme"]): FrameVisit {
  let stops = new Set<() => void>();
  let editListeners = new Set<Parameters<Workbook["onEdit"]>[0]>();

  /** Keeps the way to stop until it is used, or until the page goes. */
  function tracked(stop: () => void): () => void {
    const own = stops;
    own.add(stop);
    return () => {
      if (own.delete(stop)) stop();
    };
  }

  return {
    workbook(workbook) {
      workbook.onEdit((areas) => {
        for (const listener of editListeners) listener(areas);
      });
      return {
        ...workbook,
        onEdit: (listener) => void editListeners.add(listener),
        onSelection: (listener) => tracked(workbook.onSelection(listener)),
      };
    },
    onTheme: (listener) => tracked(onTheme(listener)),
    leave() {
      const left = [...stops];
      stops = new Set();
      editListeners = new Set();
      for (const stop of left) stop();
    },
  };
}
