/** Documents, alert rules and dashboard name the server's actual settings and metrics. `UPDATE_DOCS=1` writes docs/settings.md. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { get } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createMetrics } from "../../src/server/monitoring/metrics";
import { hasHaproxy, openHaproxy } from "../drills/haproxy";
import { until } from "../helpers/until";
import { configurationReference } from "./settings/reference";

const docs = join(__dirname, "..", "..", "docs");
const settings = join(docs, "settings.md");

/** Removes the spaces and dashes with which the formatter aligns tables. */
function unaligned(text: string): string {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---").trim();
}

if (process.env["UPDATE_DOCS"] !== undefined) writeFileSync(settings, configurationReference());

it("docs/settings.md describes every setting as the schema does", () => {
  expect(unaligned(readFileSync(settings, "utf8"))).toBe(unaligned(configurationReference()));
});

it.each(["alerts.yml", "dashboard.json"])(
  "docs/operations/%s names only figures that exist",
  async (file) => {
    const text = readFileSync(join(docs, "operations", file), "utf8");
    const named = [...text.matchAll(/\binv_\w+/g)].map(([name]) => name.replace(/_bucket$/, ""));
    expect(named.length).toBeGreaterThan(3);
    const figureNames = [...(await createMetrics().text()).matchAll(/^# HELP (inv_\w+)/gm)].map(
      ([, name]) => name,
    );
    expect(named.filter((name) => !figureNames.includes(name))).toEqual([]);
  },
);

(hasHaproxy() ? it : it.skip)(
  "HAProxy as in docs/several-servers.md logs no query, which may contain items or a sign-in's code, and lets nobody choose an address",
  async () => {
    const callers: unknown[] = [];
    const server = createServer(({ url, headers }, response) => {
      if (url !== "/readyz") callers.push(headers["x-forwarded-for"]);
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const one = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const haproxy = await openHaproxy({ servers: [one, one, one] });
    const headers = { "x-forwarded-for": "10.1.1.1" };
    const ask = (path: string) =>
      new Promise<unknown>((resolve, reject) => {
        const asked = get(haproxy.origin + path, { rejectUnauthorized: false, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on("error", reject);
      });
    // HAProxy itself answers 503 while its checks find no server, as after a standstill of this process.
    for (const path of ["/relay/production/events?gtin=00012345678905", "/sign-in/back?code=of-jane"]) {
      await until(async () => (await ask(path)) === 200);
    }
    await until(() => /GET \/relay/.test(haproxy.log()) && /GET \/sign-in/.test(haproxy.log()));
    haproxy.close();
    server.closeAllConnections();
    server.close();
    expect(haproxy.log()).not.toMatch(/gtin|of-jane/);
    expect(new Set(callers)).toEqual(new Set(["127.0.0.1"]));
  },
);

it("docs/install.md has systemd make the folder of published templates, without which the server doesn't start", () => {
  const text = readFileSync(join(docs, "install.md"), "utf8");
  const folder = /"folder": "\/var\/lib\/([^"]+)"/.exec(text)?.[1] ?? "no folder";
  expect(text).toContain(`\`StateDirectory=${folder}\``);
});
