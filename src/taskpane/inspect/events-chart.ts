/**
 * The chart of a history, drawn by uPlot: the quantity after each event as a step line, the events as marks on it.
 * Colours are read from the page, so that light, dark and contrast themes need no rule here. uPlot styles its
 * elements through the object model only, which the page's policy allows.
 */
import uPlot from "uplot";
import type { HistoryEvent } from "../../domain/records";
import { type EventKind, kindOf } from "./event-kinds";

const heightPx = 180;
/** Half of a mark; smaller where many stand close together. */
const markPx = 4.5;
const crowdedMarkPx = 2.5;
const crowded = 60;

/** Draws into `host`, as wide as it is from now on; returns the way to remove it. */
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
      scales: { y: { range: (_chart, least, most) => withZero(least, most) } },
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
      // Before the line, so that it can be seen over its marks.
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
    // Without a quantity after it, an event stands on the floor of the chart.
    const y = chart.valToPos(quantityAfter ?? floor, "y", true);
    ctx.beginPath();
    if (kind.corners === null) ctx.arc(x, y, size * 0.9, 0, 2 * Math.PI);
    else for (const [right, down] of kind.corners) ctx.lineTo(x + right * size, y + down * size);
    ctx.closePath();
    ctx.fillStyle = colours.get(kind) ?? "";
    ctx.fill();
  }
  ctx.restore();
}

/** A quantity is read against nothing left, so the axis holds 0. */
function withZero(least: number | null, most: number | null): [number, number] {
  const low = Math.min(0, least ?? 0);
  const high = Math.max(1, most ?? 0);
  return [low, high + (high - low) * 0.1];
}

/** Midnight is its day, `11-20`; another time of day is `14:00`. */
function dayOrTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (at.getHours() + at.getMinutes() === 0) return `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** What the style sheet makes of a class: in a contrast theme, one of the system's few colours. */
function colourOf(host: HTMLElement, className: string): string {
  const probe = document.createElement("span");
  probe.className = className;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
