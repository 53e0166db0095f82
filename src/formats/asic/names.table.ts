/** Media types of the two kinds of container. @spec ETSI EN 319 162-1 §4.3, §4.4 */
export const asicMimeTypes = {
  'asic-s': 'application/vnd.etsi.asic-s+zip',
  'asic-e': 'application/vnd.etsi.asic-e+zip',
} as const;

/** Media types of older names for containers with the form of an ASiC-E. */
export const relatedMimeTypes: readonly string[] = [
  'application/vnd.bdoc-1.0',
  'application/vnd.lt.archyvai.adoc-2008',
];

/** Prefix of the media types of OpenDocument files. */
export const openDocumentPrefix = 'application/vnd.oasis.opendocument.';

/** The entry that states the media type of the whole container. */
export const mimetypeName = 'mimetype';

/** The folder of everything other than data. */
export const metaFolder = 'META-INF/';

/** Names of the single signature file of an ASiC-S. @spec ETSI EN 319 162-1 §4.3 */
export const simpleNames = {
  xades: 'META-INF/signatures.xml',
  cades: 'META-INF/signature.p7s',
  timestamp: 'META-INF/timestamp.tst',
} as const;

/** The newest archive manifest; older ones are numbered. @spec ETSI EN 319 162-1 Annex A.7 */
export const archiveManifestName = 'META-INF/ASiCArchiveManifest.xml';

/** The namespace of XAdESSignatures and ASiCManifest. */
export const asicNamespace = 'http://uri.etsi.org/02918/v1.2.1#';

/** Namespaces that other writers use for the same elements. */
export const asicNamespaces: readonly string[] = [
  asicNamespace,
  'http://uri.etsi.org/2918/v1.2.1#',
  'http://uri.etsi.org/02918/v1.1.1#',
  'http://uri.etsi.org/2918/v1.1.1#',
];

/** The namespace of document-signatures, the root of `META-INF/documentsignatures.xml`. */
export const openDocumentSignatures = 'urn:oasis:names:tc:opendocument:xmlns:digitalsignature:1.0';

/** The namespace of `META-INF/manifest.xml`. */
export const openDocumentNamespace = 'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0';

/** The namespace of XML Signature. */
export const dsigNamespace = 'http://www.w3.org/2000/09/xmldsig#';
