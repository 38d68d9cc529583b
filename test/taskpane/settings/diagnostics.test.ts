/** Diagnostics: everything that support needs, and no secret. */
import { createDeviceSettings } from "../../../src/connection/device-settings";
import { createObservable } from "../../../src/domain/notices";
import { InvError } from "../../../src/domain/errors";
import { createCellRegister } from "../../../src/cells/cell-register";
import type { Engine, Progress } from "../../../src/engine/types";
import { diagnostics } from "../../../src/taskpane/settings/diagnostics";
import type { PaneConnection, ConnectionState } from "../../../src/connection/types";
import type { OpenWorkbook } from "../../../src/workbook/open-workbook";
import type { PaneServices } from "../../../src/taskpane/services";
import { anEnvironment, notSetUp } from "../../connection/environments";
import { createVirtualClock } from "../../helpers/virtual-clock";

const quota = { used: 12, limit: 600, resumesAtMs: null };
const progress: Progress = {
  busy: false,
  cells: { requested: 3, waiting: 0, inFlight: 0, done: 2, failed: 1 },
  calls: { sent: 12, savedRequests: 4 },
  quota: { search: quota, events: quota },
  remainingMs: 0,
  faults: [{ scope: "events", error: new InvError("not-subscribed", "Not subscribed to events.") }],
};

function services(): PaneServices {
  const clock = createVirtualClock();
  const demo = anEnvironment("demo", "demo");
  const environment = { ...demo, tokenUrl: "https://user:pass@inv.example/token?client_secret=demo-secret" };
  const cells = createCellRegister({ clock });
  const call = cells.begin("Sheet1!C2", "demo");
  const outage = new InvError("service-down", "The service is not available (500).", {
    httpStatus: 500,
    traceId: "trace-1",
  });
  call.failed(outage, { row: 0, col: 0, store: "1234", item: "00012345678905" });
  call.settled();
  return {
    engine: {
      progress: () => progress,
      connection: { environment, credentials: demo.accounts?.[0] },
    } as unknown as Engine,
    cells,
    clock,
    connection: createObservable<ConnectionState>({
      ready: true,
      environments: [environment, notSetUp("sandbox", "sandbox")],
      listError: null,
      environment,
      missingId: null,
      hasCredentials: true,
      consumerId: "demo-id",
      person: null,
      account: "demo",
      inMemory: ["demo"],
      remembered: [],
      orphaned: [],
      awaitsConsent: false,
      canRemember: true,
      earlierCells: 7,
      notice: null,
    }) as unknown as PaneConnection,
    settings: createDeviceSettings({ storage: null, partition: "" }),
    workbook: createObservable<OpenWorkbook>({ kind: "none" }),
    host: { kind: "excel", description: "Excel 16.0", lacks: ["old"] },
    version: "1.2.3",
  } as unknown as PaneServices;
}

describe("diagnostics", () => {
  const text = diagnostics(services());

  it("contain version, host, environment, settings, progress, faults and problems with their trace", () => {
    expect(JSON.parse(text)).toMatchObject({
      inv: "1.2.3",
      host: "Excel 16.0",
      lacks: ["old"],
      environment: { id: "demo", kind: "demo" },
      credentials: "present",
      environments: ["demo (demo)", "sandbox (sandbox)"],
      settings: { freshnessMinutes: 15 },
      engine: { calls: { sent: 12 }, faults: [{ scope: "events", code: "not-subscribed" }] },
      cells: { earlier: 7 },
      lastProblems: [{ cell: "Sheet1!C2", code: "service-down", httpStatus: 500, traceId: "trace-1" }],
    });
  });

  it.each(["demo-secret", "rival-secret", "demo-id", "rival-id", "user:pass"])(
    "never contain %s",
    (secret) => {
      expect(text).not.toContain(secret);
    },
  );
});
