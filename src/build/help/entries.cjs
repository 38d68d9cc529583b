/**
 * The help as data: an entry for each function and each topic, in one shape for all who show it, the pages and
 * the pane. An entry has a lead and sections of parts; a part is a paragraph, or pairs of a term and what it
 * means. `code` stands in backticks. See entries.d.cts.
 */
"use strict";

/** Functions as `readCatalogue` describes them, topics as `helpTopics` does. */
function helpEntries(functions, topics) {
  return [...topics.map(topicEntry), ...functions.map(functionEntry)];
}

function topicEntry({ id, title, words, parts }) {
  return { id, kind: "topic", title, words, lead: "", sections: [{ heading: "", parts }] };
}

function functionEntry(entry) {
  const { id, name, signature, description, results, errors, examples } = entry;
  return {
    id: id.toLowerCase(),
    kind: "function",
    title: name,
    words: "function formula",
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
