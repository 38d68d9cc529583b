/**
 * Reads three error shapes: the service's problem shape (validation, consumer, not found, server), its gateway shape (token and
 * subscription), and the OAuth shape of token services. It reads each field separately, so that one invalid field doesn't hide the
 * others. `failures` decides what a status means.
 */
import { parsedJson } from "../domain/json";
import { isWebPage, plainText } from "./values";
import * as z from "../domain/zod";

const text = z.catch(z.optional(z.string()), undefined);

const problemErrorSchema = z.looseObject({
  code: text,
  reason: text,
  property: text,
  location: text,
});

const problemSchema = z
  .looseObject({
    type: text,
    title: text,
    trace_id: text,
    status: z.catch(z.optional(z.number()), undefined),
    detail: text,
    instance: text,
    errors: z.catch(z.array(z.catch(problemErrorSchema, {})), []),
  })
  // An object without any of these fields isn't a problem.
  .check(
    z.refine((body) =>
      [body.type, body.title, body.detail, body.trace_id].some((field) => field !== undefined),
    ),
  );

const gatewaySchema = z.looseObject({
  details: z.looseObject({
    Description: text,
    "wm_svc.version": text,
    "wm_svc.name": text,
    "wm_svc.env": text,
  }),
});

/** A closed list, because other text of a token service might repeat the secret. */
const oauthErrorSchema = z.looseObject({
  error: z.enum([
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
  ]),
});

export type ProblemError = z.infer<typeof problemErrorSchema>;

export type ErrorBody =
  | {
      readonly shape: "problem";
      /** "" if there is none. */
      readonly detail: string;
      readonly traceId: string | undefined;
      readonly errors: readonly ProblemError[];
    }
  | { readonly shape: "oauth"; readonly oauthError: string; readonly traceId?: undefined }
  /** `cut-off`: the text starts as JSON and breaks off, so its content is unknown. */
  | { readonly shape: "gateway" | "web-page" | "cut-off" | "other"; readonly traceId?: undefined };

export function readErrorBody(bodyText: string): ErrorBody {
  if (isWebPage(bodyText)) return { shape: "web-page" };
  const value = parsedJson(bodyText);
  if (value === undefined && bodyText.trimStart().startsWith("{")) return { shape: "cut-off" };
  if (gatewaySchema.safeParse(value).success) return { shape: "gateway" };
  const oauth = oauthErrorSchema.safeParse(value);
  if (oauth.success) return { shape: "oauth", oauthError: oauth.data.error };
  const problem = problemSchema.safeParse(value);
  if (!problem.success) return { shape: "other" };
  const traceId = plainText(problem.data.trace_id);
  return {
    shape: "problem",
    detail: plainText(problem.data.detail),
    traceId: traceId === "" ? undefined : traceId,
    errors: problem.data.errors,
  };
}
