/** A script for Redis, compiled from the TypeScript file of the same name (`src/build/lua.cjs`). */
declare module "*.lua" {
  const text: string;
  export default text;
}
