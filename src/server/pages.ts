/**
 * The built pages and their headers: what may be cached, who may frame them, and each page's
 * Content-Security-Policy. No page allows an inline script or eval.
 */
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Excel on the web shows the pane in a frame of its own hosts. */
const officeFrames = [
  "https://*.officeapps.live.com",
  "https://*.office.com",
  "https://*.office365.com",
  "https://*.microsoft365.com",
  "https://*.cloud.microsoft",
  "https://*.sharepoint.com",
];
/** Office requires its library from its own address; the library loads its host files from there too. */
const officeScripts = "https://appsforoffice.microsoft.com";

const common = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];

const panePolicy = [
  ...common,
  `script-src 'self' ${officeScripts}`,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  `connect-src 'self' ${officeScripts}`,
  `frame-ancestors 'self' ${officeFrames.join(" ")}`,
].join("; ");

const workbookPolicy = [
  ...common,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
].join("; ");

const helpPolicy = [...common, "style-src 'self'", "img-src 'self'", "frame-ancestors 'self'"].join("; ");

export interface PagesOptions {
  /** The folder the build writes: taskpane.html, workbook.html, functions.json, help/, assets/ … */
  readonly folder: string;
}

export async function pages(fastify: FastifyInstance, { folder }: PagesOptions): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: folder,
    redirect: false,
    index: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(
        headersFor(path.slice(folder.length).replaceAll("\\", "/")),
      )) {
        response.setHeader(name, value);
      }
    },
  });
  fastify.get("/", (_request, reply) => reply.sendFile("workbook.html"));
  for (const path of ["/help", "/help/"]) {
    fastify.get(path, (_request, reply) => reply.redirect("/help/index.html"));
  }
  fastify.get<{ Params: { name: string } }>("/help/:name", (request, reply) =>
    sendHelp(reply, folder, request.params.name),
  );
}

/** `/help/qty` and `/help/qty.html` are the same page. */
function sendHelp(reply: FastifyReply, folder: string, name: string): FastifyReply {
  const file = /^[a-z]+$/.test(name) ? `${name}.html` : name;
  return reply.sendFile(file, join(folder, "help"));
}

function headersFor(path: string): Record<string, string> {
  const headers: Record<string, string> = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // Excel on the web reads the metadata, scripts and icons from its own pages.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": path.startsWith("/assets")
      ? "public, max-age=86400"
      : "public, max-age=0, must-revalidate",
  };
  const policy = policyFor(path);
  if (policy !== null) headers["content-security-policy"] = policy;
  return headers;
}

function policyFor(path: string): string | null {
  if (!path.endsWith(".html")) return null;
  if (path === "/taskpane.html") return panePolicy;
  return path.startsWith("/help/") ? helpPolicy : workbookPolicy;
}
