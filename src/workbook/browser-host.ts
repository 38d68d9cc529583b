/**
 * The interface between the browser workbook and the add-in's page in its frame: `window.invHost` of the parent, of the same
 * origin. In Excel it doesn't exist, and the page loads Office.js instead. It exists before any script of the frame runs, so
 * that functions register as they do in Excel.
 */
import type { Environment } from "../domain/environment";
import type { Workbook } from "./port";
import type { ValueFacts } from "./share/about-values";

export type Theme = "light" | "dark";

/** The part of Excel's `CustomFunctions` that the add-in uses. */
export interface CustomFunctionsHost {
  associate(id: string, implementation: (...parameters: unknown[]) => unknown): void;
  readonly Error: new (code: string, message?: string) => { readonly code: string; readonly message: string };
  readonly ErrorCode: Readonly<Record<string, string>>;
}

export interface BrowserHost {
  readonly customFunctions: CustomFunctionsHost;
  readonly workbook: Promise<Workbook>;
  /** Calls the listener with the colour scheme, now and after every change. Returns the unsubscribe function. */
  onTheme(listener: (theme: Theme) => void): () => void;
  /** Sets what a key or button of the page runs. The ids are those in the shortcuts file. */
  onCommand(id: string, run: () => Promise<void>): void;
  showPane(): void;
  /** Returns the formula that a person is typing; null if nobody is. */
  editedFormula(): string | null;
  /** Moves the keyboard focus to the grid (F6). */
  focusGrid(): void;
  /** Shows the environment, INV's state, the waiting cells and the age of the stock, also while the pane is hidden. */
  showStock(stock: ShownStock): void;
}

export interface ShownStock {
  /** Where the numbers come from; null if no environment is chosen. */
  readonly environment: Pick<Environment, "id" | "kind"> | null;
  /** The pane's word for the state: `Ready`, `Not connected`. */
  readonly state: string;
  /** Number of cells that wait for answers, as the pane counts them. */
  readonly waitingCells: number;
  /** The age of the stock; "" hides it. */
  readonly text: string;
  readonly isWarning: boolean;
  /** Shows the old values; null if there are none. */
  readonly showOld: { readonly title: string; show(): void } | null;
  /** Returns what a download says about the values. */
  valueFacts(): ValueFacts;
}

declare global {
  interface Window {
    invHost?: BrowserHost;
  }
}
