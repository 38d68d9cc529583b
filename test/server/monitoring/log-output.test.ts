/** The log's lines are written in order and never block anything. */
import { until } from "../../helpers/until";
import { createLogOutput, type LogOutput } from "../../../src/server/monitoring/log";

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

  const notice = (lines: number): string => `"msg":"${lines} lines of this log were lost, because`;

  it.each(["ENOSPC", "EPIPE"])(
    "loses lines on %s, says how many, and writes later ones again",
    async (code) => {
      output.write("lost\nlost too\n");
      output.flush();
      asked[0]?.done(failed(code), 0);
      output.write("later\n");
      expect(output.linesLost()).toBe(2);
      // There is still no room: the lines that came meanwhile wait.
      await until(() => asked.length === 2);
      expect(asked[1]?.text).toContain(notice(2));
      asked[1]?.done(failed(code), 0);
      await until(() => asked.length === 3);
      expect(asked[2]?.text).toContain(notice(2));
      asked[2]?.done(null, asked[2].text.length);
      await until(() => asked.length === 4);
      expect([asked[3]?.text, output.linesLost()]).toEqual(["later\n", 2]);
    },
  );

  it("says that a line was lost when nobody logs any more, and after half a line, on a line of its own", async () => {
    output.write("one\ntwo\n");
    output.flush();
    asked[0]?.done(null, 6);
    asked[1]?.done(failed("ENOSPC"), 0);
    await until(() => asked.length === 3);
    expect(asked[2]?.text).toMatch(/^\n\{.*\}\n$/);
    expect(asked[2]?.text).toContain(notice(1));
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
    expect([asked[1]?.text.includes(notice(40)), output.linesLost()]).toEqual([true, 40]);
    asked[1]?.done(null, asked[1].text.length);
    expect(asked[2]?.text.length).toBe(1_000_000);
  });
});
