/**
 * A small picture of a template: its headers, columns and colours. It is drawn from the template, so every template has one and
 * it never goes out of date. It is decorative: the words beside it say the same.
 */
import type { Template } from "../../domain/templates/template";

const width = 96;
const height = 60;
const lines = 6;
const shades = ["low", "middle", "high", "middle", "high", "low", "high"] as const;

export function TemplatePicture({ template }: { template: Template }) {
  const widths = columnWidths(template);
  const scale = width / widths.reduce((sum, each) => sum + each, 0);
  let x = 0;
  const columns = widths.map((each) => {
    const column = { x, width: each * scale };
    x += each * scale;
    return column;
  });
  const line = height / (lines + 1);
  return (
    <svg
      class="template-picture"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <rect width={width} height={height} class="picture-paper" />
      <rect width={width} height={line} class="picture-head" />
      {columns.map((column, col) =>
        Array.from({ length: lines }, (_, row) => {
          const top = (row + 1) * line;
          const shade = template.grid && col > 0 ? shades[(row * 3 + col * 2) % shades.length] : undefined;
          const isBar = template.chart !== undefined && col === columns.length - 1;
          const length = isBar ? 0.9 - row * 0.14 : 0.35 + ((row * 7 + col * 5) % 5) / 10;
          return shade === undefined ? (
            <rect
              key={`${col}-${row}`}
              x={column.x + 2}
              y={top + line * 0.3}
              width={Math.max(1, (column.width - 4) * length)}
              height={line * 0.4}
              class={isBar ? "picture-bar" : "picture-text"}
            />
          ) : (
            <rect
              key={`${col}-${row}`}
              x={column.x}
              y={top}
              width={column.width}
              height={line}
              class={`picture-${shade}`}
            />
          );
        }),
      )}
    </svg>
  );
}

function columnWidths({ table, grid, sheet }: Template): readonly number[] {
  if (table) {
    return table.columns.filter(({ optional }) => optional !== true).map(({ widthPx = 80 }) => widthPx);
  }
  if (grid) return [100, 70, 70, 70, 70, 70];
  return (sheet.widthsPx ?? []).length > 0 ? (sheet.widthsPx ?? []) : [100, 100, 100];
}
