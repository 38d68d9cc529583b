/**
 * What the browser workbook offers to the add-in's page that it shows in a frame of the same origin:
 * `window.invHost` of the parent. In Excel there is no such thing, and Office.js is loaded instead.
 * The frame finds it before any other script runs, so that functions register as they do in Excel.
 */
import type { Workbook } from "./port";

export type Theme = "light" | "dark";

/** Excel's `CustomFunctions` as far as the add-in uses it. */
export interface CustomFunctionsHost {
  associate(id: string, implementation: (...parameters: unknown[]) => unknown): void;
  readonly Error: new (code: string, message?: string) => { readonly code: string; readonly message: string };
  readonly ErrorCode: Readonly<Record<string, string>>;
}

export interface BrowserHost {
  readonly customFunctions: CustomFunctionsHost;
  /** Resolves once the grid stands. */
  readonly workbook: Promise<Workbook>;
  /** The colour scheme now, and again at every change. Returns the way to stop. */
  onTheme(listener: (theme: Theme) => void): () => void;
  /** What a key or a button of the page runs, by the ids of the shortcuts file. */
  onCommand(id: string, run: () => Promise<void>): void;
  showPane(): void;
  /** What is being typed into a cell, null while nothing is. */
  editedFormula(): string | null;
  /** Gives the keyboard back to the grid (F6). */
  focusGrid(): void;
  /** Shows how INV stands and how old the stock is, also while the pane is hidden. */
  showStock(stock: ShownStock): void;
}

export interface ShownStock {
  /** The pane's word: `Ready`, `Not connected`. */
  readonly state: string;
  /** How old the stock is; "" hides it. */
  readonly text: string;
  readonly isWarning: boolean;
  /** Leads to the values that are old; null where none is. */
  readonly showOld: { readonly title: string; show(): void } | null;
}

declare global {
  interface Window {
    invHost?: BrowserHost;
  }
}
