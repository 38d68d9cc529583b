/**
 * The sign-in window's pages on this server: success with the code for the pane, or an error. The script
 * `src/addin/signed-in.ts` hands the code over and closes the window. If it can't, the page shows the code
 * for typing. Security: no site can frame these pages. They set no opener policy, because that would cut the
 * window off from the pane that opened it.
 */
import type { PendingSignIn } from "./pending-sign-ins";

export interface WindowPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const officeScripts = "https://appsforoffice.microsoft.com";

const headers: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'self' ${officeScripts}`,
    "style-src 'self'",
    `connect-src 'self' ${officeScripts}`,
    "img-src 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
};

export function signedInPage(code: string, via: PendingSignIn["via"]): WindowPage {
  const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
  return windowPage(
    200,
    "You are signed in",
    `<p id="inv-said" role="status">Returning to INV…</p>
<div id="inv-code" hidden>
<p>Type this code into INV's pane, where you chose “Sign in”:</p>
<p class="code"><strong>${shown}</strong></p>
<p>It works only there, once, within five minutes. Don't give it to anybody: INV never asks for it anywhere else.</p>
</div>
<noscript><p>Type this code into INV's pane: <strong>${shown}</strong></p></noscript>
<script src="/signed-in.js" data-code="${code}" data-via="${via}"></script>`,
  );
}

export function failedPage(status: number, title: string, words: string): WindowPage {
  return windowPage(status, title, `<p>${escaped(words)}</p>\n<p>Close this window to go back to INV.</p>`);
}

function windowPage(status: number, title: string, main: string): WindowPage {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(title)} - INV</title>
<link rel="stylesheet" href="/window.css" />
<link rel="icon" href="/assets/icon-32.png" />
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${main}
</main>
</body>
</html>
`;
  return { status, headers, body };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
