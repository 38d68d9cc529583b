/**
 * Builds the text that support needs. Invariant: it is built from named fields only, never from a whole object, so that a field
 * added later can't leak a secret.
 */
import { useState } from "preact/hooks";
import type { Progress } from "../../engine/types";
import { WorkButtons } from "../parts/action";
import type { RefreshState } from "../../workbook/refresh/refresh";
import type { PaneServices } from "../services";

export function DiagnosticsSection({ services }: { services: PaneServices }) {
  /** Null unless the clipboard is closed. */
  const [text, setText] = useState<string | null>(null);

  async function copy(): Promise<string> {
    const report = diagnostics(services);
    try {
      await services.copyText(report);
    } catch (error) {
      setText(report);
      throw error;
    }
    setText(null);
    return "Copied. Paste it into your message.";
  }

  return (
    <>
      <p>
        Version, environment, settings and the latest problems with their trace ids. No secrets, no tokens.
      </p>
      <WorkButtons actions={{ "Copy diagnostics": copy }} />
      {text === null ? null : (
        <textarea class="control" aria-label="Diagnostics" readOnly rows={8} value={text} />
      )}
    </>
  );
}

const mostProblems = 50;

/** Returns JSON without client secret, access token and consumer ID. */
export function diagnostics(services: PaneServices): string {
  const { connection, engine, cells, settings, host, clock, version } = services;
  const { environment, missingId, environments, listError, earlierCells } = connection.get();
  const workbook = services.workbook.get();
  const report = {
    inv: version,
    at: new Date(clock.now()).toISOString(),
    host: host.description,
    lacks: host.lacks,
    environment: environment && {
      id: environment.id,
      kind: environment.kind,
      quota: environment.quota,
      origins: [environment.tokenUrl, environment.searchUrl, environment.eventsUrl].map(originOf),
    },
    credentials: connection.get().hasCredentials ? "present" : "none",
    missingEnvironment: missingId,
    environments: environments.map(({ id, kind }) => `${id} (${kind})`),
    environmentList: listError?.message ?? "read",
    settings: settings.get(),
    engine: progressFacts(engine.progress()),
    workbook: workbook.kind,
    refresh: workbook.kind === "open" ? refreshFacts(workbook.refresher.state) : null,
    cells: { ...cells.summary(), earlier: earlierCells },
    problems: cells.problemList
      .groups()
      .map(({ code, count, reason }) => ({ code, count, reason }))
      .slice(0, mostProblems),
    lastProblems: cells.problemList
      .recent()
      .slice(0, mostProblems)
      .map(({ atMs, cell, store, item, error }) => ({
        at: new Date(atMs).toISOString(),
        cell,
        store,
        item,
        code: error.code,
        message: error.message,
        httpStatus: error.details.httpStatus ?? null,
        traceId: error.details.traceId ?? null,
        requestId: error.details.requestId ?? null,
      })),
  };
  return JSON.stringify(report, null, 2);
}

function progressFacts({ busy, cells, calls, quota, remainingMs, faults }: Progress): object {
  return {
    busy,
    cells,
    calls,
    quota,
    remainingMs,
    faults: faults.map(({ scope, error }) => ({ scope, code: error.code, message: error.message })),
  };
}

function refreshFacts({ phase, scope, cells, refreshed, error }: RefreshState): object {
  return { phase, scope, cells, refreshed, error: error && { code: error.code, message: error.message } };
}

/** Returns the address without path and query. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "unreadable";
}
