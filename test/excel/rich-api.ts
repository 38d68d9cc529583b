/**
 * Answers the requests that Office.js sends for a batch: objects named by paths, then actions in order. The objects are
 * plain ones with members named as in Office's documentation, so a test host grows by adding `get name()` or
 * `getItem(key)`. The shape of requests and answers is read in Microsoft's runtime. One rule is ours: an error stops
 * the rest of the batch, keeps what ran before it, and delivers no loads.
 */

/** An object of the host: properties, methods and navigation are plain members. `items` makes it a collection. */
export type HostObject = object;

/** Excel refuses with a code, from which Office.js makes an error. */
class HostRefusal extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

export function refuse(code: string): never {
  throw new HostRefusal(code);
}

interface ObjectPath {
  readonly Id: number;
  readonly ObjectPathType: number;
  readonly Name: string;
  readonly ParentObjectPathId?: number;
  readonly ArgumentInfo?: ArgumentInfo;
}

interface ArgumentInfo {
  readonly Arguments?: readonly unknown[];
  /** The path of each argument that is an object, null for the others. */
  readonly ReferencedObjectPathIds?: readonly (number | null)[];
}

interface Action {
  readonly Id: number;
  readonly ActionType: number;
  readonly Name: string;
  readonly ObjectPathId: number;
  readonly ArgumentInfo?: ArgumentInfo;
  readonly QueryInfo?: Query;
}

interface Query {
  readonly Select?: readonly string[];
  /** For a collection: the number of items, and how many items before them are skipped. */
  readonly Top?: number;
  readonly Skip?: number;
}

export interface RequestBody {
  readonly Actions: readonly Action[];
  readonly ObjectPaths: Readonly<Record<string, ObjectPath>>;
}

interface AnswerBody {
  readonly Results: readonly { readonly ActionId: number; readonly Value: unknown }[];
  /** Marks in the batch that were passed. Event handlers count from their mark on. */
  readonly TraceIds: readonly number[];
  readonly Error?: {
    readonly Code: string;
    readonly Message: string;
    readonly ActionIndex: number;
    readonly HttpStatusCode: number;
  };
}

const pathTypes = { global: 1, create: 2, method: 3, property: 4, indexer: 5, reference: 6, nothing: 7 };
const actionTypes = { instantiate: 1, query: 2, method: 3, setProperty: 4, trace: 5 };

export interface RichApi {
  answer(request: RequestBody): AnswerBody;
  /** What a request does besides finding its objects: `setDirty`, `formulas=`, `load`. */
  namesOf(request: RequestBody): string[];
}

/**
 * @param root what the paths begin with: the workbook
 * @param services objects that a request makes by their class's name
 */
export function createRichApi(
  root: HostObject,
  services: Readonly<Record<string, HostObject>> = {},
): RichApi {
  /** Objects that Office.js asked to keep, by the id assigned to them. */
  const kept = new Map<string, HostObject>();
  let lastKept = 0;

  function answer({ Actions, ObjectPaths }: RequestBody): AnswerBody {
    const found = new Map<number, HostObject | null>();
    const ids = new Map<HostObject, string>();
    const results: { ActionId: number; Value: unknown }[] = [];
    let at = 0;
    try {
      for (const action of Actions) {
        results.push({ ActionId: action.Id, Value: perform(action) ?? null });
        at += 1;
      }
      return { Results: results, TraceIds: Actions.filter(isTrace).map(({ Id }) => Id) };
    } catch (error) {
      const code = error instanceof HostRefusal ? error.code : "GeneralException";
      const message = error instanceof Error ? error.message : String(error);
      const refusal = { Code: code, Message: message, ActionIndex: at, HttpStatusCode: 400 };
      return { Results: [], TraceIds: [], Error: refusal };
    }

    function perform({ ActionType, Name, ObjectPathId, ArgumentInfo, QueryInfo }: Action): unknown {
      if (Name === "_RemoveReference") return void kept.delete(String(ArgumentInfo?.Arguments?.[0]));
      if (ActionType === actionTypes.trace) return null;
      const object = objectAt(ObjectPathId);
      if (object === null) return null;
      if (ActionType === actionTypes.instantiate) return identityOf(object);
      if (ActionType === actionTypes.query) return load(object, QueryInfo?.Select ?? [], QueryInfo);
      if (Name === "_KeepReference") {
        keep(object);
        return;
      }
      if (ActionType === actionTypes.method) return call(object, Name, given(ArgumentInfo));
      if (ActionType === actionTypes.setProperty) {
        write(object, Name, given(ArgumentInfo)[0]);
        return;
      }
      throw new HostRefusal("ApiNotFound");
    }

    function objectAt(pathId: number): HostObject | null {
      if (!found.has(pathId)) found.set(pathId, resolve(pathId));
      return found.get(pathId) ?? null;
    }

    function resolve(pathId: number): HostObject | null {
      const path = ObjectPaths[String(pathId)];
      if (path === undefined) throw new HostRefusal("InvalidObjectPath");
      const { ObjectPathType: type, Name, ParentObjectPathId = 0 } = path;
      if (type === pathTypes.global) return root;
      if (type === pathTypes.nothing) return null;
      if (type === pathTypes.create) return services[Name] ?? refuse("ApiNotFound");
      if (type === pathTypes.reference) return kept.get(Name) ?? refuse("InvalidReference");
      const parent = objectAt(ParentObjectPathId);
      if (parent === null) return null;
      if (type === pathTypes.property) return read(parent, Name) as HostObject;
      const name = type === pathTypes.indexer ? "getItem" : Name;
      return call(parent, name, given(path.ArgumentInfo)) as HostObject | null;
    }

    function given({ Arguments = [], ReferencedObjectPathIds = [] }: ArgumentInfo = {}): unknown[] {
      return Arguments.map((value, index) => {
        const pathId = ReferencedObjectPathIds[index] ?? null;
        return pathId === null || pathId === 0 ? value : objectAt(pathId);
      });
    }

    function identityOf(object: HostObject): Record<string, unknown> {
      const reference = ids.get(object);
      const identity: Record<string, unknown> = reference === undefined ? {} : { _ReferenceId: reference };
      if ("id" in object) identity._Id = object.id;
      return identity;
    }

    function keep(object: HostObject): void {
      lastKept += 1;
      kept.set(`kept ${lastKept}`, object);
      ids.set(object, `kept ${lastKept}`);
    }
  }

  return {
    answer,
    namesOf: ({ Actions }) =>
      Actions.flatMap(({ ActionType, Name }) => {
        if (ActionType === actionTypes.query) return ["load"];
        if (Name.startsWith("_Keep") || Name.startsWith("_Remove")) return [];
        if (ActionType === actionTypes.method) return [camel(Name)];
        return ActionType === actionTypes.setProperty ? [`${camel(Name)}=`] : [];
      }),
  };
}

function isTrace({ ActionType }: Action): boolean {
  return ActionType === actionTypes.trace;
}

/** Loads `name` or `worksheet/name`. For a collection, loads its items with these properties. */
function load(
  object: HostObject,
  paths: readonly string[],
  { Top = Infinity, Skip = 0 }: Query = {},
): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  if ("items" in object) {
    answer._Items = (object.items as HostObject[]).slice(Skip, Skip + Top).map((item) => ({
      ...("id" in item && { _Id: item.id }),
      ...load(item, paths),
    }));
    return answer;
  }
  for (const path of paths) {
    const [name = "", ...rest] = path.split("/");
    const value = read(object, name);
    const inner = rest.length > 0 && value !== null ? load(value as HostObject, [rest.join("/")]) : value;
    answer[pascal(name)] = inner;
  }
  return answer;
}

function read(object: HostObject, name: string): unknown {
  const member = camel(name);
  return member in object ? (Reflect.get(object, member) as unknown) : refuse("ApiNotFound");
}

function write(object: HostObject, name: string, value: unknown): void {
  const member = camel(name);
  if (!(member in object)) refuse("ApiNotFound");
  Reflect.set(object, member, value);
}

function call(object: HostObject, name: string, given: readonly unknown[]): unknown {
  const method = read(object, name);
  return typeof method === "function" ? Reflect.apply(method, object, given) : refuse("ApiNotFound");
}

function camel(name: string): string {
  const start = name.startsWith("_") ? 1 : 0;
  return name.slice(0, start) + name.charAt(start).toLowerCase() + name.slice(start + 1);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
