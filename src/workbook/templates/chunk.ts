export { buildTemplate } from "./build";
export { builtInTemplate } from "./built-in";
export { demoRows, readDemoData } from "./demo-data";
