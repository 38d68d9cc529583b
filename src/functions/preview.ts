/**
 * INV's functions without their requests: what each place of a formula's result would ask for. It runs the functions themselves, so
 * that nothing else has to know the rules of their arguments.
 */
import { isInvError } from "../domain/errors";
import type { FormulaQueries, FunctionPreview } from "../domain/functions";
import type { Query } from "../domain/records";
import { unawaited } from "../domain/unawaited";
import type { RuleInvocation } from "./calculate";
import * as events from "./catalogue/events";
import * as inventory from "./catalogue/inventory";
import { env } from "./catalogue/workbook";
import { onePlace } from "./grid";
import { layOutArguments, SinglePlace, type Arguments, type PlaceArguments } from "./queries";
import type { QueryRule, Rule } from "./rule";
import { currentContext } from "./context";
import { isRefusal } from "./argument-values";

/** INV's functions by their id. */
export const functionsById: Readonly<Record<string, (...given: never[]) => Promise<unknown[][]>>> = {
  QTY: inventory.qty,
  STOCK: inventory.stockTable,
  CID: inventory.cidTable,
  UPDATED: inventory.updated,
  ASOF: inventory.asOf,
  STATUS: inventory.status,
  EVENTS: events.eventTable,
  EVENTQTY: events.eventQuantity,
  LASTEVENT: events.lastEvent,
  EVENTTYPES: events.eventTypeList,
  ENV: env,
};

const nothing: FormulaQueries = { ...onePlace, at: () => null };

export const functionPreview: FunctionPreview = {
  queries(id, given) {
    if (currentContext() === null) return null;
    let queries = nothing;
    const invocation: RuleInvocation = {
      isInValuePreview: true,
      receiveRule: (rule, named) => (queries = queriesOf(rule, named)),
    };
    unawaited(callFunction(id, given, invocation));
    return queries;
  },
};

function callFunction(id: string, given: readonly unknown[], invocation: object): Promise<unknown[][]> {
  const implementation: unknown = functionsById[id];
  if (typeof implementation !== "function") throw new Error(`INV has no function ${id}.`);
  return Reflect.apply(implementation, null, [...given, invocation]) as Promise<unknown[][]>;
}

function queriesOf(rule: Rule<string>, given: Arguments<string>): FormulaQueries {
  const context = currentContext();
  if (context === null || !("ask" in rule)) return nothing;
  const places = layOutArguments(given, context);
  if (isInvError(places)) return nothing;
  if (places instanceof SinglePlace) return { ...onePlace, at: () => queryOf(rule, places) };
  if (rule.takesNoRanges === true) return nothing;
  return {
    ...places.shape,
    at(row, col) {
      places.row = row;
      places.col = col;
      return queryOf(rule, places);
    },
  };
}

function queryOf(rule: QueryRule<string, Query, unknown>, place: PlaceArguments<string>) {
  const query = rule.queryAt(place);
  return isRefusal(query) ? "refused" : query;
}
