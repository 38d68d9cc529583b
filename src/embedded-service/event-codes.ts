/**
 * The event codes a history can hold: the document's table, and the two that only its sample shows. The
 * service's own list, apart from the client's.
 */

export const eventCodes = [
  "SALES",
  "RETURNS",
  "LR",
  "SI",
  "SILR",
  "BR",
  "SBC",
  "PI",
  "IL",
  "DS",
  "DA",
  "RA",
  "DO",
  "DR",
  "DV",
  "DP",
  "PR",
  "DX",
  "PCID",
  "CDV2",
  "CDC",
  "NB",
  "LP",
  "POF",
] as const;
