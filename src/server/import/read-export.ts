/**
 * Reads an export as records with their line numbers. A first line such as `sep=;`, which Excel reads too,
 * names the delimiter. Without one, the delimiter is the one that yields the required headings, not the most
 * frequent one. If a quote isn't closed, no later row can be trusted, so the import ends.
 */
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";
import { InvError, isInvError } from "../../domain/errors";
import { type ExportKind, type HeadingMap, type ColumnLayout, layOutColumns } from "./columns";
import { decodeFile, type TextSource } from "./decode";
import type { FieldReader, RowFault } from "./rows";

const delimiters = [",", ";", "\t"];
const separatorLine = /^"?sep=(.)"?\n/i;
const format = {
  record_delimiter: "\n",
  // A quote inside an unquoted text, such as an inch mark, is part of the text.
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
};
/** Length in characters. A longer row has an unclosed quote. */
const longestRow = 64 * 1024;

interface ExportRecord {
  readonly line: number;
  readonly content: FieldReader | RowFault;
}

export interface ExportFile {
  readonly kind: ExportKind;
  readonly layout: ColumnLayout;
  /** @param read gets the number of bytes read so far */
  records(read: (bytes: number) => void): AsyncGenerator<ExportRecord>;
}

/** @throws InvError `bad-argument` if the file can't be read or lacks a column */
export async function openExport(source: TextSource, kind: ExportKind, map: HeadingMap): Promise<ExportFile> {
  const start = await startOf(source);
  const separator = separatorLine.exec(start)?.[1];
  const headingLine = separator === undefined ? 1 : 2;
  const possible = separator === undefined ? delimiters : [separator];
  const found = findLayout(start, { kind, map, path: source.path, headingLine, possible });
  return {
    kind,
    layout: found.layout,
    records: (read) => recordsOf(source, { ...found, headingLine, read }),
  };
}

async function startOf(source: TextSource): Promise<string> {
  let text = "";
  for await (const piece of decodeFile(source)) {
    text += piece;
    if (text.length > longestRow) break;
  }
  return text.slice(0, longestRow);
}

interface Search {
  readonly kind: ExportKind;
  readonly map: HeadingMap;
  readonly path: string;
  /** 1, or 2 after a line that names the delimiter. */
  readonly headingLine: number;
  /** Delimiters to try. */
  readonly possible: readonly string[];
}

function findLayout(
  start: string,
  { kind, map, path, headingLine, possible }: Search,
): { delimiter: string; layout: ColumnLayout } {
  const found: { delimiter: string; layout: ColumnLayout }[] = [];
  const refusals: { width: number; error: InvError }[] = [];
  for (const delimiter of possible) {
    const headings = headingsOf(start, delimiter, headingLine);
    if (headings.length === 0) {
      throw new InvError("bad-argument", `${path} is empty: its first line has the headings.`);
    }
    try {
      found.push({ delimiter, layout: layOutColumns(headings, kind, map) });
    } catch (error) {
      if (!isInvError(error)) throw error;
      refusals.push({ width: headings.length, error });
    }
  }
  const [first] = found;
  if (first !== undefined) return first;
  // The delimiter with the most headings is probably right, so its error names what is missing.
  refusals.sort((a, b) => b.width - a.width);
  throw refusals[0]?.error ?? new InvError("bad-argument", `${path} has no headings.`);
}

function headingsOf(start: string, delimiter: string, headingLine: number): string[] {
  try {
    const [headings] = parseAtOnce(start, { ...format, delimiter, from_line: headingLine, to: 1 });
    return headings ?? [];
  } catch (error) {
    if (error instanceof CsvError) return [start.split("\n", 1)[0] ?? ""];
    throw error;
  }
}

interface Reading {
  readonly delimiter: string;
  readonly layout: ColumnLayout;
  readonly headingLine: number;
  readonly read: (bytes: number) => void;
}

async function* recordsOf(source: TextSource, reading: Reading): AsyncGenerator<ExportRecord> {
  const { delimiter, layout, headingLine, read } = reading;
  let lastLine = headingLine;
  const parser = parse({
    ...format,
    delimiter,
    from_line: headingLine,
    info: true,
    max_record_size: longestRow,
    from: 2,
    // The loop below is some rows behind.
    on_record(record, { lines }) {
      lastLine = lines;
      return record;
    },
  });
  const text = Readable.from(decodeFile(source, read), { objectMode: true });
  text.on("error", (error) => parser.destroy(error));
  try {
    for await (const each of text.pipe(parser)) {
      const { record, info } = each as { record: readonly string[]; info: { lines: number } };
      yield { line: info.lines - linesWithin(record), content: contentOf(record, layout) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InvError(
      "bad-argument",
      `${source.path}: a quote that is opened after line ${lastLine} is never closed, so no later row can be read.`,
      { cause: error },
    );
  } finally {
    text.destroy();
  }
}

/** The parser counts lines at the end of a record, and a quoted text may contain line ends. */
function linesWithin(record: readonly string[]): number {
  return record.reduce((sum, field) => sum + (field.split("\n").length - 1), 0);
}

function contentOf(record: readonly string[], { places, headings }: ColumnLayout): FieldReader | RowFault {
  if (record.length !== headings.length) {
    const detail = `${record.length} fields where the headings are ${headings.length}`;
    return { reason: "another number of fields than there are headings", detail };
  }
  return (column) => {
    const place = places.get(column);
    return place === undefined ? undefined : record[place];
  };
}
