/** Each plug-in owns its routes: without one, the server starts and only that one's routes are missing. */
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { type AppOptions, plugIns } from "../../src/server/app";
import { embeddedService } from "../../src/server/embedded-service/routes";
import { monitoring } from "../../src/server/monitoring/monitoring";
import { pages } from "../../src/server/pages";
import { relay } from "../../src/server/relay/relay";
import { settingsSchema } from "../../src/server/settings/schema";
import { signIn } from "../../src/server/sign-in/sign-in";
import { templates } from "../../src/server/templates/templates";
import { ownFolder } from "../helpers/own-folder";
import { openApp } from "./beds";
import { settings } from "./parts";

type PlugIn = FastifyPluginAsync<AppOptions>;

const folder = ownFolder();
/** A route of each plug-in. `published-templates` needs two: templates, and sign-in. */
const routes: readonly (readonly [url: string, method: "GET" | "POST", needs: readonly PlugIn[]])[] = [
  ["/", "GET", [pages]],
  ["/help", "GET", [pages]],
  ["/environments.json", "GET", [relay]],
  ["/relay/live/token", "POST", [relay]],
  ["/relay/demo/token", "POST", [relay]],
  ["/demo-data", "GET", [embeddedService]],
  ["/sign-in/session/live", "POST", [signIn]],
  ["/templates.json", "GET", [templates]],
  ["/published-templates/list/live", "POST", [templates, signIn]],
  ["/healthz", "GET", [monitoring]],
  ["/readyz", "GET", [monitoring]],
];
const names: readonly (readonly [string, PlugIn])[] = [
  ["pages", pages],
  ["relay", relay],
  ["the embedded service", embeddedService],
  ["sign-in", signIn],
  ["templates", templates],
  ["monitoring", monitoring],
];

let app: FastifyInstance;
afterEach(() => app.close());

function open(used: readonly PlugIn[]): Promise<FastifyInstance> {
  folder.write("workbook.html", "<p>workbook");
  folder.write("taskpane.html", "<p>pane");
  const { environments, signIn: provider } = settingsSchema.parse({
    environments: [
      {
        ...{ id: "live", kind: "production", tokenUrl: "https://auth.example.com/t" },
        ...{ searchUrl: "https://api.example.com/s", eventsUrl: "https://api.example.com/e" },
      },
    ],
    signIn: {
      ...{
        label: "ACME",
        address: "http://localhost:3000",
        issuer: "https://login.invalid",
        clientId: "inv",
      },
      ...{ secret: "env:PATH", allow: { claim: "groups", values: ["planners"] } },
    },
  });
  const config = settings({ environments, signIn: provider, demo: true, monitoringPort: 0 });
  return openApp({ config, folder: folder.path }, used);
}

/** Returns the routes that the server doesn't have. */
async function missing(): Promise<readonly string[]> {
  const found = await Promise.all(
    routes.map(async ([url, method]) => {
      const { statusCode } = await app.inject({ url, method, headers: { host: "localhost" } });
      return statusCode === 404 ? [url] : [];
    }),
  );
  return found.flat();
}

it("starts with all its plug-ins, each of which is listed here", async () => {
  app = await open(plugIns);
  expect(await missing()).toEqual([]);
  expect(new Set(names.map(([, plugIn]) => plugIn))).toEqual(new Set(plugIns));
});

it.each(names)("starts without %s, and only its routes are missing", async (_name, without) => {
  app = await open(plugIns.filter((plugIn) => plugIn !== without));
  expect(await missing()).toEqual(
    routes.filter(([, , needs]) => needs.includes(without)).map(([url]) => url),
  );
});

it("gives the administrator's port the sessions of sign-in, and none without it", async () => {
  app = await open(plugIns.filter((plugIn) => plugIn !== signIn));
  const listed = await app.monitoring?.inject({ url: "/sessions" });
  expect([listed?.statusCode, listed?.json()]).toEqual([200, []]);
});
