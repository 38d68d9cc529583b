/**
 * Turns the plans of days into events and stock. It starts at a delivery, which fills both areas to their levels whatever they contained,
 * so the last delivery is enough to know the state at any time. Every BACKROOM event has a STORE event at the same time, so the
 * latest STORE event is the latest of all, and its count is the stock.
 */
import type { StockEvent } from "../backend";
import { dayMs, lastDeliveryMs, type PlannedEvent, plansOfDay } from "./day";
import type { SamplePair } from "./pair";

export interface AreaEvent extends StockEvent {
  readonly locationArea: "STORE" | "BACKROOM";
}

export interface StockState {
  readonly store: number;
  readonly backroom: number;
  readonly lastEventMs: number;
}

export interface TimeRange {
  readonly fromMs: number;
  /** Not included. */
  readonly untilMs: number;
}

export function stockAt(pair: SamplePair, atMs: number): StockState {
  return run(pair, { startMs: lastDeliveryMs(pair, atMs), untilMs: atMs + 1 }, null);
}

/** Returns the events of a pair in a range, sorted by time. */
export function eventsIn(pair: SamplePair, range: TimeRange): AreaEvent[] {
  const events: AreaEvent[] = [];
  // Start before the range's first delivery, because its quantity depends on the days before.
  run(pair, { startMs: lastDeliveryMs(pair, range.fromMs - 1), untilMs: range.untilMs }, (event) => {
    if (event.createdAtMs >= range.fromMs) events.push(event);
  });
  return events;
}

/** Null if only the stock is needed. */
type Visit = ((event: AreaEvent) => void) | null;

interface Areas {
  store: number;
  backroom: number;
  lastEventMs: number;
}

/** Simulates the time from just after the delivery at `startMs`. */
function run(
  pair: SamplePair,
  { startMs, untilMs }: { startMs: number; untilMs: number },
  visit: Visit,
): StockState {
  const areas: Areas = { store: pair.storeLevel, backroom: pair.backroomLevel, lastEventMs: startMs };
  const lastDay = Math.floor((untilMs - 1) / dayMs);
  for (let day = Math.floor(startMs / dayMs); day <= lastDay; day += 1) {
    for (const plan of plansOfDay(pair, day)) {
      if (plan.atMs <= startMs) continue;
      if (plan.atMs >= untilMs) return areas;
      apply(plan, { pair, areas, visit });
    }
  }
  return areas;
}

interface Scene {
  readonly pair: SamplePair;
  readonly areas: Areas;
  readonly visit: Visit;
}

function apply(plan: PlannedEvent, scene: Scene): void {
  const { pair, areas } = scene;
  switch (plan.effect) {
    case "note":
      record(scene, plan, { quantity: plan.amount, storeChange: 0 });
      break;
    case "announce": {
      const coming = pair.storeLevel - areas.store + (pair.backroomLevel - areas.backroom);
      if (coming > 0) record(scene, plan, { quantity: coming, storeChange: 0 });
      break;
    }
    case "deliver":
      deliver(plan, scene);
      break;
    case "refill": {
      const moved = Math.min(areas.backroom, pair.storeLevel - areas.store);
      if (moved > 0) record(scene, plan, { quantity: moved, storeChange: moved, backroomChange: -moved });
      break;
    }
    case "take": {
      const sold = Math.min(plan.amount, areas.store);
      if (sold > 0) record(scene, plan, { quantity: sold, storeChange: -sold });
      break;
    }
    case "add":
      record(scene, plan, { quantity: plan.amount, storeChange: plan.amount });
      break;
    case "correct": {
      const change = Math.max(plan.amount, -areas.store);
      if (change !== 0) record(scene, plan, { quantity: change, storeChange: change });
    }
  }
}

/** Fills both areas. If returns left more than the level, a count on arrival (PI) removes the surplus. */
function deliver(plan: PlannedEvent, scene: Scene): void {
  const { pair, areas } = scene;
  const storeChange = pair.storeLevel - areas.store;
  const backroomChange = pair.backroomLevel - areas.backroom;
  const eventType = storeChange > 0 ? "LR" : storeChange < 0 ? "PI" : "DS";
  record(scene, { ...plan, eventType }, { quantity: storeChange, storeChange });
  if (backroomChange > 0) recordBackroom(scene, plan, backroomChange);
}

interface Change {
  readonly quantity: number;
  readonly storeChange: number;
  readonly backroomChange?: number;
}

function record(scene: Scene, plan: PlannedEvent, { quantity, storeChange, backroomChange }: Change): void {
  const { areas } = scene;
  areas.store += storeChange;
  areas.lastEventMs = plan.atMs;
  scene.visit?.({
    locationArea: "STORE",
    eventType: plan.eventType,
    quantity,
    quantityAfter: areas.store,
    createdAtMs: plan.atMs,
  });
  if (backroomChange !== undefined) recordBackroom(scene, plan, backroomChange);
}

function recordBackroom(scene: Scene, plan: PlannedEvent, quantity: number): void {
  scene.areas.backroom += quantity;
  scene.visit?.({
    locationArea: "BACKROOM",
    eventType: plan.eventType,
    quantity,
    quantityAfter: scene.areas.backroom,
    createdAtMs: plan.atMs,
  });
}
