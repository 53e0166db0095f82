/** Namespace names of XML signatures, XAdES and containers. */
export const namespaces = {
  /** XML Signature, prefix `ds`. */
  dsig: 'http://www.w3.org/2000/09/xmldsig#',
  /** XML Signature 1.1: ECKeyValue, DEREncodedKeyValue. */
  dsig11: 'http://www.w3.org/2009/xmldsig11#',
  /** The XPath element of XPath Filter 2.0. */
  filter2: 'http://www.w3.org/2002/06/xmldsig-filter2',
  /** The InclusiveNamespaces element; also the identifier of the algorithm. */
  excC14n: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  /** RSAPSSParams and the identifiers of RFC 9231 §2.3.9. */
  moreAlgorithms: 'http://www.w3.org/2007/05/xmldsig-more#',
  /** ETSI XAdES, prefix `xades`. */
  xades132: 'http://uri.etsi.org/01903/v1.3.2#',
  /** ETSI XAdES additions, prefix `xades141`. */
  xades141: 'http://uri.etsi.org/01903/v1.4.1#',
  /** Old XAdES, read only. */
  xades122: 'http://uri.etsi.org/01903/v1.2.2#',
  /** Older XAdES, read only. */
  xades111: 'http://uri.etsi.org/01903/v1.1.1#',
} as const;

/** Values of the attribute Type of a ds:Reference that a verifier evaluates. */
export const referenceTypes = {
  manifest: 'http://www.w3.org/2000/09/xmldsig#Manifest',
  object: 'http://www.w3.org/2000/09/xmldsig#Object',
  signedProperties: 'http://uri.etsi.org/01903#SignedProperties',
  /** The reference of a countersignature to the signature value that it signs. */
  countersigned: 'http://uri.etsi.org/01903#CountersignedSignature',
} as const;

/** Identifiers of supported transforms. */
export const transformUris = {
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  base64: 'http://www.w3.org/2000/09/xmldsig#base64',
  xpath: 'http://www.w3.org/TR/1999/REC-xpath-19991116',
  filter2: 'http://www.w3.org/2002/06/xmldsig-filter2',
} as const;

/** Identifiers of canonicalisation methods used in new signatures. */
export const canonicalUris = {
  c14n10: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  c14n11: 'http://www.w3.org/2006/12/xml-c14n11',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
} as const;
