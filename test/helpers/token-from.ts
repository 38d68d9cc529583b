/** Requests a token from a running server, as a page does. */
export async function tokenFrom(
  origin: string,
  environment: string,
  account = { consumer_id: "acme", client_secret: "s3cret" },
): Promise<string> {
  const answer = await fetch(`${origin}/relay/${environment}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: account.consumer_id,
      client_secret: account.client_secret,
    }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
