/**
 * Installs and upgrades a team's server as docs/install.md and run.md do, command by command: the release is
 * made, checked and unpacked elsewhere, and serves there without the project. Then two servers of it run as docs/several-servers.md
 * says, and a person signs in. Folders and addresses are the test's own. What needs root, systemd or Docker isn't run.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
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
import { Agent, request } from "undici";
import { documented } from "../drills/documented";
import { documentedRedis, redisPassword, redisUser } from "../drills/documented-redis";
import { hasHaproxy, openHaproxy } from "../drills/haproxy";
import { selfSigned } from "../helpers/certificate";
import { freePort } from "../helpers/free-port";
import { ownFolder } from "../helpers/own-folder";
import {
  challengeOf,
  clientId,
  clientSecret,
  logIn,
  type ProviderProcess,
  startProvider,
} from "../helpers/provider";
import { hasRedis, type RedisProcess, startRedis } from "../helpers/redis-process";
import { type ServerProcess, startServer, trialEnvironment } from "../helpers/server-process";
import { until } from "../helpers/until";

const root = join(__dirname, "..", "..");
const blocks = (page: string, language: string) =>
  [
    ...readFileSync(join(root, "docs", page), "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"),
    ),
  ].map(([, block = ""]) => block);
const [unpack = "", check = "", serve = "", ask = "", sessions = "", ...more] = blocks("install.md", "sh");
const [configuration = ""] = blocks("install.md", "json");
const [upgrade = "", ...moreUpgrades] = blocks("run.md", "sh");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const shell = process.platform === "win32" ? "bash" : "sh";

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const hasBoth = hasHaproxy() && hasRedis();
/** Skipped without `haproxy` or `redis-server`. */
const describeWithBoth = hasBoth ? describe : describe.skip;

interface Running {
  readonly process: ChildProcess;
  readonly origin: string;
  output(): string;
}

interface Settings {
  readonly environments: readonly object[];
  readonly signIn?: object;
}

describe("docs/install.md", () => {
  const { path: folder, write } = ownFolder();
  const servers: Running[] = [];
  let variables: NodeJS.ProcessEnv;
  let started: Promise<Running> | null = null;
  /** What unpacking and checking printed. */
  let checked: string;

  beforeAll(() => {
    expect([...more, ...moreUpgrades]).toEqual([]);
    const { cert, key } = selfSigned();
    const certificate = write("inv.example.com.pem", cert);
    write("inv.example.com.key", key);
    // The document's addresses and ports are placeholders.
    const own = JSON.parse(here(configuration)) as Readonly<Record<string, unknown>>;
    write("inv.json", { ...own, host: "localhost", monitoringPort: 0 });
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
  afterAll(() => {
    for (const { process } of servers) process.kill("SIGKILL");
  });

  const here = (commands: string) =>
    commands.replaceAll("/opt/inv", join(folder, "opt")).replaceAll("/etc/inv", folder);

  function run(commands: string, cwd = folder): string {
    const ended = spawnSync(shell, ["-euc", here(commands)], { cwd, env: variables, encoding: "utf8" });
    if (ended.status !== 0) throw new Error(`${commands}\n${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  }

  /** Starts a server with this configuration, as the page does. */
  async function start(configuration: string, more: NodeJS.ProcessEnv = {}): Promise<Running> {
    const command = here(serve.trim()).replace(join(folder, "inv.json"), configuration);
    const child = spawn(shell, ["-euc", `exec ${command}`], { cwd: folder, env: { ...variables, ...more } });
    let output = "";
    const origin = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const found = /"address":"([^"]+)"/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
    });
    const running = { process: child, origin, output: () => output };
    servers.push(running);
    return running;
  }

  /** The server of the page. It runs until a test stops it. */
  const one = () => (started ??= start(join(folder, "inv.json")));

  /** The commands with the addresses of a server. */
  const at = ({ origin, output }: Running, commands: string) =>
    commands
      .replaceAll("https://inv.example.com", origin)
      .replaceAll("http://127.0.0.1:9464", /"metrics":"(\S+)\/metrics"/.exec(output())?.[1] ?? "");

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

  (hasSystemd ? it : it.skip)("has a unit that systemd understands", () => {
    const [unit = ""] = blocks("install.md", "ini");
    const path = write("inv.service", here(unit).replaceAll("/usr/bin/node", process.execPath));
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], {
      encoding: "utf8",
    });
    expect(`${stdout}${stderr}`.split("\n").filter((line) => line.includes("inv.service"))).toEqual([]);
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
    const { origin } = await one();
    const answers = run(at(await one(), ask));
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
    expect([exitCode(new URL((await one()).origin).port), exitCode("1")]).toEqual([0, 1]);
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
    const { process: server, output } = await one();
    const messages = () =>
      output()
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages()).toContain("INV is running");
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    expect(await ended).toBe(0);
    started = null;
    await until(() => messages().includes("INV is stopping"));
  });

  describeWithBoth("as two servers that people sign in to, behind HAProxy and with one Redis", () => {
    let address: string;
    let dispatcher: Agent;
    let provider: ProviderProcess;
    const both: Running[] = [];
    const closing: (() => unknown)[] = [];

    beforeAll(async () => {
      const port = await freePort();
      address = `https://localhost:${port}`;
      provider = await startProvider([`${address}/sign-in/back`]);
      closing.push(() => provider.stop());
      const service = await startServer("service");
      closing.push(() => service.stop());
      const secured = documentedRedis();
      const redis = await startRedis(secured.options);
      closing.push(() => redis.kill());
      const settings = severalSettings({ service, redis, certPath: secured.certPath });
      const path = write("several.json", settings);
      const login = { INV_REDIS_USER: redisUser };
      both.push(...(await Promise.all([start(path, login), start(path, login)])));
      const [first, other] = both as [Running, Running];
      const haproxy = await openHaproxy({ servers: [first, other, other], port });
      closing.push(() => haproxy.close());
      dispatcher = new Agent({ connect: { ca: readFileSync(haproxy.caPath, "utf8") } });
      closing.push(() => dispatcher.close());
    });
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
    });

    /** The settings of install.md, with those of its sign-in and of several-servers.md. */
    function severalSettings({
      service,
      redis,
      certPath,
    }: {
      readonly service: Pick<ServerProcess, "origin">;
      readonly redis: Pick<RedisProcess, "port">;
      readonly certPath: string;
    }): object {
      const several = documented("text", [
        ["10.0.0.11", "127.0.0.1"],
        ["10.0.0.1", "127.0.0.1"],
        ["redis.example.com:6380", `localhost:${redis.port}`],
        ["/etc/inv/authority.pem", certPath],
        ["/run/credentials/inv.service/redis-password", write("redis-password", redisPassword)],
      ]);
      const withSignIn = documented(
        "json",
        [
          ["your-client-id", "demo-consumer"],
          ["/run/credentials/inv.service/service-secret", write("service-secret", "demo-secret")],
          ["https://inv.example.com", address],
          ["https://login.microsoftonline.com/YOUR-TENANT-ID/v2.0", provider.issuer],
          ["the-client-id-of-inv-there", clientId],
          ["/run/credentials/inv.service/sign-in-secret", write("sign-in-secret", clientSecret)],
          ["offline_access", "groups"],
          ["the-id-of-a-group", "inv-users"],
        ],
        { page: "install.md", at: 1 },
      );
      const alone = JSON.parse(configuration) as Settings;
      const { environments, signIn } = JSON.parse(withSignIn) as Settings;
      const { tokenUrl, searchUrl, eventsUrl } = trialEnvironment(service.origin);
      return {
        ...alone,
        ...(JSON.parse(`{${several}}`) as object),
        tls: undefined,
        monitoringPort: 0,
        environments: [{ ...alone.environments[0], ...environments[0], tokenUrl, searchUrl, eventsUrl }],
        signIn,
      };
    }

    const ask = (path: string, options: Parameters<typeof request>[1] = {}) =>
      request(address + path, { dispatcher, ...options });
    const post = (path: string, type: string, body: string) =>
      ask(path, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin", "content-type": type },
        body,
      });
    const tokenOf = async (session: string) => {
      const form = new URLSearchParams({ grant_type: "session", session }).toString();
      const { statusCode, body } = await post(
        "/relay/production/token",
        "application/x-www-form-urlencoded",
        form,
      );
      await body.dump();
      return statusCode;
    };

    it("a person signs in through either, and the commands list and end the session", async () => {
      const verifier = randomBytes(32).toString("base64url");
      const beginning = `/sign-in/begin/production?challenge=${challengeOf(verifier)}&via=popup`;
      const begun = await ask(beginning, { headers: { "sec-fetch-dest": "document" } });
      const cookie = String(begun.headers["set-cookie"]).split(";")[0] ?? "";
      const returned = await logIn(String(begun.headers["location"]), "jane");
      const page = await ask(returned.pathname + returned.search, {
        headers: { cookie, "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" },
      });
      const code = /data-code="(\w{8})"/.exec(await page.body.text())?.[1];
      const exchanged = JSON.stringify({ code, verifier });
      const answer = await post("/sign-in/session/production", "application/json", exchanged);
      const { session, name } = (await answer.body.json()) as { session: string; name: string };
      expect(name).toBe("Jane Doe");
      // The balancer takes the servers in turn.
      expect([await tokenOf(session), await tokenOf(session), await tokenOf(session)]).toEqual([
        200, 200, 200,
      ]);
      await until(() => both.every(({ output }) => output().includes('"operation":"token"')));

      const [list = "", end = ""] = sessions.trim().split("\n");
      const [listed] = both.map((each) => JSON.parse(run(at(each, list))) as { id: string; name: string }[]);
      expect(listed).toMatchObject([{ name: "Jane Doe" }]);
      expect(run(at(both[1]!, end).replace("ID", listed?.[0]?.id ?? ""))).toContain("Jane Doe");
      expect([await tokenOf(session), await tokenOf(session)]).toEqual([401, 401]);
    });
  });
});
