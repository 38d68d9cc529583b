/**
 * Checks functions.json against Excel's rules, because one wrong function makes Excel silently register none
 * at all. The limits are the stricter ones of Excel's two metadata schemas. Microsoft's generator checks
 * neither lengths nor unknown members.
 */
"use strict";

const topMembers = ["allowCustomDataForDataTypeAny", "allowErrorForDataTypeAny", "enums", "functions"];
const functionMembers = ["description", "helpUrl", "id", "name", "options", "parameters", "result"];
const enumMembers = ["id", "type", "values"];
const valueMembers = ["name", "stringValue", "tooltip"];
const parameterMembers = ["customEnumId", "description", "dimensionality", "name", "optional", "type"];
const options = ["requiresAddress"];
const types = ["any", "string", "number", "boolean"];
const dimensionalities = ["scalar", "matrix"];

/** Returns the faults of the metadata as sentences. */
function metadataProblems(metadata) {
  const problems = unknownMembers("functions.json", metadata, topMembers);
  for (const member of topMembers.slice(0, 2)) {
    if (metadata[member] !== true) problems.push(`functions.json: ${member} must be true.`);
  }
  const functions = Array.isArray(metadata.functions) ? metadata.functions : [];
  if (functions.length === 0) problems.push("functions.json: it contains no function.");
  for (const member of ["id", "name"]) {
    const seen = new Set();
    for (const entry of functions) {
      const word = String(entry[member]).toUpperCase();
      if (seen.has(word)) problems.push(`${word}: the ${member} is used twice.`);
      seen.add(word);
    }
  }
  const enums = metadata.enums ?? [];
  if (enums.length > 256) problems.push("functions.json: more than 256 enums.");
  const ids = new Set(enums.map(({ id }) => id.toUpperCase()));
  if (ids.size < enums.length) problems.push("functions.json: two enums share an id.");
  for (const { id, parameters } of functions) {
    for (const { name, customEnumId } of parameters ?? []) {
      if (customEnumId !== undefined && !ids.has(customEnumId.toUpperCase())) {
        problems.push(`${id} ${name}: the enum ${customEnumId} is missing.`);
      }
    }
  }
  return [...problems, ...enums.flatMap(enumProblems), ...functions.flatMap(functionProblems)];
}

function enumProblems(entry) {
  const problems = unknownMembers(entry.id, entry, enumMembers);
  const say = (isRight, sentence) => {
    if (!isRight) problems.push(`${entry.id}: ${sentence}`);
  };
  say(
    /^[A-Za-z][A-Za-z0-9._]{2,63}$/.test(entry.id),
    "the enum's id must be 3 to 64 letters, digits, dots or underscores.",
  );
  say(entry.type === "string", "the enum's type must be string.");
  say(entry.values.length > 0, "the enum has no values.");
  for (const value of entry.values) {
    problems.push(...unknownMembers(`${entry.id} ${value.name}`, value, valueMembers));
    say(isText(value.name, 256), "a value's name must have 1 to 256 characters.");
    say(isText(value.stringValue, 256), "a value must have a text.");
    say(isText(value.tooltip ?? "-", 256), "a tooltip must have 1 to 256 characters.");
  }
  return problems;
}

function functionProblems(entry) {
  const problems = unknownMembers(entry.id, entry, functionMembers);
  const say = (isRight, sentence) => {
    if (!isRight) problems.push(`${entry.id}: ${sentence}`);
  };
  say(
    /^[A-Za-z][A-Za-z0-9._]{2,63}$/.test(entry.id),
    "the id must be 3 to 64 letters, digits, dots or underscores.",
  );
  say(
    /^[A-Za-z][A-Za-z0-9._]{2,63}$/.test(entry.name),
    "the name must be 3 to 64 letters, digits, dots or underscores.",
  );
  say(!/^[A-Za-z]{1,3}[0-9]+$/.test(entry.name), "the name looks like a cell's address.");
  say(isText(entry.description, 1024), "the description must have 1 to 1,024 characters.");
  say(/^https?:\/\/.{1,2040}$/.test(entry.helpUrl), "helpUrl must be an absolute address.");
  problems.push(...unknownMembers(entry.id, entry.options ?? {}, options));
  say(
    dimensionalities.includes(entry.result?.dimensionality ?? "scalar"),
    "the result's dimensionality is unknown.",
  );
  say(types.includes(entry.result?.type ?? "any"), "the result's type is unknown.");
  const parameters = entry.parameters ?? [];
  say(parameters.length <= 128, "more than 128 parameters.");
  say(new Set(parameters.map(({ name }) => name)).size === parameters.length, "two parameters share a name.");
  const firstOptional = parameters.findIndex(({ optional }) => optional === true);
  say(
    firstOptional < 0 || parameters.slice(firstOptional).every(({ optional }) => optional === true),
    "a required parameter follows an optional one.",
  );
  return [...problems, ...parameters.flatMap((parameter) => parameterProblems(entry.id, parameter))];
}

function parameterProblems(id, parameter) {
  const problems = unknownMembers(`${id} ${parameter.name}`, parameter, parameterMembers);
  const say = (isRight, sentence) => {
    if (!isRight) problems.push(`${id} ${parameter.name}: ${sentence}`);
  };
  say(isText(parameter.name, 64), "the name must have 1 to 64 characters.");
  say(isText(parameter.description, 512), "the description must have 1 to 512 characters.");
  say(types.includes(parameter.type), "the type is unknown.");
  say(dimensionalities.includes(parameter.dimensionality ?? "scalar"), "the dimensionality is unknown.");
  return problems;
}

function unknownMembers(owner, value, known) {
  return Object.keys(value)
    .filter((member) => !known.includes(member))
    .map((member) => `${owner}: Excel does not know "${member}".`);
}

function isText(value, longest) {
  return typeof value === "string" && value.length > 0 && value.length <= longest;
}

module.exports = { metadataProblems };
