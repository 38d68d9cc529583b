/** `npm run service` as a process: the session of docs/service.md word for word, and its output. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type ServerProcess, startServer } from "../helpers/server-process";

const root = join(__dirname, "..", "..");
const documentedOrigin = "http://localhost:4000";

/** The shell commands of the documentation's session, word for word but for the address. */
function documentedSession(origin: string): string {
  const text = readFileSync(join(root, "docs", "service.md"), "utf8");
  const session = /```sh\n([\s\S]*?)```/.exec(text)?.[1];
  if (session?.includes(documentedOrigin) !== true) {
    throw new Error(`Expected docs/service.md to have an sh block for ${documentedOrigin}.`);
  }
  return session.replaceAll(documentedOrigin, origin);
}

/** The search path, ending with a stand-in for machines that have no curl. */
const searchPath = [process.env.PATH, join(root, "test", "helpers", "bin")].join(delimiter);

describe("the standalone service", () => {
  let service: ServerProcess;

  beforeAll(async () => {
    service = await startServer("service");
  });
  afterAll(() => service.stop());

  it("answers the documentation's curl session: token, search, events", async () => {
    const answers = execFileSync("sh", ["-e"], {
      input: documentedSession(service.origin),
      encoding: "utf8",
      env: { ...process.env, PATH: searchPath },
    });
    // Each answer is one JSON object on a line's worth of text, without a line break between.
    const [search, events] = answers
      .split(/(?<=\})(?=\{"supplier_name")/)
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(search).toMatchObject({
      supplier_name: "Demo Foods Inc.",
      store_nbr: 1234,
      items: [
        { gtin: "00012345678905", wm_item_number: "123456789", data_retrieval_status: "SUCCESS" },
        { gtin: "00012345678912", data_retrieval_status: "SUCCESS" },
      ],
    });
    const details = events?.event_history_item_details as { event_type: string }[];
    expect(details.length).toBeGreaterThan(3);
    expect(details.every(({ event_type: type }) => type === "LR")).toBe(true);
  });

  it("prints its address, the demo account and how to stop, without a banner", () => {
    for (const part of [service.origin, "demo-consumer", "demo-secret", "Ctrl+C"]) {
      expect(service.output()).toContain(part);
    }
    expect(service.output()).not.toContain("Fault switches");
  });

  it("prints a banner when it starts with a fault on", async () => {
    const failing = await startServer("service", { arguments: ["--port", "0", "--fail", "500=2%"] });
    const settings = await fetch(`${failing.origin}/service/faults`);
    expect(await settings.json()).toMatchObject({ fail: "500=2%" });
    expect(failing.output()).toContain("!!  Fault switches are on: 2% of the requests fail (500).");
    await failing.stop();
  });

  it("says what to do about a used port and a wrong flag", async () => {
    const port = new URL(service.origin).port;
    await expect(startServer("service", { arguments: ["--port", port] })).rejects.toThrow(
      `Port ${port} is taken by another program. Stop it, or choose another`,
    );
    await expect(startServer("service", { arguments: ["--rate", "0"] })).rejects.toThrow(
      "--rate: Too small: expected number to be >=1",
    );
  });
});
