/**
 * Issues tokens by the client-credentials grant. The document shows no errors of this endpoint, so they are OAuth 2.0's (RFC 6749,
 * section 5.2). The order of checks: method (in `service`), content type, size, the three fields, grant type, credentials.
 */
import type { Access } from "./access";
import { type ServiceCall, json } from "./answers";
import type { Accounts } from "./backend";
import { hasContentType, maxBodyBytes, bodyText } from "./body";

const formType = "application/x-www-form-urlencoded";

export async function answerToken(
  call: ServiceCall,
  options: {
    readonly accounts: Accounts;
    readonly access: Access;
    readonly tokenLifetimeSeconds: number;
  },
): Promise<Response> {
  if (!hasContentType(call.request, formType)) {
    return tokenError(400, "invalid_request", `Send the fields form-encoded, with content-type ${formType}.`);
  }
  const body = await bodyText(call.request);
  if (body === null) {
    return tokenError(413, "invalid_request", `The body is larger than ${maxBodyBytes} bytes.`);
  }

  const form = new URLSearchParams(body);
  for (const name of ["grant_type", "client_id", "client_secret"]) {
    const values = form.getAll(name);
    if (values.length > 1) {
      return tokenError(400, "invalid_request", `The form field ${name} is given more than once.`);
    }
    if (values[0] === undefined || values[0] === "") {
      return tokenError(400, "invalid_request", `The form field ${name} is missing.`);
    }
  }
  if (form.get("grant_type") !== "client_credentials") {
    return tokenError(400, "unsupported_grant_type", "The form field grant_type must be client_credentials.");
  }

  const consumerId = form.get("client_id") ?? "";
  if (!(await options.accounts.checkSecret(consumerId, form.get("client_secret") ?? ""))) {
    return tokenError(401, "invalid_client", "The client ID and the client secret do not belong together.");
  }
  return json(
    200,
    {
      access_token: await options.access.issue(consumerId),
      token_type: "Bearer",
      expires_in: options.tokenLifetimeSeconds,
    },
    { pragma: "no-cache" },
  );
}

export type TokenErrorCode =
  | "invalid_request"
  | "unsupported_grant_type"
  | "invalid_client"
  | "temporarily_unavailable";

export function tokenError(status: number, error: TokenErrorCode, description: string): Response {
  return json(status, { error, error_description: description });
}
