/** An item at a store: its quantity by area and state, its consumer-item level, and when it was updated. */
import type { ItemRecord } from "../../domain/records";
import { Facts, Fold, Section } from "../parts/parts";
import { areaWords, duration, timeOfDay } from "../parts/words";

export function ItemRecordView({ record, nowMs }: { record: ItemRecord; nowMs: number }) {
  const { locations, cids, lastUpdatedMs, lastUpdatedFault } = record;
  const areas = [...new Set(locations.map(({ locationArea }) => locationArea))];
  const states = [...new Set(locations.map(({ state }) => state))];
  const quantity = (area: string, state: string): string => {
    const found = locations.filter((location) => location.locationArea === area && location.state === state);
    if (found.length === 0) return "–";
    return found
      .map((location) => String(location.quantity ?? location.fault ?? "two different answers"))
      .join(", ");
  };
  return (
    <Section title="Stock">
      {locations.length === 0 ? (
        <p class="empty">The service has the item, but no inventory record in any location area.</p>
      ) : (
        <table class="figures-table">
          <caption class="spoken">Quantity by location area and state</caption>
          <thead>
            <tr>
              <th scope="col">Where</th>
              {states.map((state) => (
                <th key={state} scope="col" class="number">
                  {state.replaceAll("_", " ").toLowerCase()}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {areas.map((area) => (
              <tr key={area}>
                <th scope="row">{areaWords(area)}</th>
                {states.map((state) => (
                  <td key={state} class="number">
                    {quantity(area, state)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Facts
        facts={[
          [
            "Updated",
            lastUpdatedMs === null
              ? (lastUpdatedFault ?? "the service doesn't say")
              : `${timeOfDay(lastUpdatedMs, nowMs)} (${duration(Math.max(0, nowMs - lastUpdatedMs))} ago)`,
          ],
        ]}
      />
      {cids.length === 0 ? null : (
        <Fold title="Details">
          {() => (
            <Facts
              facts={cids.map(({ cid, crossReferences }) => ["CID", cidText(cid, crossReferences)] as const)}
            />
          )}
        </Fold>
      )}
    </Section>
  );
}

/**
 * Returns the consumer-item id with its cross references. The documentation doesn't describe their elements, so any shape is
 * shown.
 */
function cidText(cid: number | null, crossReferences: readonly unknown[]): string {
  const name = cid === null ? "not readable" : String(cid);
  const shown = crossReferences.map(entryText);
  return shown.length === 0 ? name : `${name}: ${shown.join("; ")}`;
}

function entryText(entry: unknown): string {
  const value = typeof entry === "string" ? parsedOrText(entry) : entry;
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${typeof part === "string" ? part : JSON.stringify(part)}`)
    .join(", ");
}

/** Some cross references are JSON in a string. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
