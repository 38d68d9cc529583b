/** The parts of templates that load when a person first builds one, as one chunk. */
export { buildTemplate } from "./build";
export { builtInTemplate } from "./built-in";
export { demoRows, readDemoData } from "./demo-data";
