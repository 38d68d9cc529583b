/**
 * From the development manifest at the root to the one that is served: its addresses, and the version of the
 * package. A build for another address than the development one is the released add-in: it has the frozen Id, so
 * that saved workbooks find it, and a name of its own, so that a list that holds both tells them apart.
 */
"use strict";

const developmentUrl = "https://localhost:3000";
/** Frozen. */
const releasedId = "13c78417-834e-4ebd-a303-482841c6f921";

/**
 * @param {string} text the development manifest
 * @param {{ publicUrl: string, version: string }} release
 * @returns {string} the manifest for that address
 */
exports.manifestFor = function manifestFor(text, { publicUrl, version }) {
  const ofVersion = text.replace(/<Version>[^<]*</, `<Version>${version}.0<`);
  if (publicUrl === developmentUrl) return ofVersion;
  return ofVersion
    .replaceAll(developmentUrl, publicUrl)
    .replace(/<Id>[^<]*</, `<Id>${releasedId}<`)
    .replaceAll(" (development)", "");
};

exports.developmentUrl = developmentUrl;
