/**
 * Serves the built pages with their headers: caching, framing and Content-Security-Policy. No page allows
 * inline scripts or eval.
 */
import { readFileSync, type Stats } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { addressedFiles, forAddress } from "./address";
import { digestOf } from "./digest";

/** Excel on the web shows the pane in a frame of these hosts, or in nested frames. */
const officeFrames = [
  "https://*.officeapps.live.com",
  "https://onedrive.live.com",
  "https://*.office.com",
  "https://*.office.net",
  "https://*.office365.com",
  "https://*.online.office365.us",
  "https://*.microsoft365.com",
  "https://*.cloud.microsoft",
  "https://teams.microsoft.com",
  "https://*.sharepoint.com",
  "https://*.sharepoint.us",
];
/** Office requires that its library is loaded from this address. The library loads more files from there. */
const officeScripts = "https://appsforoffice.microsoft.com";

const common = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];

const panePolicy = (frames: readonly string[]) =>
  [
    ...common,
    `script-src 'self' ${officeScripts}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${officeScripts}`,
    `frame-ancestors 'self' ${[...officeFrames, ...frames].join(" ")}`,
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

/** The pane in the browser workbook's frame. */
const workbookPanePolicy = [
  ...common,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'self'",
].join("; ");

const helpPolicy = [...common, "style-src 'self'", "img-src 'self'", "frame-ancestors 'self'"].join("; ");

/** Chunks, whose names contain a digest of their content. */
const hashed = /^\/assets-(?:addin|workbook)\/.+\.[0-9a-f]{8}\.\w+(?:\.br|\.gz)?$/;

export interface PagesOptions {
  /**
   * The build's output folder, with taskpane.html, workbook.html, functions.json, help/, assets/ and more.
   */
  readonly folder: string;
}

export async function pages(fastify: FastifyInstance, { folder }: PagesOptions): Promise<void> {
  const { frames } = fastify.core.config;
  const etagOf = createEtags();
  await fastify.register(fastifyStatic, {
    root: folder,
    redirect: false,
    index: false,
    cacheControl: false,
    // A package has one date for all of its files, and two builds of a file often have the same size.
    etag: false,
    lastModified: false,
    // The build writes the compressed files (src/build/compressed-files.cjs).
    preCompressed: true,
    setHeaders: (response, path, stats) => {
      const file = path.slice(folder.length).replaceAll("\\", "/");
      const headers = headersFor(file.replace(/\.(?:br|gz)$/, ""), frames);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (!hashed.test(file)) response.setHeader("etag", etagOf(path, stats));
    },
  });
  for (const name of addressedFiles) {
    fastify.get(`/${name}`, async (request, reply) => {
      const text = await readFile(join(folder, name), "utf8");
      const type = name.endsWith(".xml") ? "text/xml" : "application/json";
      const content = forAddress(text, request.headers.host ?? "");
      reply.raw.setHeader("etag", etagFor(content));
      return reply
        .headers(headersFor(`/${name}`, frames))
        .type(`${type}; charset=utf-8`)
        .send(content);
    });
  }
  fastify.addHook("onSend", (request, reply, payload) => {
    const etag = reply.raw.getHeader("etag");
    const isKnown = etag !== undefined && names(request.headers["if-none-match"], String(etag));
    return Promise.resolve(isKnown ? notModified(reply, payload) : payload);
  });
  fastify.get("/", (_request, reply) => reply.sendFile("workbook.html"));
  for (const path of ["/help", "/help/"]) {
    fastify.get(path, (_request, reply) => reply.redirect("/help/index.html"));
  }
  fastify.get<{ Params: { name: string } }>("/help/:name", (request, reply) =>
    sendHelp(reply, folder, request.params.name),
  );
}

/** Returns a function that reads each file once, and again when it has changed: `npm run dev` builds while the server runs. */
function createEtags(): (path: string, stats: Stats) => string {
  const etags = new Map<string, { readonly version: string; readonly etag: string }>();
  return (path, { size, mtimeMs, ctimeMs }) => {
    const version = [size, mtimeMs, ctimeMs].join();
    let known = etags.get(path);
    if (known?.version !== version) {
      known = { version, etag: etagFor(readFileSync(path)) };
      etags.set(path, known);
    }
    return known.etag;
  };
}

function etagFor(content: string | Buffer): string {
  return `"${digestOf(content)}"`;
}

/** Returns the payload of a 304: none. */
function notModified(reply: FastifyReply, payload: unknown): null {
  if (payload instanceof Readable) payload.destroy();
  for (const header of ["content-type", "content-encoding", "content-length"]) reply.removeHeader(header);
  reply.code(304);
  return null;
}

/** Returns whether an If-None-Match header names the ETag. A proxy may have made it weak. */
function names(header: string | undefined, etag: string): boolean {
  const named = (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes(etag) || named.includes("*");
}

/** `/help/qty` and `/help/qty.html` are the same page. */
function sendHelp(reply: FastifyReply, folder: string, name: string): FastifyReply {
  const file = /^[a-z]+$/.test(name) ? `${name}.html` : name;
  return reply.sendFile(file, join(folder, "help"));
}

function headersFor(path: string, frames: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {
    // Excel on the web reads the metadata, scripts and icons from its own pages.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    vary: "accept-encoding",
    "cache-control": cachingOf(path),
  };
  const policy = policyFor(path, frames);
  if (policy !== null) {
    headers["content-security-policy"] = policy;
    // A page that opens INV can't control INV's window. A window that INV opens can still answer.
    headers["cross-origin-opener-policy"] = "same-origin-allow-popups";
  }
  return headers;
}

function cachingOf(path: string): string {
  if (hashed.test(path)) return "public, max-age=31536000, immutable";
  return path.startsWith("/assets/") ? "public, max-age=86400" : "public, max-age=0, must-revalidate";
}

function policyFor(path: string, frames: readonly string[]): string | null {
  if (!path.endsWith(".html")) return null;
  if (path === "/taskpane.html") return panePolicy(frames);
  if (path === "/workbook-pane.html") return workbookPanePolicy;
  return path.startsWith("/help/") ? helpPolicy : workbookPolicy;
}
