/**
 * Reloads the page after a rebuild. Only `npm run dev` adds this script to a page, and writes the file that it polls
 * (src/start/dev.mjs). While the server restarts, nothing answers, and the page waits.
 */

import { unawaited } from "../domain/unawaited";

const lookEveryMs = 250;
let seen: string | null = null;

async function look(): Promise<void> {
  const response = await fetch("/built.txt", { cache: "no-store" }).catch(() => null);
  const now = response?.ok === true ? await response.text().catch(() => null) : null;
  if (seen !== null && now !== null && now !== seen) location.reload();
  seen = now ?? seen;
  window.setTimeout(() => unawaited(look()), lookEveryMs);
}

unawaited(look());
