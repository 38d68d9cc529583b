/** The service answers each call of `conditions` with exactly the documented status and body, in each environment. */
import { type Answer, type Caller, createCaller, origin, read } from "./caller";
import type { Call, Condition, RefusedCall } from "./condition";
import { conditions } from "./conditions";
import { errorsBase, reasons, titles } from "./shapes";
import { type ContractService, contractServices, describeEach } from "./worlds";

describeEach(contractServices, (service) => {
  const here = conditions.filter(({ only = service.kind }) => only === service.kind);

  it.each(here.map((row) => [titleOf(row), row] as const))("%s", async (_title, row) => {
    const refused = typeof row.refused === "function" ? row.refused(service) : row.refused;
    const answered = typeof row.answered === "function" ? row.answered(service) : row.answered;
    expect([refused.length > 0, answered.length > 0]).toEqual([true, true]);
    for (const call of refused) {
      const { answer, instance } = await send(service, row, call);
      expect([call, answer.status]).toEqual([call, row.status]);
      expect(answer.body).toEqual(expectedBody(row, call, { label: service.label, instance }));
    }
    for (const call of answered) {
      const { answer } = await send(service, row, call);
      expect([call, answer.status]).toEqual([call, 200]);
    }
  });
});

function titleOf({ table, condition, endpoint, status }: Condition): string {
  return `${table}: ${condition} (${endpoint}): ${status}`;
}

interface Sent {
  readonly answer: Answer;
  readonly instance: string;
}

async function send(service: ContractService, row: Condition, call: Call): Promise<Sent> {
  const caller = createCaller();
  const name = service.accounts[call.as ?? "main"];
  const headers = await headersOf(caller, call, service);
  caller.time.nowMs += call.afterMs ?? 0;
  const query = await queryOf(caller, call, headers);
  const isSearch = row.endpoint === "search";
  const path = (call.path ?? (isSearch ? "/search-items" : "/events")) + (isSearch ? "" : `?${query}`);
  const consumerId = call.consumerId === undefined ? `${name}-consumer` : call.consumerId;
  const body = isSearch ? JSON.stringify(call.ask) : null;
  const request = () =>
    caller.service(
      new Request(origin + path, {
        method: call.method ?? (isSearch ? "POST" : "GET"),
        headers: {
          "content-type": "application/json",
          ...headers,
          ...(consumerId !== null && { "wm_consumer.id": consumerId }),
        },
        ...(body !== null && { body }),
      }),
    );
  let before: Response | null = null;
  for (let sent = 0; sent < (call.before ?? 0); sent += 1) before = await request();
  expect(before?.status ?? 200).toBe(200);
  if (call.fault !== undefined) caller.faults.set({ fail: call.fault });
  // The document has the query in `instance` only for `/events`.
  const instance = path.startsWith("/events?") ? path : path.split("?")[0]!;
  return { answer: await read(await request()), instance };
}

async function headersOf(
  caller: Caller,
  { token, as = "main" }: Call,
  { accounts }: ContractService,
): Promise<Record<string, string>> {
  if (token === "missing") return {};
  const issued = await caller.token(accounts[token === "of another consumer" ? "rival" : as]);
  if (token === "without Bearer") return { authorization: issued };
  if (token === "malformed") return { authorization: "Bearer abc" };
  const changed = (issued.startsWith("A") ? "B" : "A") + issued.slice(1);
  return { authorization: `Bearer ${token === "changed" ? changed : issued}` };
}

/** Inserts the token of the first page. */
async function queryOf(caller: Caller, { ask }: Call, headers: Record<string, string>): Promise<string> {
  if (typeof ask !== "string") return "";
  if (!ask.includes("{next_page_token}")) return ask;
  const first = ask.replace(/&page_token=.*/, "");
  const own = { ...headers, "wm_consumer.id": `${caller.main}-consumer` };
  const { body } = await caller.events(first, own);
  return ask.replace("{next_page_token}", String(body.next_page_token));
}

function expectedBody(
  { body, status, endpoint }: Condition,
  { property, reason }: RefusedCall,
  { label, instance }: { readonly label: string; readonly instance: string },
): object {
  if (body.shape === "gateway") {
    return {
      details: {
        Description: body.description,
        "wm_svc.version": "1.0.0",
        "wm_svc.name": endpoint === "search" ? "inventory-status" : "inventory-events",
        "wm_svc.env": label,
      },
    };
  }
  return {
    type: `${errorsBase}/${body.kind}`,
    title: titles[body.kind],
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    status,
    detail: body.detail,
    instance,
    ...(body.error && {
      errors: [
        {
          code: `${errorsBase}/${body.error.code}`,
          reason: reasons[reason ?? body.error.reason],
          property,
          location: endpoint === "search" ? "body" : "query",
        },
      ],
    }),
  };
}
