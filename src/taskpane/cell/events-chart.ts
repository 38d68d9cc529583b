/**
 * Draws a history with uPlot: a step line of the quantity after each event, with the events as marks. Reads its colours from
 * the page's style sheet, for light, dark and contrast themes.
 */
import uPlot from "uplot";
import type { HistoryEvent } from "../../domain/records";
import { type EventKind, kindOf } from "./event-kinds";

const heightPx = 180;
/** Half the width of a mark, in pixels; smaller if there are many. */
const markPx = 4.5;
const crowdedMarkPx = 2.5;
const crowded = 60;

/** Draws the chart into `host` and follows its width. Returns a function that removes the chart. */
export function drawEventsChart(host: HTMLElement, events: readonly HistoryEvent[]): () => void {
  const colour = (className: string): string => colourOf(host, className);
  const axis = {
    stroke: colour("chart-text"),
    grid: { stroke: colour("chart-grid"), width: 1 },
    ticks: { show: false },
  };
  const font = `11px ${getComputedStyle(host).fontFamily}`;
  const marks = new Map(events.map(({ eventType }) => [kindOf(eventType), ""]));
  for (const kind of marks.keys()) marks.set(kind, colour(`mark-${kind.id}`));
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const chart = new uPlot(
    {
      width: host.clientWidth,
      height: heightPx,
      cursor: { show: false },
      legend: { show: false },
      scales: { y: { range: (_chart, min, max) => withZero(min, max) } },
      axes: [
        { ...axis, font, space: 70, size: 28, values: (_chart, seconds) => seconds.map(dayOrTime) },
        { ...axis, font, size: 40 },
      ],
      series: [
        {},
        {
          stroke: colour("chart-line"),
          width: 2,
          ...(stepped && { paths: stepped }),
          points: { show: false },
          spanGaps: true,
        },
      ],
      // Draw the marks before the line, so that the line stays visible above them.
      hooks: { drawAxes: [(drawn) => drawMarks(drawn, events, marks)] },
    },
    [events.map(({ createdAtMs }) => createdAtMs / 1000), events.map(({ quantityAfter }) => quantityAfter)],
    host,
  );
  const resized = new ResizeObserver(() => {
    if (host.clientWidth > 0) chart.setSize({ width: host.clientWidth, height: heightPx });
  });
  resized.observe(host);
  return () => {
    resized.disconnect();
    chart.destroy();
  };
}

function drawMarks(
  chart: uPlot,
  events: readonly HistoryEvent[],
  colours: ReadonlyMap<EventKind, string>,
): void {
  const { ctx } = chart;
  const size = (events.length > crowded ? crowdedMarkPx : markPx) * uPlot.pxRatio;
  const floor = chart.scales["y"]?.min ?? 0;
  ctx.save();
  for (const { createdAtMs, eventType, quantityAfter } of events) {
    const kind = kindOf(eventType);
    const x = chart.valToPos(createdAtMs / 1000, "x", true);
    // Draw an event without a resulting quantity at the bottom of the chart.
    const y = chart.valToPos(quantityAfter ?? floor, "y", true);
    ctx.setTransform(size, 0, 0, size, x, y);
    ctx.fillStyle = colours.get(kind) ?? "";
    ctx.fill(new Path2D(kind.path));
  }
  ctx.restore();
}

/** Returns an axis range that includes 0, the level of empty stock. */
function withZero(min: number | null, max: number | null): [number, number] {
  const low = Math.min(0, min ?? 0);
  const high = Math.max(1, max ?? 0);
  return [low, high + (high - low) * 0.1];
}

/** Returns `11-20` for midnight, otherwise `14:00`. */
function dayOrTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (at.getHours() + at.getMinutes() === 0) return `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

function colourOf(host: HTMLElement, className: string): string {
  const probe = document.createElement("span");
  probe.className = className;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
