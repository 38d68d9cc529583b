/** What Redis gives to a script, as far as INV uses it. */

/** One of Lua's own functions: as a method it would be given what it is called on. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type LuaFunction<Given extends readonly unknown[], Result> = (this: void, ...given: Given) => Result;

export interface LuaRedis {
  /** Nothing comes back as false. */
  readonly call: LuaFunction<readonly [command: string, ...words: (string | number)[]], unknown>;
}

/** MessagePack. */
export interface LuaMessages<Value> {
  readonly pack: LuaFunction<readonly [value: Value], string>;
  readonly unpack: LuaFunction<readonly [text: string], Value>;
}
