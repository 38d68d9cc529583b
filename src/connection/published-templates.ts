/**
 * The templates that people of an environment publish for each other, on a server that they sign in to. Every
 * request contains the session, and the server decides who may publish.
 */
import type { Transport } from "../api/transport";
import type { Environment } from "../domain/environment";
import { InvError } from "../domain/errors";
import { readTemplate } from "../domain/templates/read-template";
import type { Template } from "../domain/templates/template";
import * as z from "../domain/zod";
import type { ConnectionManager } from "./connection";
import { postToServer } from "./sign-in";

export interface PublishedTemplate {
  readonly template: Template;
  /** A person who replaces or removes the template sends the version that they saw. */
  readonly version: number;
  readonly author: string;
  /** By the server's clock. */
  readonly publishedAtMs: number;
}

interface PublishedList {
  readonly templates: readonly PublishedTemplate[];
  readonly mayPublish: boolean;
}

/** All methods reject with an InvError. */
export interface PublishedTemplates {
  /** Empty if nobody is signed in. */
  list(): Promise<PublishedList>;
  /** @param version the one that it replaces, 0 for a new template */
  publish(template: Template, version: number): Promise<void>;
  remove(id: string, version: number): Promise<void>;
}

const listed = z.object({
  template: z.unknown(),
  version: z.number(),
  author: z.string(),
  publishedAt: z.iso.datetime(),
});
const listAnswer = z.object({
  templates: z.array(listed),
  mayPublish: z.boolean(),
});
const refusalAnswer = z.object({ detail: z.string() });
const noTemplates: PublishedList = { templates: [], mayPublish: false };

export function createPublishedTemplates(options: {
  readonly environment: () => Environment | null;
  readonly sessionOf: ConnectionManager["sessionOf"];
  readonly transport: Transport;
  readonly baseUrl: string;
}): PublishedTemplates {
  const { environment, sessionOf, transport, baseUrl } = options;

  /** Resolves to null if nobody is signed in. */
  async function send(what: string, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
    const inUse = environment();
    const session = inUse?.credentials === "server" ? await sessionOf(inUse) : null;
    if (inUse === null || session === null) return null;
    const url = new URL(`published-templates/${what}/${inUse.id}`, baseUrl);
    const response = await postToServer(transport, url, { session: session.session, ...fields });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    const refused = z.safeParse(refusalAnswer, answer);
    throw new InvError(
      response.status === 401 ? "signed-out" : "not-possible",
      refused.success ? refused.data.detail : "INV's server refused the template. Try again later.",
    );
  }

  async function change(what: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    if ((await send(what, fields)) === null) {
      throw new InvError("signed-out", "Sign in again, then try again.");
    }
  }

  return {
    async list() {
      const answer = await send("list", {});
      if (answer === null) return noTemplates;
      const read = z.safeParse(listAnswer, answer);
      if (!read.success) throw new InvError("bad-answer", "The list of templates can't be read. Try again.");
      const templates = read.data.templates.flatMap(({ template, version, author, publishedAt }) => {
        const checked = readTemplate(template).template;
        const publishedAtMs = Date.parse(publishedAt);
        return checked === null ? [] : [{ template: checked, version, author, publishedAtMs }];
      });
      return { templates, mayPublish: read.data.mayPublish };
    },
    publish: (template, version) => change("publish", { template, version }),
    remove: (id, version) => change("remove", { id, version }),
  };
}
