/** Description of each watchlist format. Separate from the readers, which few programs need. */
export const formatTitles = {
  'un-xml': 'UN consolidated list (XML)',
  'eu-fsf-xml': 'EU financial sanctions (XML 1.1)',
  'ofac-sdn-csv': 'OFAC SDN (sdn.csv with alt.csv and sdn_comments.csv)',
  'ofac-sdn-xml': 'OFAC SDN (XML)',
  'ofac-advanced-xml': 'OFAC SDN (advanced XML)',
  'uk-csv': 'UK Sanctions List and OFSI list (CSV)',
  'canada-xml': 'Canada SEMA (XML)',
  'ftm-json': 'OpenSanctions (entities.ftm.json)',
  'opensanctions-csv': 'OpenSanctions (targets.simple.csv)',
  'popolo-json': 'Popolo (JSON)',
  csv: 'lists of your own (CSV)',
} as const;

/** A format of lists for screening. */
export type ListFormat = keyof typeof formatTitles;

/** Every {@link ListFormat}. */
export const listFormats = Object.keys(formatTitles) as readonly ListFormat[];
