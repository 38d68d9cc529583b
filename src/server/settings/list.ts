/**
 * Lists the settings or flags of a schema, for the reference, the help and the error messages.
 */
import { z } from "zod";

export interface Setting {
  /** For example, `environments[].quota.search`. */
  readonly path: string;
  readonly meaning: string;
  /** Empty if the meaning says it. */
  readonly allowed: string;
  /** The default as JSON, or null without a default. */
  readonly preset: string | null;
  readonly isNeeded: boolean;
  /** The help's placeholder for the value. */
  readonly sample: string | null;
  readonly type: string | null;
}

interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly allowed?: string;
  readonly sample?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
}

export function listSettings(schema: z.ZodObject): readonly Setting[] {
  return within(z.toJSONSchema(schema, { io: "input" }) as Node, "");
}

function within({ properties = {}, required = [] }: Node, before: string): readonly Setting[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = before + name;
    const setting = settingOf(node, path, required.includes(name));
    if (node.properties !== undefined) {
      return [...(node.description === undefined ? [] : [setting]), ...within(node, `${path}.`)];
    }
    return node.items?.properties === undefined ? [setting] : [setting, ...within(node.items, `${path}[].`)];
  });
}

function settingOf(node: Node, path: string, isNeeded: boolean): Setting {
  return {
    path,
    meaning: node.description ?? "",
    allowed: node.allowed ?? allowedBy(node),
    preset: (node.default ?? null) === null ? null : JSON.stringify(node.default),
    isNeeded,
    sample: node.sample ?? null,
    type: node.type ?? null,
  };
}

function allowedBy({ enum: words, type, minimum, maximum }: Node): string {
  if (words !== undefined) return words.map((value) => `"${value}"`).join(" or ");
  return type === "integer" ? `${minimum ?? 0} to ${maximum ?? "any"}` : "";
}
