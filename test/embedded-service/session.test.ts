/** The session of docs/service.md word for word, with the server of `npm start`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type ServerProcess, startServer } from "../helpers/server-process";

const root = join(__dirname, "..", "..");
const documentedOrigin = "http://localhost:3000";

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

describe("the service of npm start", () => {
  let service: ServerProcess;

  beforeAll(async () => {
    service = await startServer("server");
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

  it("answers an unknown path with the server's own 404, as the page says", async () => {
    const answer = await fetch(`${service.origin}/embedded-sandbox/nothing`);
    expect({ status: answer.status, body: (await answer.json()) as unknown }).toEqual({
      status: 404,
      body: { statusCode: 404, error: "Not Found", message: "Route GET:/embedded-sandbox/nothing not found" },
    });
  });
});
