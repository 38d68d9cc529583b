/** The log's lines are written in order and never block anything. */
import { until } from "../../helpers/until";
import { createLogOutput, type LogOutput } from "../../../src/server/operations/log";

type Done = (error: NodeJS.ErrnoException | null, written: number) => void;

describe("the log's output", () => {
  let asked: { readonly text: string; readonly done: Done }[];
  let output: LogOutput;
  beforeEach(() => {
    asked = [];
    output = createLogOutput({
      gatherMs: 1,
      writeSome: (bytes, done) => void asked.push({ text: bytes.toString(), done }),
    });
  });
  const failed = (code: string) => Object.assign(new Error(code), { code });

  it("writes queued lines after the previous write, and the rest of a partial write", async () => {
    output.write("one\n");
    output.flush();
    output.write("two\n");
    output.flush();
    expect(asked.map(({ text }) => text)).toEqual(["one\n"]);
    asked[0]?.done(null, 2);
    asked[1]?.done(null, 2);
    await until(() => asked.length === 3);
    expect(asked.map(({ text }) => text)).toEqual(["one\n", "e\n", "two\n"]);
  });

  it.each(["ENOSPC", "EPIPE"])("loses lines on %s, and writes later ones again", async (code) => {
    output.write("lost\n");
    output.flush();
    asked[0]?.done(failed(code), 0);
    output.write("later\n");
    await until(() => asked.length === 2);
    expect(asked[1]?.text).toBe("later\n");
  });

  it("waits for a full pipe", async () => {
    output.write("one\n");
    output.flush();
    asked[0]?.done(failed("EAGAIN"), 0);
    await until(() => asked.length === 2);
    expect(asked[1]?.text).toBe("one\n");
  });

  it("is limited when nobody reads", async () => {
    output.write("first\n");
    output.flush();
    const line = `${"x".repeat(99_999)}\n`;
    for (let index = 0; index < 50; index += 1) output.write(line);
    asked[0]?.done(null, 6);
    await until(() => asked.length === 2);
    expect(asked[1]?.text.length).toBe(1_000_000);
  });
});
