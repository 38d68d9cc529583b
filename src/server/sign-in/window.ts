/**
 * The two requests of a sign-in window: the start, and the return from the provider. Each answers with a page
 * for the person, or with the provider's address. Details of an error go only to the log.
 */
import type { PendingSignIn, PendingSignIns } from "./pending-sign-ins";
import { unguessable } from "../digest";
import type { SignInSettings } from "./person";
import type { Provider, ProviderAnswer } from "./provider";
import type { Named } from "./sessions";
import { failedPage, signedInPage, type WindowPage } from "./window-page";

export interface SignInWindow {
  begin(request: WindowRequest): Promise<WindowPage | RedirectToProvider>;
  back(returned: ProviderReturn): Promise<WindowPage | RedirectToProvider>;
}

interface WindowRequest {
  /** Null if the environment has no sign-in. */
  readonly environment: string | null;
  readonly challenge: string;
  readonly via: string;
  /** Whether the person has signed out before, and may want to choose another account. */
  readonly asksForAccount: boolean;
  /** The browser's cookie. */
  readonly browser: string;
  /** Hosts that the request names: its own, and that of a trusted proxy. */
  readonly hosts: readonly string[];
  readonly isWindow: boolean;
}

export interface RedirectToProvider {
  readonly address: URL;
  /** The cookie to set. */
  readonly browser: string;
}

interface ProviderReturn {
  readonly query: string;
  readonly state: string;
  readonly browsers: readonly string[];
  readonly isWindow: boolean;
}

export interface SignInWindowOptions {
  readonly settings: SignInSettings;
  readonly pendingSignIns: PendingSignIns;
  readonly provider: Provider;
  readonly warn: (reason: string) => void;
  readonly keptOut: (who: Named, environment: string) => void;
}

export function createSignInWindow(options: SignInWindowOptions): SignInWindow {
  const { settings, pendingSignIns, provider, warn, keptOut } = options;
  const { label, address } = settings;

  function away(reason: string): WindowPage {
    warn(`The sign-in provider can't be used: ${reason}`);
    return failedPage(
      502,
      "Sign-in isn't available right now",
      `${label} didn't confirm who you are. Try again in a few minutes. If it happens again, tell your administrator.`,
    );
  }

  /** Looks for the cookie that the sign-in began with. */
  async function returned(state: string, browsers: readonly string[]) {
    for (const browser of browsers) {
      const found = await pendingSignIns.back(state, browser);
      if (found.kind !== "unknown") return { ...found, browser };
    }
    return null;
  }

  async function start(
    pending: Omit<PendingSignIn, "nonce" | "codeVerifier">,
    browser: string,
  ): Promise<RedirectToProvider | WindowPage> {
    const checks = { nonce: unguessable(), codeVerifier: unguessable() };
    const begun = await pendingSignIns.begin({ ...pending, ...checks }, browser);
    if (begun.kind === "away") return storeAway();
    try {
      const { state } = begun;
      return { address: await provider.addressFor({ state, ...checks, prompt: pending.prompt }), browser };
    } catch (error) {
      return away(error instanceof Error ? error.message : "unknown");
    }
  }

  async function pageFor(pending: PendingSignIn, answer: ProviderAnswer): Promise<WindowPage> {
    switch (answer.kind) {
      case "in": {
        const offered = await pendingSignIns.offer(pending, answer.signedIn);
        return offered.kind === "away" ? storeAway() : signedInPage(offered.code, pending.via);
      }
      case "away":
        return away(answer.reason);
      case "not-allowed":
        keptOut(answer.signedIn, pending.environment);
        return failedPage(
          403,
          "You don't have access to INV",
          `You are signed in at ${label}, but INV's settings don't allow you. Ask your administrator.`,
        );
      case "cancelled":
        warn(
          `A sign-in ended at the provider, because the person cancelled it or may not use INV there: ${answer.reason}`,
        );
        return failedPage(
          403,
          "You are not signed in",
          `${label} ended the sign-in, because you cancelled it or may not use INV there.`,
        );
      case "refused":
        warn(`A sign-in was refused: ${answer.reason}`);
        return failedPage(
          403,
          "You are not signed in",
          `${label} didn't return a valid sign-in. Start again in INV's pane.`,
        );
    }
  }

  return {
    async begin({ environment, challenge, via, asksForAccount, browser, hosts, isWindow }) {
      if (!isWindow) {
        return failedPage(403, "Open a window to sign in", "INV can't sign you in inside a frame.");
      }
      if (environment === null) {
        return failedPage(
          404,
          "No sign-in for this environment",
          "Ask your administrator whether people sign in for it.",
        );
      }
      if (!/^[A-Za-z0-9_-]{43}$/.test(challenge) || (via !== "dialog" && via !== "popup")) {
        return failedPage(400, "Start in INV", "Start the sign-in with the button in INV's pane.");
      }
      // Elsewhere, the browser wouldn't have its cookie when it returns from the provider.
      if (!hosts.some((host) => isHostOf(host, address))) {
        const named = [...new Set(hosts)].join(" and ").slice(0, 200);
        warn(
          `A sign-in was refused: the request names ${named}, and signIn.address is ${address}. If the browser shows that address, the proxy must pass on the Host header or set X-Forwarded-Host, with its own address in trustProxy.`,
        );
        return failedPage(
          400,
          "Open INV at its own address",
          `You can sign in only if you open INV at ${address}. If you did, ask your administrator to look at the server's log.`,
        );
      }
      const prompt = asksForAccount ? "select_account" : null;
      return start({ environment, challenge, via, prompt }, browser);
    },
    async back({ query, state, browsers, isWindow }) {
      const found = await returned(state, isWindow ? browsers : []);
      if (found?.kind === "away") return storeAway();
      if (found === null) {
        return failedPage(
          400,
          "This sign-in has expired",
          "It took too long, was already used, started in another browser, or the server was restarted. Start again in INV's pane.",
        );
      }
      const { pending, browser } = found;
      const { nonce, codeVerifier } = pending;
      const answer = await provider.returned(query, { state, nonce, codeVerifier });
      // Some providers answer with an error where they don't know this prompt. All but Google know "login".
      const isPromptUnknown =
        answer.kind === "refused" &&
        pending.prompt === "select_account" &&
        new URLSearchParams(query).has("error");
      return isPromptUnknown ? start({ ...pending, prompt: "login" }, browser) : pageFor(pending, answer);
    },
  };
}

/** A proxy may name the default port too. */
function isHostOf(host: string, address: string): boolean {
  const { protocol, host: expected } = new URL(address);
  const url = `${protocol}//${host}`;
  return URL.canParse(url) && new URL(url).host === expected;
}

function storeAway(): WindowPage {
  const words = "The server can't reach Redis. Close this window, and start again in INV's pane in a moment.";
  return failedPage(503, "Sign-in isn't available right now", words);
}
