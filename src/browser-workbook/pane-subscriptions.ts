/**
 * Ties the pane's subscriptions to the workbook and the theme to one load of the pane's page. If the frame reloads,
 * all subscriptions of the previous page end.
 */
import type { BrowserHost } from "../workbook/browser-host";
import type { Workbook } from "../workbook/port";

export interface PaneSubscriptions {
  /** Returns the workbook, with subscriptions that end with the visit. */
  workbook(workbook: Workbook): Workbook;
  onTheme: BrowserHost["onTheme"];
  end(): void;
}

export function createPaneSubscriptions(onTheme: BrowserHost["onTheme"]): PaneSubscriptions {
  let stops = new Set<() => void>();
  let editListeners = new Set<Parameters<Workbook["onEdit"]>[0]>();

  /** Registers an unsubscribe function, which runs once: when it is called or when the page unloads. */
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
    end() {
      const left = [...stops];
      stops = new Set();
      editListeners = new Set();
      for (const stop of left) stop();
    },
  };
}
