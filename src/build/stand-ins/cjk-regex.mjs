/**
 * Replaces the package `cjk-regex` with the same functions and characters, because the browser itself knows
 * scripts and categories. Regular expressions have no names for blocks, so this file contains their ranges
 * from Unicode's Blocks.txt.
 */
const letter =
  "(?=[\\p{Script=Han}\\p{Script=Katakana}\\p{Script=Hiragana}\\p{Script=Hangul}\\p{Script=Bopomofo}])" +
  "[\\p{Lo}\\p{Nl}\\p{So}\\p{Lm}]";
const block =
  "[\\u2FF0-\\u303F\\u30A0-\\u30FF\\u3190-\\u319F\\u31C0-\\u31EF\\u3200-\\u33FF\\uFE10-\\uFE1F\\uFE30-\\uFE6F\\uFF00-\\uFFEF]";
const punctuation = `(?!${letter})${block}`;

const made = (source) => () => ({ toRegExp: () => new RegExp(source, "u") });

export const letters = made(letter);
export const punctuations = made(punctuation);
export const all = made(`${letter}|${punctuation}`);
