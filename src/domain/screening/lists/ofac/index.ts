/** The OFAC lists in their three formats. */

export { ofacCsvDrafts } from './ofac.ts';
export { ofacAdvancedDate, ofacAdvancedDrafts } from './ofac-advanced.ts';
export { ofacXmlDrafts } from './ofac-xml.ts';
