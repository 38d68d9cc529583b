/** "Try with demo data": nothing is begun unless it can be finished. */
import { createJsonReader } from "../../src/addin/json-reader";
import { startDemo } from "../../src/addin/demo-start";
import type { ConnectionChoice, PaneConnection } from "../../src/connection/types";
import type { Workbook } from "../../src/workbook/port";
import { createMemoryWorkbook } from "../workbook/memory-workbook";
import { anEnvironment } from "../connection/environments";
import { createVirtualClock } from "../helpers/virtual-clock";

const demoData = {
  accounts: [{ name: "demo", supplier_name: "Demo Foods" }],
  stores: [1234],
  stores_in_all: 1,
  items_in_all: 1,
  items: [
    {
      gtin: "00012345678905",
      wm_item_number: "123456789",
      cid: 1,
      supplier_name: "Demo Foods",
      stores_without_data: [],
    },
  ],
};

function setUp(answer: () => Promise<Response>, environments = [anEnvironment("demo", "demo")]) {
  const used: ConnectionChoice[] = [];
  const sheets: string[] = [];
  const workbook = createMemoryWorkbook();
  const addSheet = workbook.addSheet;
  workbook.addSheet = (name, options) => {
    sheets.push(name);
    return addSheet(name, options);
  };
  const connection = {
    get: () => ({ environments }),
    connect: async (choice: ConnectionChoice) => void used.push(choice),
  } as unknown as PaneConnection;
  const run = (open: Workbook | null = workbook) =>
    startDemo({
      connection,
      readJson: createJsonReader({
        transport: answer,
        clock: createVirtualClock(),
        baseUrl: "https://inv.example/",
      }),
      workbook: () => open,
    });
  return { run, used, sheets };
}

describe("trying with demo data", () => {
  it("connects to the demo and builds the planning sheet", async () => {
    const { run, used, sheets } = setUp(async () => Response.json(demoData));
    await run();
    expect(used).toEqual([{ environmentId: "demo" }]);
    expect(sheets).toEqual(["Planning"]);
  });

  it.each([
    ["the demo's data cannot be reached", () => Promise.reject(new TypeError("no")), "unreachable"],
    ["the server has no demo", async () => new Response("", { status: 404 }), "unreachable"],
    ["the data is of another shape", async () => Response.json({ stores: [] }), "bad-answer"],
  ])("changes nothing when %s", async (_, answer: () => Promise<Response>, code) => {
    const { run, used, sheets } = setUp(answer);
    await expect(run()).rejects.toMatchObject({ code });
    expect(used).toEqual([]);
    expect(sheets).toEqual([]);
  });

  it("reports a missing workbook or demo environment", async () => {
    const answer = async () => Response.json(demoData);
    await expect(setUp(answer).run(null)).rejects.toMatchObject({ code: "not-connected" });
    const other = setUp(answer, [anEnvironment("sandbox", "sandbox")]);
    await expect(other.run()).rejects.toMatchObject({ code: "not-connected" });
  });
});
