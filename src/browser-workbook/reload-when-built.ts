/**
 * Loads the page again when what it was made from was built anew. Only `npm run dev` puts this into a page, and writes
 * the file that it looks at (src/start/dev.mjs). While the server starts anew nothing answers, and the page waits.
 */

const lookEveryMs = 250;
let seen: string | null = null;

async function look(): Promise<void> {
  const response = await fetch("/built.txt", { cache: "no-store" }).catch(() => null);
  const now = response?.ok === true ? await response.text().catch(() => null) : null;
  if (seen !== null && now !== null && now !== seen) location.reload();
  seen = now ?? seen;
  window.setTimeout(() => void look(), lookEveryMs);
}

void look();
