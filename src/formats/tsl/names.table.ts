/** Namespaces of trusted lists. @spec ETSI TS 119 612 Annex C */
export const tslNamespaces = {
  list: 'http://uri.etsi.org/02231/v2#',
  additional: 'http://uri.etsi.org/02231/v2/additionaltypes#',
  qualifications: 'http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#',
  xades: 'http://uri.etsi.org/01903/v1.3.2#',
} as const;

/** Types of lists. @spec ETSI TS 119 612 Annex D.3 */
export const listTypes = {
  listOfLists: 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists',
  generic: 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric',
} as const;

/** Types of services. @spec ETSI TS 119 612 §5.5.1 */
export const serviceTypes = {
  caQc: 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC',
  qtst: 'http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST',
  caPrefix: 'http://uri.etsi.org/TrstSvc/Svctype/CA/',
  ocsp: 'http://uri.etsi.org/TrstSvc/Svctype/Certstatus/OCSP',
  ocspQc: 'http://uri.etsi.org/TrstSvc/Svctype/Certstatus/OCSP/QC',
  tsaPrefix: 'http://uri.etsi.org/TrstSvc/Svctype/TSA',
} as const;

/** Prefix of the URIs of service statuses. @spec ETSI TS 119 612 §5.5.4 */
export const statusPrefix = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/';

/** Prefix of the URIs of qualifiers and of additional information. */
export const extensionPrefix = 'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/';
