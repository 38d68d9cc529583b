/**
 * Installs a team's server as docs/deploy.md does, command by command: the archive is made, unpacked elsewhere, checked with
 * the page's own configuration, and serves there without the project. Folders and addresses are the test's own.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { selfSigned } from "../helpers/certificate";
import { ownFolder } from "../helpers/own-folder";
import { until } from "../helpers/until";

const root = join(__dirname, "..", "..");
const text = readFileSync(join(root, "docs", "deploy.md"), "utf8");
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block = ""]) => block);
const [pack = "", unpackAndCheck = "", serve = "", ask = "", ...more] = blocks("sh");
const [configuration = ""] = blocks("json");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const shell = process.platform === "win32" ? "bash" : "sh";

describe("docs/deploy.md", () => {
  const { path: folder, write } = ownFolder();
  let server: ChildProcess | null = null;
  let variables: NodeJS.ProcessEnv;
  let started: Promise<string> | null = null;
  let output = "";
  /** What unpacking and checking printed. */
  let checked: string;

  beforeAll(() => {
    expect(more).toEqual([]);
    const { cert, key } = selfSigned();
    const certificate = write("inv.example.com.pem", cert);
    write("inv.example.com.key", key);
    // The document's addresses and ports are placeholders.
    const documented = JSON.parse(here(configuration)) as Readonly<Record<string, unknown>>;
    write("inv.json", { ...documented, host: "localhost", operationsPort: 0 });
    variables = {
      PATH: [join(root, "test", "helpers", "bin"), join(process.execPath, ".."), process.env["PATH"]].join(
        delimiter,
      ),
      HOME: folder,
      PORT: "0",
      NODE_EXTRA_CA_CERTS: certificate,
      npm_config_ignore_scripts: "true",
      npm_config_pack_destination: folder,
    };
    run(pack, root);
    checked = run(unpackAndCheck);
  });
  afterAll(() => void server?.kill("SIGKILL"));

  const here = (commands: string) =>
    commands.replaceAll("/opt/inv", join(folder, "opt")).replaceAll("/etc/inv", folder);

  function run(commands: string, cwd = folder): string {
    const ended = spawnSync(shell, ["-euc", here(commands)], { cwd, env: variables, encoding: "utf8" });
    if (ended.status !== 0) throw new Error(`${commands}\n${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  }

  /** The server's address. It runs until a test stops it. */
  function address(): Promise<string> {
    return (started ??= new Promise<string>((resolve, reject) => {
      output = "";
      server = spawn(shell, ["-euc", `exec ${here(serve.trim())}`], { cwd: folder, env: variables });
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const found = /"address":"([^"]+)"/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      server.stdout?.on("data", read);
      server.stderr?.on("data", read);
      server.once("exit", (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
    }));
  }

  it("packs, unpacks and checks", () => {
    expect(checked).toBe(`${join(folder, "inv.json")} is right.\n`);
    // It contains all packages, including those that load only for signing in or for several servers.
    const load = `import { discovery } from "openid-client"; import { createClient } from "@redis/client";`;
    const look = `${load} console.log(typeof discovery, typeof createClient)`;
    expect(run(`node --input-type=module -e '${look}'`, join(folder, "opt", "current"))).toBe(
      "function function\n",
    );
  });

  it("has a Dockerfile that copies existing files, runs npm's scripts, and unpacks the same archive", () => {
    const dockerfile = readFileSync(join(root, "docs", "operations", "Dockerfile"), "utf8");
    const lines = (instruction: string) =>
      [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, "gm"))].map(([, rest = ""]) => rest);
    const copied = lines("COPY").filter((line) => !line.startsWith("--from"));
    const sources = copied.flatMap((line) => line.split(" ").slice(0, -1));
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // What a build depends on, what webpack copies, and what `npm ci` and `npm pack` read.
    const prepare = JSON.stringify(pathToFileURL(join(root, "src", "start", "prepare.mjs")));
    const list = `import { builtFrom } from ${prepare}; console.log(JSON.stringify(builtFrom));`;
    const built = JSON.parse(run(`node --input-type=module -e '${list}'`)) as readonly string[];
    const webpackText = readFileSync(join(root, "webpack.config.js"), "utf8");
    const copiedByWebpack = [...webpackText.matchAll(/\bfrom: "([\w.-]+)/g)].map(([, path = ""]) => path);
    expect(copiedByWebpack).toContain("LICENSE");
    const needed = [...built, ...copiedByWebpack, "package.json", ".npmrc", "docs"];
    expect(needed.filter((path) => !sources.includes(path))).toEqual([]);
    expect(lines("RUN").slice(0, 3)).toEqual(["npm ci --no-fund --no-audit", "npm run build", "npm pack"]);
    const unpack = lines("RUN")[3] ?? "";
    const image = join(folder, "image");
    mkdirSync(image);
    run(unpack.replace("/tmp/inv.tgz", join(folder, `inv-${version}.tgz`)), image);
    const start = (JSON.parse(lines("ENTRYPOINT")[0] ?? "[]") as string[]).join(" ");
    expect(run(`${start} --check`, image)).toBe(`${join(folder, "inv.json")} is right.\n`);
  });

  it("names a configuration's mistakes, and exits with 1", () => {
    write("wrong.json", '{ "port": "http", "environments": [{ "id": "live" }] }');
    const command =
      'node /opt/inv/current/src/start/serve.mjs --config wrong.json --check || echo "ended with $?"';
    const printed = run(`unset PORT && { ${command}; } 2>&1`);
    expect(printed).toContain("port: Invalid input: expected number, received string");
    expect(printed).toContain('environments[0].kind: Invalid option: expected one of "sandbox"|"production"');
    expect(printed).toContain("ended with 1");
  });

  it("serves from only the archive, with the documented answers", async () => {
    const origin = await address();
    const operations = /"metrics":"(\S+)\/metrics"/.exec(output)?.[1] ?? "";
    const answers = run(
      ask.replaceAll("https://inv.example.com", origin).replaceAll("http://127.0.0.1:9464", operations),
    );
    expect(answers).toContain(`{"ok":true,"version":"${version}"}{"ok":true}`);
    expect(answers).toContain("# HELP inv_page_calls_total");
    expect(run(`curl -s ${origin}/manifest.xml`)).toContain("<OfficeApp");
    expect(run(`curl -s ${origin}/taskpane.html`)).toContain("<script");
    const { environments } = JSON.parse(run(`curl -s ${origin}/environments.json`)) as {
      environments: { id: string }[];
    };
    expect(environments.map(({ id }) => id)).toEqual(["production", "sandbox"]);
  });

  it("logs lines of JSON, and stops on a signal", async () => {
    const messages = () =>
      output
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
    await address();
    expect(messages()).toContain("INV is running");
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server?.kill("SIGTERM");
    expect(await ended).toBe(0);
    started = null;
    await until(() => messages().includes("INV is stopping"));
  });
});
