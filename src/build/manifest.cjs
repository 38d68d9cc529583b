/**
 * Turns the development manifest at the root into the one that is served. A build for another address than the
 * development one is the released add-in: it has the frozen Id, so that saved workbooks find it, and a name of its
 * own, so that people can tell both apart in a list.
 */
"use strict";

const developmentUrl = "https://localhost:3000";
/** Frozen. */
const releasedId = "13c78417-834e-4ebd-a303-482841c6f921";

/**
 * @param {string} text the development manifest
 * @param {string} publicUrl the address at which people reach the server
 * @returns {string} the manifest for that address
 */
exports.manifestFor = function manifestFor(text, publicUrl) {
  if (publicUrl === developmentUrl) return text;
  return text
    .replaceAll(developmentUrl, publicUrl)
    .replace(/<Id>[^<]*</, `<Id>${releasedId}<`)
    .replaceAll(" (development)", "");
};

exports.developmentUrl = developmentUrl;
