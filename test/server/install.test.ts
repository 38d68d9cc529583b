/**
 * Installs and upgrades a team's server as docs/install.md and run.md do, command by command: the release is
 * made, checked and unpacked elsewhere, and serves there without the project. Folders and addresses are the test's own.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { selfSigned } from "../helpers/certificate";
import { ownFolder } from "../helpers/own-folder";
import { until } from "../helpers/until";

const root = join(__dirname, "..", "..");
const blocks = (page: string, language: string) =>
  [
    ...readFileSync(join(root, "docs", page), "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"),
    ),
  ].map(([, block = ""]) => block);
const [unpack = "", check = "", serve = "", ask = "", ...more] = blocks("install.md", "sh");
const [configuration = ""] = blocks("install.md", "json");
const [upgrade = "", ...moreUpgrades] = blocks("run.md", "sh");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const shell = process.platform === "win32" ? "bash" : "sh";

describe("docs/install.md", () => {
  const { path: folder, write } = ownFolder();
  let server: ChildProcess | null = null;
  let variables: NodeJS.ProcessEnv;
  let started: Promise<string> | null = null;
  let output = "";
  /** What unpacking and checking printed. */
  let checked: string;

  beforeAll(() => {
    expect([...more, ...moreUpgrades]).toEqual([]);
    const { cert, key } = selfSigned();
    const certificate = write("inv.example.com.pem", cert);
    write("inv.example.com.key", key);
    // The document's addresses and ports are placeholders.
    const documented = JSON.parse(here(configuration)) as Readonly<Record<string, unknown>>;
    write("inv.json", { ...documented, host: "localhost", monitoringPort: 0 });
    variables = {
      PATH: [join(root, "test", "helpers", "bin"), join(process.execPath, ".."), process.env["PATH"]].join(
        delimiter,
      ),
      HOME: folder,
      PORT: "0",
      NODE_EXTRA_CA_CERTS: certificate,
      npm_config_ignore_scripts: "true",
    };
    run("node src/start/release.mjs", root);
    cpSync(join(root, "dist", "release"), folder, { recursive: true });
    run(unpack);
    checked = run(check);
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

  it("is released as an archive with its digest and bill of materials", () => {
    expect(readdirSync(join(root, "dist", "release")).sort()).toEqual([
      `inv-${version}.sbom.cdx.json`,
      `inv-${version}.tgz`,
      `inv-${version}.tgz.sha256`,
    ]);
    const materials = JSON.parse(readFileSync(join(folder, `inv-${version}.sbom.cdx.json`), "utf8")) as {
      components: { name: string }[];
    };
    expect(materials.components.map(({ name }) => name)).toContain("fastify");
    // A damaged archive is refused.
    writeFileSync(join(folder, "broken.sha256"), `${"0".repeat(64)}  inv-${version}.tgz\n`);
    expect(run('sha256sum --check broken.sha256 2>&1 || echo "ended with $?"')).toContain("ended with 1");
  });

  it("unpacks and checks", () => {
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
    expect(lines("RUN").slice(0, 2)).toEqual(["npm ci --no-fund --no-audit", "npm run release"]);
    const unpackInImage = lines("RUN")[2] ?? "";
    const image = join(folder, "image");
    mkdirSync(image);
    run(unpackInImage.replace("/tmp/inv.tgz", join(folder, `inv-${version}.tgz`)), image);
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

  it("has a health check in its Dockerfile that tells a running server from none", async () => {
    const dockerfile = readFileSync(join(root, "docs", "operations", "Dockerfile"), "utf8");
    const command = JSON.parse(/^HEALTHCHECK .*?CMD (.*)$/m.exec(dockerfile)?.[1] ?? "[]") as string[];
    const exitCode = (port: string) =>
      spawnSync(process.execPath, [
        command[1] ?? "",
        (command[2] ?? "").replace("port: 3000", `port: ${port}`),
      ]).status;
    expect([exitCode(new URL(await address()).port), exitCode("1")]).toEqual([0, 1]);
  });

  it("upgrades, with the parts of the version before", () => {
    const app = (name: string) => join(folder, "opt", name, "dist", "app");
    const [part = ""] = readdirSync(app(version)).filter((name) => name.startsWith("assets-"));
    cpSync(join(folder, `inv-${version}.tgz`), join(folder, "inv-1.0.0.tgz"));
    writeFileSync(join(app(version), part, "before.js"), "");
    const steps = upgrade.trim().split("\n");
    const [last = ""] = steps.splice(-1);
    run(steps.join("\n"));
    expect(existsSync(join(app("1.0.0"), part, "before.js"))).toBe(true);
    expect(realpathSync(app("current"))).toBe(app(version));
    run(last);
    expect(realpathSync(app("current"))).toBe(app("1.0.0"));
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
