/** A script for Redis: what the file says, and behind it the TypeScript of the same name (`src/build/lua.cjs`). */
declare module "*.lua" {
  const text: string;
  export default text;
}
