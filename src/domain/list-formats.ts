/** Formats of lists for screening; apart from their readers, which few programs need. */
export const listFormats = [
  'un-xml',
  'eu-fsf-xml',
  'ofac-sdn-csv',
  'ofac-sdn-xml',
  'ofac-advanced-xml',
  'uk-csv',
  'canada-xml',
  'ftm-json',
  'opensanctions-csv',
  'popolo-json',
  'csv',
] as const;

/** One of {@link listFormats}. */
export type ListFormat = (typeof listFormats)[number];
