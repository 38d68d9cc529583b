/**
 * Parses style sheets and style attributes as text. The browser's own parser can't be used. The page's
 * Content-Security-Policy refuses styles from outside our files. A browser also drops the declarations that contain
 * Excel's number formats. Only simple selectors are read; office programs write no others.
 */

/** Values by property name in lower case; values are as written. */
export type Declarations = ReadonlyMap<string, string>;

export type StyleRules = ReadonlyMap<string, Declarations>;

export function readRules(css: string): StyleRules {
  const rules = new Map<string, Map<string, string>>();
  const text = css.replace(/<!--|-->/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
  for (const [, selectors = "", body = ""] of text.matchAll(/([^{}]+)\{((?:"(?:\\.|[^"\\])*"|[^}])*)\}/g)) {
    const declarations = readDeclarations(body);
    for (const selector of selectors.split(",").map((one) => one.trim())) {
      rules.set(selector, new Map([...(rules.get(selector) ?? []), ...declarations]));
    }
  }
  return rules;
}

/** Semicolons in quotes or after a backslash don't end a declaration. */
export function readDeclarations(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const [part] of text.matchAll(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^;])+/g)) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    declarations.set(part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim());
  }
  return declarations;
}

const namedFormats: Readonly<Record<string, string>> = {
  fixed: "0.00",
  standard: "#,##0.00",
  percent: "0.00%",
  scientific: "0.00E+00",
  "short date": "m/d/yyyy",
  "medium date": "d-mmm-yy",
  "long date": "dddd, mmmm d, yyyy",
  "general date": "m/d/yyyy h:mm",
  "short time": "h:mm",
  "medium time": "h:mm AM/PM",
  "long time": "h:mm:ss",
};

/** Converts `mso-number-format`, such as `"\#\,\#\#0\.00"`, to Excel's code; null for General. */
export function excelFormat(value: string): string | null {
  const bare = value.replace(/^"([\s\S]*)"$/, "$1").replace(/^'([\s\S]*)'$/, "$1");
  const named = namedFormats[bare.toLowerCase()];
  if (named !== undefined) return named;
  const code = bare
    .replace(/\\(?:([0-9a-f]{4})|([\s\S]))/gi, (_all, hex?: string, one?: string) =>
      hex === undefined ? (one ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .trim();
  return code === "" || code.toLowerCase() === "general" ? null : code;
}
