/**
 * Defined names of the host: the workbook's and, in separate collections, each sheet's (documented). A name's formula is
 * returned as it is kept, and follows its cells when they move.
 */
import type { Block } from "./block";
import { columnName } from "../../src/formula/columns";
import { type HostObject, refuse } from "./rich-api";
import { type HostSheet, parseBlock } from "./sheet";

export interface HostName {
  readonly name: string;
  /** The sheet to which the name belongs, or null for a name of the workbook. */
  readonly scope: HostSheet | null;
  formula: string;
  visible: boolean;
}

export interface NamesOptions {
  readonly names: HostName[];
  readonly scope: HostSheet | null;
  sheet(name: string): HostSheet | undefined;
  rangeOf(sheet: HostSheet, block: Block): HostObject;
}

interface GivenRange {
  readonly sheet: HostSheet;
  readonly block: Block;
}

/** One object for each name: a workbook may have tens of thousands of names, read in pages. */
const objects = new WeakMap<HostName, HostObject>();

/** `names` of the workbook or of a sheet. */
export function nameCollection({ names, scope, sheet, rangeOf }: NamesOptions): HostObject {
  const own = (): HostName[] => names.filter((each) => each.scope === scope);
  const nameObject = (each: HostName): HostObject => {
    const made = objects.get(each) ?? newNameObject(each);
    objects.set(each, made);
    return made;
  };
  const newNameObject = (each: HostName) => ({
    get name() {
      return each.name;
    },
    get formula() {
      return each.formula;
    },
    set formula(formula: string) {
      each.formula = formula;
    },
    get visible() {
      return each.visible;
    },
    set visible(visible: boolean) {
      each.visible = visible;
    },
    delete: () => void names.splice(names.indexOf(each), 1),
    getRange: () => rangeNamed(each) ?? refuse("GeneralException"),
    getRangeOrNullObject: () => rangeNamed(each),
  });
  function rangeNamed(each: HostName): HostObject | null {
    const place = placeOf(each.formula);
    const held = place === null ? undefined : sheet(place.sheet);
    return place === null || held === undefined ? null : rangeOf(held, place.block);
  }
  const found = (name: string) => own().find((each) => each.name.toLowerCase() === name.toLowerCase());
  return {
    get items() {
      return own().map(nameObject);
    },
    getItemOrNullObject(name: string) {
      const each = found(name);
      return each === undefined ? null : nameObject(each);
    },
    getItem: (name: string) => nameObject(found(name) ?? refuse("ItemNotFound")),
    add(name: string, reference: string | GivenRange) {
      if (found(name) !== undefined || !/^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(name)) {
        refuse("InvalidArgument");
      }
      if (/^(?:[A-Z]{1,3}\d+|R\d*C\d*|[RC]\d*)$/i.test(name)) refuse("InvalidArgument");
      // Formulas are English in every culture; `addFormulaLocal` takes local ones (documented).
      if (typeof reference === "string" && reference.replace(/"(?:[^"]|"")*"/g, "").includes(";")) {
        refuse("InvalidArgument");
      }
      const formula = typeof reference === "string" ? reference : absolute(reference);
      const each: HostName = { name, scope, formula, visible: true };
      names.push(each);
      return nameObject(each);
    },
  };
}

/** The area that a name refers to. Null for any other formula, including `=Plan!#REF!`. */
export function placeOf(formula: string): { readonly sheet: string; readonly block: Block } | null {
  const [, quoted, bare, area] =
    /^=(?:'((?:[^']|'')+)'|([^'!(]+))!(\$[A-Z]+\$\d+(?::\$[A-Z]+\$\d+)?)$/.exec(formula) ?? [];
  const sheet = quoted?.replaceAll("''", "'") ?? bare;
  if (sheet === undefined || area === undefined) return null;
  return { sheet, block: parseBlock(area.replaceAll("$", "")) };
}

function absolute({ sheet, block: { row, col, rows, cols } }: GivenRange): string {
  const corner = (r: number, c: number) => `$${columnName(c)}$${r + 1}`;
  const last = rows === 1 && cols === 1 ? "" : `:${corner(row + rows - 1, col + cols - 1)}`;
  return `='${sheet.name.replaceAll("'", "''")}'!${corner(row, col)}${last}`;
}
