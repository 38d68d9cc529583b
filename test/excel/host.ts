/**
 * Excel's native side for tests: answers what Microsoft's runtime sends over its bridge, from sheets of its
 * own. Limits are Excel's: answers and requests over 5 MB are refused as on the web, address lists over
 * 8,190 characters are refused. Every round trip is counted.
 * The objects that requests speak of are in host-objects.ts; how a request is read, in rich-api.ts.
 */
import type { Block } from "./block";
import { type Culture, givenCulture } from "./culture";
import { createFunctionHost, type FunctionHost } from "./function-host";
import { createHostObjects } from "./host-objects";
import type { HostName } from "./names";
import { createRichApi, refuse, type RequestBody } from "./rich-api";
import { type HostSheet, newSheet } from "./sheet";

export interface ExcelHost {
  readonly sheets: HostSheet[];
  /** The workbook's own and those of its sheets. */
  readonly names: HostName[];
  /** What each round trip did, in order. */
  readonly trips: string[][];
  /** Each of them beside its size, how it ended, and whether it was to wait while a cell is being edited. */
  readonly requests: HostRequest[];
  /** Codes with which the next round trips fail before anything of them ran; null for one that passes. */
  readonly failures: (string | null)[];
  active: string;
  selection: { readonly sheet: string; readonly blocks: readonly Block[] } | null;
  calculationMode: "Automatic" | "Manual";
  /** Its regional settings and language. */
  culture: Culture;
  /** A formula that is written into a Table's column is filled over its other cells (reported, office-js 5909, 6745). */
  fillsTables: boolean;
  /** What formulas show on sheets that are added. */
  shows: HostSheet["shows"];
  /** Excel for Mac while another workbook is in front refuses the names of sheets (reported, office-js 6365). */
  refusesSheetNames: boolean;
  /** Office's library in the page is older than the Excel, and knows no `valuesAsJson`. */
  officeJsIsOld: boolean;
  /** Waits before each round trip, in which other people may edit. */
  pace: () => Promise<void>;
  /** Minor version of the ExcelApi set. */
  excelApi: number;
  sheet(name: string): HostSheet;
  /** Tells of a selection. */
  moveSelection(sheet: string, ...blocks: Block[]): void;
  /** Tells of an edit; the cells themselves are changed by the test. */
  change(sheet: string, address: string, changeType?: `${Excel.DataChangeType}`): void;
  /** That any was deleted, or that Plan is now Week 47. */
  tellOfSheet(event: "onDeleted" | "onNameChanged", names?: { nameBefore: string; nameAfter: string }): void;
  /** Tells the add-in that its pane is shown. */
  showPane(): void;
  /** A key that the add-in has an action for; with nothing associated Microsoft's runtime forgets it. */
  pressKey(action: string): void;
  /** Custom functions, where the page is one that has them. */
  readonly functions: FunctionHost;
  /** What Microsoft's runtime finds as its bridge. */
  readonly bridge: Bridge;
}

export interface HostRequest {
  readonly names: readonly string[];
  readonly bytes: number;
  readonly answerBytes: number;
  readonly waitsForEdit: boolean;
  /** The code with which it was refused as a whole. */
  readonly refused: string | null;
}

/** `_richApiNativeBridge`: texts of JSON in both directions. */
export interface Bridge {
  sendMessageToHost(text: string): void;
  /** Set by the runtime. */
  onMessageFromHost?: (text: string) => void;
}

interface Message {
  readonly id: number;
  readonly type: number;
  readonly flags: number;
  readonly message: { readonly body: RequestBody };
}

/** Documented for Excel on the web. */
const mostBytes = 5 * 1024 * 1024;
const messageTypes = { request: 1, answer: 2, events: 3 };
/** As Microsoft's runtime numbers them. */
const eventTypes = {
  onSelectionChanged: 2,
  onChanged: 10,
  onDeleted: 15,
  onNameChanged: 25,
  onVisibilityChanged: 65_539,
};
const eventCategory = 65_536;
const actionMessage = { messageCategory: 2, messageType: 1000, targetId: "" };
const waitForEditFlag = 64;

export function createExcelHost(names: readonly string[]): ExcelHost {
  const bridge: Bridge = {
    sendMessageToHost: (text) => setImmediate(() => void host.pace().then(() => receive(text))),
  };
  const host: ExcelHost = {
    sheets: names.map((name) => newSheet(name)),
    names: [],
    trips: [],
    requests: [],
    failures: [],
    active: names[0] ?? "",
    selection: null,
    calculationMode: "Automatic",
    culture: givenCulture,
    fillsTables: false,
    shows: () => 0,
    refusesSheetNames: false,
    officeJsIsOld: false,
    pace: () => Promise.resolve(),
    excelApi: 17,
    sheet: (name) => host.sheets.find((sheet) => sheet.name === name) ?? refuse("ItemNotFound"),
    moveSelection(sheet, ...blocks) {
      host.selection = { sheet, blocks };
      tell("onSelectionChanged", {});
    },
    change(sheet, address, changeType = "RangeEdited") {
      tell("onChanged", { worksheetId: host.sheet(sheet).id, address, changeType, source: "Local" });
    },
    tellOfSheet: (event, names = { nameBefore: "Plan", nameAfter: "Week 47" }) =>
      tell(event, { worksheetId: "{any}", source: "Local", ...names }),
    showPane: () => tell("onVisibilityChanged", { visibility: "Visible" }),
    pressKey(action) {
      const entry = { ...actionMessage, message: JSON.stringify([action]) };
      send({ type: messageTypes.events, message: { entries: [entry] } });
    },
    functions: createFunctionHost((entries) => send({ type: messageTypes.events, message: { entries } })),
    bridge,
  };
  const api = createRichApi(createHostObjects(host), {
    "Microsoft.ExcelServices.CustomFunctions": host.functions.service,
    "Microsoft.AppRuntime.AppRuntimeService": {},
    "Microsoft.InternalService.AddinInternalService": { notifyActionHandlerReady: () => null },
    "Microsoft.Telemetry.TelemetryService": { sendTelemetryEvent: () => null },
  });
  return host;

  function receive(text: string): void {
    const { id, type, flags, message } = JSON.parse(text) as Message;
    if (type !== messageTypes.request) return;
    const names = api.namesOf(message.body);
    const bytes = bytesOf(text);
    const { refused, ...answer } = answerTo(message.body, { names, bytes });
    // What is left over from a batch is released in a request of its own, for which nobody waits.
    if (names.length > 0) {
      host.trips.push(names);
      const waitsForEdit = (flags & waitForEditFlag) !== 0;
      const answerBytes = bytesOf(JSON.stringify(answer));
      host.requests.push({ names, bytes, answerBytes, waitsForEdit, refused });
    }
    send({ id, type: messageTypes.answer, message: answer });
  }

  function answerTo(body: RequestBody, { names, bytes }: { names: string[]; bytes: number }): Answer {
    const failure = names.length > 0 ? (host.failures.shift() ?? null) : null;
    if (failure !== null) return refusal(failure);
    if (bytes > mostBytes) return refusal("RequestPayloadSizeLimitExceeded");
    const answer = api.answer(body);
    if (bytesOf(JSON.stringify(answer)) > mostBytes) return refusal("ResponsePayloadSizeLimitExceeded");
    return { statusCode: 200, headers: {}, body: answer, refused: null };
  }

  /** Registered or not: Microsoft's runtime passes on what it has handlers for. */
  function tell(event: keyof typeof eventTypes, detail: object): void {
    const targetId = event === "onSelectionChanged" || event === "onVisibilityChanged" ? "" : "Workbook";
    const entry = {
      messageCategory: eventCategory,
      messageType: eventTypes[event],
      targetId,
      message: JSON.stringify(detail),
    };
    send({ type: messageTypes.events, message: { entries: [entry] } });
  }

  function send(message: object): void {
    bridge.onMessageFromHost?.(JSON.stringify(message));
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

interface Answer {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: unknown;
  readonly refused: string | null;
}

function refusal(code: string): Answer {
  const body = JSON.stringify({ error: { code, message: code } });
  return { statusCode: 400, headers: {}, body, refused: code };
}
