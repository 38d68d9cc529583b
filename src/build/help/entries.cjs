/**
 * The help as data, in one shape for the pages, with an entry for each function and topic. An
 * entry has a lead and sections of parts. A part is a paragraph, or pairs of a term and its meaning. Code is
 * in backticks. See entries.d.cts.
 */
"use strict";

/** @param functions from `readCatalogue`; @param topics from `helpTopics` */
function helpEntries(functions, topics) {
  return [...topics.map(topicEntry), ...functions.map(functionEntry)];
}

function topicEntry({ id, title, parts }) {
  return { id, kind: "topic", title, lead: "", sections: [{ heading: "", parts }] };
}

function functionEntry(entry) {
  const { id, name, signature, description, results, errors, examples } = entry;
  return {
    id: id.toLowerCase(),
    kind: "function",
    title: name,
    lead: description,
    sections: [
      { heading: "", parts: [`\`=${signature}\``] },
      { heading: "Arguments", parts: [argumentPairs(entry.arguments)] },
      { heading: "Result", parts: [results] },
      { heading: "Errors", parts: [{ pairs: errors.map(({ value, when }) => [`\`${value}\``, when]) }] },
      {
        heading: "Examples",
        parts: [
          {
            pairs: examples.map(({ formula, result, note }) => [
              `\`${formula}\``,
              `Gives ${result}. ${note}`,
            ]),
          },
        ],
      },
    ],
  };
}

function argumentPairs(args) {
  if (args.length === 0) return "None.";
  return {
    pairs: args.map(({ name, description, optional }) => [
      `\`${name}\`${optional ? " (optional)" : ""}`,
      description,
    ]),
  };
}

module.exports = { helpEntries };
