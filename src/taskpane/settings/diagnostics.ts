/**
 * What support needs to know, as text. It is built from named fields only, never by printing an object
 * whole, so that a secret cannot slip in with a field added later. Pure.
 */
import type { Progress } from "../../engine/types";
import type { PaneServices } from "../services";

/** Problems told; the list itself holds more. */
const mostProblems = 50;

/** JSON, indented. Holds no client secret and no access token; the consumer ID is left out as well. */
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
    problems: cells.activity
      .groups()
      .map(({ code, count, reason }) => ({ code, count, reason }))
      .slice(0, mostProblems),
    lastProblems: cells.activity
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

function refreshFacts(state: {
  phase: string;
  scope: string | null;
  cells: number;
  settled: number;
  error: { code: string; message: string } | null;
}): object {
  const { phase, scope, cells, settled, error } = state;
  return { phase, scope, cells, settled, error: error && { code: error.code, message: error.message } };
}

/** Address without path and query; an address that cannot be read is not shown at all. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "unreadable";
}
