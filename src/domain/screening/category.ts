/** Categories of listed persons, in the order in which several are joined. */
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
