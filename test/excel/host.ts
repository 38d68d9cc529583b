/**
 * Excel's native side for tests: it answers what Microsoft's runtime sends over its bridge, from its own sheets. Limits are
 * Excel's: it refuses answers and requests over 5 MB, as Excel on the web does, and address lists over 8,190 characters.
 * It counts every round trip.
 * host-objects.ts contains the objects that requests name; rich-api.ts reads requests.
 */
import type { Block } from "./block";
import { type Culture, english } from "./culture";
import { createFunctionHost, type FunctionHost } from "./function-host";
import { createHostObjects } from "./host-objects";
import type { HostName } from "./names";
import { createRichApi, refuse, type RequestBody } from "./rich-api";
import { type HostSheet, newSheet } from "./sheet";

export interface ExcelHost {
  readonly sheets: HostSheet[];
  /** Names of the workbook and of its sheets. */
  readonly names: HostName[];
  /** What each round trip did, in order. */
  readonly trips: string[][];
  /** Each round trip with its size, how it ended, and whether it asked to wait while a cell is edited. */
  readonly requests: HostRequest[];
  /** Error codes of the next round trips, which fail before anything runs. Null lets a round trip pass. */
  readonly failures: (string | null)[];
  active: string;
  selection: { readonly sheet: string; readonly blocks: readonly Block[] } | null;
  calculationMode: "Automatic" | "Manual";
  /** Days are counted from 1904, as in workbooks of old Excel for Mac. */
  countsFrom1904: boolean;
  culture: Culture;
  /** A formula written into a Table's column also fills its other cells (reported, office-js 5909, 6745). */
  fillsTables: boolean;
  /** What formulas show on sheets that are added. */
  shows: HostSheet["shows"];
  /** Excel for Mac refuses the names of sheets while another workbook is in front (reported, office-js 6365). */
  refusesSheetNames: boolean;
  /** The structure of the workbook is protected. */
  isProtected: boolean;
  /** The page's Office library is older than Excel and lacks `valuesAsJson`. */
  officeJsIsOld: boolean;
  /** Waits before each round trip. Other people may edit during the wait. */
  pace: () => Promise<void>;
  /** Minor version of the ExcelApi set. */
  excelApi: number;
  sheet(name: string): HostSheet;
  moveSelection(sheet: string, ...blocks: Block[]): void;
  /** Reports an edit. The test itself changes the cells. */
  change(sheet: string, address: string, changeType?: `${Excel.DataChangeType}`): void;
  /** Reports that a sheet was added, deleted or renamed. */
  tellOfSheet(event: "onAdded" | "onDeleted" | "onNameChanged", detail?: object): void;
  /** Reports to the add-in that its pane is shown. */
  showPane(): void;
  /** Reports to the add-in that a person has closed its pane. */
  hidePane(): void;
  /** Presses the key of an add-in's action. If the page has associated nothing, Microsoft's runtime drops it. */
  pressKey(action: string): void;
  readonly functions: FunctionHost;
  /** The object that Microsoft's runtime finds as its bridge. */
  readonly bridge: Bridge;
}

interface HostRequest {
  readonly names: readonly string[];
  readonly bytes: number;
  readonly answerBytes: number;
  readonly waitsForEdit: boolean;
  /** Error code if the whole request was refused. */
  readonly refused: string | null;
}

/** `_richApiNativeBridge`: JSON texts in both directions. */
interface Bridge {
  sendMessageToHost(text: string): void;
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
/** Numbers of events in Microsoft's runtime. */
const eventTypes = {
  onSelectionChanged: 2,
  onChanged: 10,
  onAdded: 13,
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
    countsFrom1904: false,
    culture: english,
    fillsTables: false,
    shows: () => 0,
    refusesSheetNames: false,
    isProtected: false,
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
    tellOfSheet: (event, detail = { nameBefore: "Plan", nameAfter: "Week 47" }) =>
      tell(event, { worksheetId: "{any}", source: "Local", ...detail }),
    showPane: () => tell("onVisibilityChanged", { visibility: "Visible" }),
    hidePane: () => tell("onVisibilityChanged", { visibility: "Hidden" }),
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
    // The runtime releases a batch's leftover objects in a separate request, for which nobody waits.
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

  /** Reports an event, registered or not: Microsoft's runtime passes on only events with handlers. */
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
