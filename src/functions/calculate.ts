/**
 * The frame around every function: the host's call in, a matrix out. A call becomes one record, since sheets make
 * 100,000 of them at once; it waits for the session if it must and for its turn, asks for its places, and leaves
 * for the host when the last of them has settled. What comes back goes one way: from the engine to its place, from
 * there to the formula, and out of here.
 * Invariant: the promise settles, and it rejects with the host's error or not at all.
 */
import type { CellCall } from "../cells/cell-register";
import { type InvError, toInvError } from "../domain/errors";
import { envelopeBytes } from "./outlet";
import { askPlaces, previewPlaceholder, type PlacedFormula } from "./places";
import { bytesOf, fitting, present, type Shown, type Taker } from "./present";
import { layOut, type Arguments, type Cells } from "./queries";
import type { Rule } from "./rule";
import {
  openedSession,
  whenOpened,
  type EarlyCall,
  type FailedSession,
  type FunctionSession,
  type LateCall,
} from "./session";
import { isRefusal, refusalOf } from "./values";

/**
 * Calculates one formula.
 * @param given the arguments by name; the Invocation may stand among them
 * @param invocation what the host appended to the arguments
 * @returns the matrix; a scalar error is thrown, so that its text reaches the cell
 */
export function calculate<Name extends string>(
  given: NoInfer<Arguments<Name>>,
  invocation: unknown,
  rule: Rule<Name>,
): Promise<unknown[][]> {
  const misplaced = isInvocation(invocation) ? null : misplacedInvocation<Name>(given);
  const found = misplaced === null ? invocation : given[misplaced];
  const own = misplaced === null ? given : { ...given, [misplaced]: null };
  if (isRuleInvocation(found)) {
    found.receiveRule(rule, own);
    return Promise.resolve([]);
  }
  return new Calculation(rule, own, readInvocation(found)).start();
}

/** Replaces the host's Invocation: the function calculates nothing, and only passes on its rule and its arguments. */
export interface RuleInvocation {
  readonly isInValuePreview: true;
  receiveRule(rule: Rule<string>, given: Arguments<string>): void;
}

function isRuleInvocation(invocation: unknown): invocation is RuleInvocation {
  return typeof invocation === "object" && invocation !== null && "receiveRule" in invocation;
}

/** Which cell asks, and whether it is only a preview of a part of a formula. */
interface Invocation {
  readonly address: string | null;
  readonly isPreview: boolean;
}

/** One formula, from its call until it leaves. */
class Calculation implements PlacedFormula, LateCall, EarlyCall {
  // Declared only: fields that the class itself writes would be written twice, in each of 100,000.
  declare readonly rule: Rule<string>;
  declare private readonly address: string | null;
  /** Until it begins. */
  declare private given: Arguments<string> | null;
  declare report: CellCall;
  declare store: unknown;
  declare item: unknown;
  declare range: PlacedFormula["range"];
  declare session: FunctionSession;
  declare private resolve: (matrix: unknown[][]) => void;
  declare private reject: (hostError: unknown) => void;

  constructor(rule: Rule<string>, given: Arguments<string>, { address, isPreview }: Invocation) {
    this.rule = rule;
    this.address = address;
    this.given = given;
    this.report = isPreview ? ofPreview : notBegun;
    this.store = null;
    this.item = null;
    this.range = null;
  }

  get isPreview(): boolean {
    return this.report === ofPreview;
  }

  /** Returns the host's promise. The calculation begins in its turn, once the add-in has started. */
  start(): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      if (this.isPreview && openedSession() === null) resolve([[previewPlaceholder]]);
      else whenOpened(this);
    });
  }

  opened(session: FunctionSession): void {
    this.session = session;
    session.timeSlices.begin(this);
  }

  failed(failure: FailedSession): void {
    this.settle([[refusalOf(failure.error)]], failure);
  }

  /** In its turn. */
  begin(): void {
    const { session, address, given } = this;
    this.given = null;
    let cells: Cells<string> | InvError;
    try {
      if (!this.isPreview) this.report = session.cells.begin(address, session.environmentId());
      cells = layOut(given ?? {});
    } catch (error) {
      cells = toInvError(error);
    }
    if ("shape" in cells) askPlaces(this, cells);
    else this.refuse(cells);
  }

  refuse(error: InvError): void {
    this.report.failed(error);
    this.end([[refusalOf(error)]]);
  }

  end(shown: Shown[][]): void {
    const bytes = envelopeBytes + bytesOf(shown);
    const fits = fitting(shown, bytes);
    const { outlet } = this.session;
    if (isRefusal(fits)) this.refuse(fits.error);
    else if (outlet.takes(bytes)) this.leave(shown);
    else outlet.hold({ bytes, release: () => this.leave(shown) });
  }

  /** Only now is the cell settled: what the outlet holds is not in the sheet yet. */
  private leave(shown: Shown[][]): void {
    this.report.settled();
    this.settle(shown, this.session);
  }

  private settle(shown: Shown[][], taker: Taker): void {
    try {
      this.resolve(present(shown, taker));
    } catch (hostError) {
      this.reject(hostError);
    }
  }
}

const unheard = (): void => undefined;
const silent: CellCall = {
  address: null,
  asks: unheard,
  answered: unheard,
  unanswered: unheard,
  marksStale: unheard,
  failed: unheard,
  settled: unheard,
};
/** The register hears nothing of a part of a formula, nor of what has not begun. */
const ofPreview: CellCall = { ...silent };
const notBegun: CellCall = { ...silent };

/**
 * What the host tells of the formula. Read before the first await, since the address was seen to change
 * after one (reported for Excel on the web).
 */
function readInvocation(found: unknown): Invocation {
  return {
    address: textOf(found, "address"),
    // Declared as text by the type definitions, a boolean in the documentation.
    isPreview: isInvocation(found) && Boolean(Reflect.get(found, "isInValuePreview")),
  };
}

/**
 * The argument in whose place the Invocation stands, or null: Excel appends it to the arguments its metadata
 * knows, and metadata may be up to a day older than this code.
 */
function misplacedInvocation<Name extends string>(given: Arguments<Name>): Name | null {
  for (const name in given) if (isInvocation(given[name])) return name;
  return null;
}

const invocationMembers = [
  "functionName",
  "isInValuePreview",
  "parameterAddresses",
  "onCanceled",
  "setResult",
];

/** Whether the host passed this value as the Invocation. */
function isInvocation(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Data types are objects too, and a picture's has an address of its own.
  if ("basicType" in value || "basicValue" in value) return false;
  return "address" in value || invocationMembers.some((member) => member in value);
}

function textOf(value: unknown, member: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text: unknown = Reflect.get(value, member);
  return typeof text === "string" && text !== "" ? text : null;
}
