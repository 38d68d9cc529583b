/**
 * Turns the development manifest at the root into the served one. A build for another address is the released
 * add-in. It has the permanent Id, so that saved workbooks find it, and a different name, so that people can
 * tell the two apart.
 */
"use strict";

const developmentUrl = "https://localhost:3000";
/** Never change this ID: saved workbooks refer to it. */
const releasedId = "13c78417-834e-4ebd-a303-482841c6f921";

/**
 * @param {string} text the development manifest
 * @param {string} publicUrl the public address of the server
 * @returns {string} the manifest for this address
 */
exports.manifestFor = function manifestFor(text, publicUrl) {
  if (publicUrl === developmentUrl) return text;
  if (!publicUrl.startsWith("https://")) {
    throw new Error(`INV_PUBLIC_URL must begin with https://: ${publicUrl}`);
  }
  return text
    .replaceAll(developmentUrl, publicUrl)
    .replace(/<Id>[^<]*</, `<Id>${releasedId}<`)
    .replaceAll(" (development)", "");
};

exports.developmentUrl = developmentUrl;
