/** What Redis provides to a script, as far as INV uses it. */

/** A function of Lua. Without `this: void` it would be compiled as a method and get its object as an argument. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type LuaFunction<Given extends readonly unknown[], Result> = (this: void, ...given: Given) => Result;

export interface LuaRedis {
  /** A missing value is `false`. */
  readonly call: LuaFunction<readonly [command: string, ...words: (string | number)[]], unknown>;
}

/** MessagePack. */
export interface LuaMessages<Value = unknown> {
  readonly pack: LuaFunction<readonly [value: Value], string>;
  readonly unpack: LuaFunction<readonly [text: string], Value>;
}
