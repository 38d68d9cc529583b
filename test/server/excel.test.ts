/** `npm run excel`: the order of its steps on each system, and its message where Excel is missing. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(__dirname, "..", "..");
const module_ = (name: string) => pathToFileURL(join(root, "src", "start", name)).href;

interface Story {
  readonly platform: string;
  /** Number of checks until the server answers; null if it never does. */
  readonly answersAfter?: number | null;
  readonly certificates?: "refused";
  /** Whether another server uses the port already. */
  readonly isServedAlready?: boolean;
  /** What ends it. */
  readonly ends?: "user" | "server" | "server at start";
  /** Why the tool that registers the add-in with Excel fails. */
  readonly sideloadFails?: string;
}

/** Runs the real order of steps, only in Node, with steps that only report that they ran. */
function play(story: Story): { code: number; log: string[] } {
  const script = `
    import { openExcel } from ${JSON.stringify(module_("open-excel.mjs"))};
    const story = ${JSON.stringify(story)};
    const log = [];
    let looks = 0;
    let endServer;
    const ended = new Promise((resolve) => (endServer = resolve));
    if (story.ends === "server at start") endServer();
    const code = await openExcel({
      platform: story.platform,
      prepare: () => log.push("prepare"),
      async certificates() {
        log.push("certificates");
        if (story.certificates === "refused") throw new Error("you said no");
        return { cert: "a.crt", key: "a.key" };
      },
      serve({ cert, key }) {
        log.push("serve " + cert + " " + key);
        return { ended, stop: () => log.push("stop server") };
      },
      async isServing() {
        looks += 1;
        if (looks === 1) return story.isServedAlready === true;
        return story.answersAfter !== null && looks > (story.answersAfter ?? 1);
      },
      pause: async () => undefined,
      async sideload(action) {
        log.push("sideload " + action);
        if (action === "start" && story.ends === "server") endServer();
        if (story.sideloadFails) throw new Error(story.sideloadFails);
      },
      stopped: story.ends === "user" ? new Promise((resolve) => setTimeout(resolve, 20)) : new Promise(() => {}),
      say: (line) => log.push("# " + line),
    });
    console.log(JSON.stringify({ code, log }));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return JSON.parse(output) as { code: number; log: string[] };
}

const steps = ({ log }: { log: string[] }) => log.filter((line) => !line.startsWith("#"));
const words = ({ log }: { log: string[] }) => log.filter((line) => line.startsWith("#")).join("\n");

describe("on Windows and macOS", () => {
  it.each(["win32", "darwin"])(
    "%s: prepares, serves over HTTPS, opens Excel, and removes INV from it at the end",
    (platform) => {
      const told = play({ platform, ends: "user", answersAfter: 3 });
      expect(steps(told)).toEqual([
        "prepare",
        "certificates",
        "serve a.crt a.key",
        "sideload start",
        "sideload stop",
        "stop server",
      ]);
      expect(told.code).toBe(0);
    },
  );

  it("without certificates nothing is served, and the reason is printed", () => {
    const told = play({ platform: "win32", certificates: "refused" });
    expect(steps(told)).toEqual(["prepare", "certificates"]);
    expect(words(told)).toContain("you said no");
    expect(words(told)).toContain("docs/excel.md");
    expect(told.code).toBe(1);
  });

  it("a server that was already running isn't used", () => {
    const told = play({ platform: "win32", isServedAlready: true });
    expect(steps(told)).toEqual(["prepare", "certificates"]);
    expect(words(told)).toContain("Stop that server first");
    expect(told.code).toBe(1);
  });

  it.each([
    ["never answers", { answersAfter: null }],
    ["ends at once, because its port is in use", { ends: "server at start", answersAfter: null }],
  ] as const)("a server that %s keeps Excel closed", (_title, story) => {
    const told = play({ platform: "darwin", ...story });
    expect(steps(told)).toEqual(["prepare", "certificates", "serve a.crt a.key", "stop server"]);
    expect(told.code).toBe(1);
  });

  it("when the server ends later, the sideload ends too", () => {
    const told = play({ platform: "win32", ends: "server" });
    expect(steps(told).slice(-3)).toEqual(["sideload start", "sideload stop", "stop server"]);
    expect(told.code).toBe(1);
  });

  it("after a failed sideload the server keeps running, for a sideload by hand", () => {
    const told = play({ platform: "win32", ends: "user", sideloadFails: "Unable to sideload." });
    expect(words(told)).toMatch(/could not be opened with INV: Unable to sideload\.[\s\S]*by hand/);
    expect(words(told)).toContain("could not be removed from Excel: Unable to sideload.");
    expect(told.code).toBe(0);
  });
});

test.each(["linux", "freebsd"])(
  "on %s says where Excel runs, names the browser workbook, and exits with 1",
  (platform) => {
    const told = play({ platform });
    expect(steps(told)).toEqual([]);
    expect(words(told)).toMatch(/Windows and macOS[\s\S]*npm start[\s\S]*browser workbook/);
    expect(told.code).toBe(1);
  },
);

const elsewhere = ["win32", "darwin"].includes(process.platform) ? test.skip : test;

elsewhere("the command itself does so, touching nothing", () => {
  const run = (name: string) =>
    spawnSync(process.execPath, [join(root, "src", "start", name)], { encoding: "utf8" });
  expect(run("excel.mjs")).toMatchObject({
    stdout: expect.stringContaining("npm start") as string,
    stderr: "",
    status: 1,
  });
  expect(run("stop.mjs")).toMatchObject({
    stdout: expect.stringContaining("nothing to stop") as string,
    status: 0,
  });
});

elsewhere("the tool that tells Excel fails in words where there is no Excel", () => {
  const script = `
      import { sideload } from ${JSON.stringify(module_("sideload.mjs"))};
      await sideload("start").then(() => console.log("no failure"), (error) => console.log("failed: " + error.message));
    `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(output).toContain("failed: Unable to sideload the Office Add-in.");
});
