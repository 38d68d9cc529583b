/** What comes with the chunk of templates. */
export { readTemplateText } from "../../domain/templates/read-template";
export { buildTemplate } from "./build";
export { builtInTemplate, builtInTemplates } from "./built-in";
export { demoRows, readDemoData } from "./demo-data";
export { cellsOfText, readRows } from "./rows";
export { rowsOfSelection } from "./selected-rows";
export { workOfTemplate } from "./work";
