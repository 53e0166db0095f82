/** Categories of listed persons. Combined categories are sorted in this order. */
export const watchCategories = [
  'Sanction',
  'TER',
  'PEP',
  'SIE',
  'SOE',
  'RCA',
  'SIP',
  'POI',
] as const;

/** One of {@link watchCategories}. */
export type WatchCategory = (typeof watchCategories)[number];
