/**
 * Limits of everything that input can consume. Hostile input must be expected: every loop and every
 * allocation controlled by a file is bounded by one of them.
 */
export const limits = {
  /** Nesting depth of DER elements. */
  derDepth: 64,
  /** Nesting depth of PDF arrays and dictionaries. */
  pdfDepth: 256,
  /** Highest object number of a PDF (ISO 32000-1 Annex C.2 states 8,388,607). */
  pdfObjectNumber: 8_388_607,
  /** Cross-reference sections of a `/Prev` chain. */
  pdfXrefSections: 4_096,
  /** Length of a chain of references. */
  pdfReferenceHops: 32,
  /** Depth of the page tree and of the field tree. */
  pdfTreeDepth: 64,
  /** Pages of a document to be signed. */
  documentPages: 20_000,
  /** Nodes visited in a page tree or field tree. */
  pdfTreeNodes: 1_000_000,
  /** Total bytes of decoded streams needed internally (cross-reference streams, object streams). */
  pdfDecodedBytes: 256 * 1024 * 1024,
  /** The same per byte of the file. Real files rarely reach 8. */
  pdfInflation: 32,
  /** Amount added to this for files of any size. */
  pdfDecodedFloorBytes: 4 * 1024 * 1024,
  /** The same for a file to be rewritten. The library used for it decodes every stream, slowly. */
  pdfRewrittenInflation: 8,
  pdfRewrittenBytes: 64 * 1024 * 1024,
  /** Filters of one stream. */
  pdfFilters: 8,
  /** Bytes of objects parsed per file, plus eight times its size; at most its decoding limit. */
  pdfParsedBytes: 64 * 1024 * 1024,
  /** Values (numbers, names, arrays, …) created per file. Each may need 200 bytes. */
  pdfValues: 8_000_000,
  /** The same for a file of any size, and per byte of the file in addition. */
  pdfValuesFloor: 200_000,
  pdfValuesPerByte: 8,
  /** Ranges of object numbers examined per file. */
  pdfXrefProbes: 200_000_000,
  /** Bytes of one token: a name, number or keyword. */
  pdfTokenBytes: 4_096,
  /** Bytes of a malformed object that are searched for references. */
  brokenObjectBytes: 256 * 1024,
  /** Total bytes of malformed objects of a document that are searched. */
  brokenBytes: 64 * 1024 * 1024,
  /** Bytes of objects that are parsed once for a file and all its revisions. */
  sharedObjectBytes: 4 * 1024 * 1024,
  /** Bytes of updates after a signed revision that are checked. */
  laterBytes: 256 * 1024 * 1024,
  /** Objects looked up to determine the page on which a change is visible. */
  describedObjects: 200_000,
  /** Reported changes after one signature. */
  toldChanges: 64,
  /** Decoded bytes of one `/Contents` value. */
  signatureBytes: 4 * 1024 * 1024,
  /** Signatures and time-stamps in one document. */
  signatures: 4_096,
  /** The same for an XML document or container, each with its own signature value to verify. */
  xmlSignatures: 1_024,
  /** Signatures shown in a report for people, and findings of each. */
  reportSignatures: 200,
  reportFindings: 100,
  /** References from signatures to objects in one machine-readable report. */
  reportRelations: 50_000,
  /** Signers and time-stamps of one CMS signature outside a PDF. */
  cmsTimestamps: 256,
  /** This count times the OCSP responses and CRLs of the signature, which are compared pairwise. */
  cmsStatusChecks: 16_384,
  /** This count times the bytes of the signature, which may be digested once for each. */
  cmsWorkBytes: 512 * 1024 * 1024,
  /** Signature fields and cross-reference sections of all earlier revisions of one document. */
  revisionNodes: 64_000,
  /** Certificates, CRLs or OCSP responses examined for one document. */
  certificates: 4_096,
  /** Bytes of one certificate, OCSP response or CRL in a document. */
  evidenceBytes: 32 * 1024 * 1024,
  /** OCSP responses, and CRLs, outside the latest DSS, checked for a document's certificates. */
  sharedEvidence: 1_024,
  /** Certificates of one document whose revocation status is queried. */
  inquiredCertificates: 16,
  /** Certificates, CRLs and OCSP responses in files named by the user, and bytes of these files. */
  givenObjects: 16_384,
  givenFilesBytes: 256 * 1024 * 1024,
  /** Certificates of one path, including the anchor. */
  pathLength: 16,
  /** Bytes of one response of a time-stamp authority, OCSP responder or CRL address. */
  responseBytes: 32 * 1024 * 1024,
  /** Tables and subtables of a font. */
  fontTables: 256,
  /** Entries of the name table of a font. */
  fontNames: 4_096,
  /** Characters that one font may show. */
  fontCharacters: 1_114_112,
  /** Glyphs of an embedded subset. */
  fontSubsetGlyphs: 16_384,
  /** Bytes of an image file. */
  imageBytes: 16 * 1024 * 1024,
  /** Bytes of a company logo, which is included in all its mails. */
  logoBytes: 64 * 1024,
  /** Bytes of a downloaded screening list, and download time in milliseconds. */
  listFileBytes: 500 * 1024 * 1024,
  listFileMs: 600_000,
  /** Decompressed bytes of a list; expansion factor; bytes exempt from that factor. */
  gzipBytes: 500 * 1024 * 1024,
  gzipGrowth: 100,
  gzipFreeBytes: 1024 * 1024,
  /** Persons of an imported register. */
  registerPersons: 2_000_000,
  /** Pixels of an image. */
  imagePixels: 16_000_000,
  /** Chunks or segments of an image file. */
  imageParts: 65_536,
  /** Characters shown by one stamp. */
  stampCharacters: 2_048,
  /** Lines shown by one stamp. */
  stampLines: 64,
  /** Lines of a freehand signature, their points, and bytes of their text. */
  drawingStrokes: 64,
  drawingPoints: 2_000,
  drawingBytes: 20 * 1024,
  /** Steps of about 25 nanoseconds for determining what is printed on one page. */
  printedSteps: 2_000_000,
  /** Decoded bytes of the content of one page. */
  printedBytes: 4 * 1024 * 1024,
  /** Pages of one document that may need this effort. */
  printedPages: 100,
  /** Bytes of text in a QR code (version 40 with medium error correction holds 2,331). */
  qrBytes: 2_331,
  /** Bytes of an XML document, all of whose text fits into one string. */
  xmlBytes: 500 * 1024 * 1024,
  /** Nesting depth of XML elements. */
  xmlDepth: 10_000,
  /** Elements of an XML document. */
  xmlElements: 20_000_000,
  /** Elements of a document of any size. Above it, each must have this many bytes on average. */
  xmlFreeElements: 1_000_000,
  xmlElementBytes: 10,
  /** Attributes of one element. */
  xmlAttributes: 10_000,
  /** Namespace declarations in scope of one element. */
  xmlNamespaces: 1_024,
  /** Distinct names of elements and attributes in one document. */
  xmlNames: 100_000,
  /** Bytes of one name. */
  xmlNameBytes: 4_096,
  /** Distinct namespace URIs in one document. */
  xmlUris: 100_000,
  /** Characters of a namespace URI, which exclusive canonicalization may repeat on each element. */
  xmlUriCharacters: 4_096,
  /** Id attributes of one document. */
  xmlIds: 2_000_000,
  /** `xml:` attributes that the apex element inherits in inclusive canonicalization. */
  xmlInherited: 1_024,
  /** `xml:base` attributes that are resolved together. */
  xmlBases: 16,
  /** Total bytes of these attributes. */
  xmlBaseBytes: 2_048,
  /** Bytes of a canonical form per byte of the document, in addition to 64 MiB. */
  xmlCanonicalGrowth: 16,
  /** Bytes of any canonical form. */
  xmlCanonicalBytes: 2 * 1024 * 1024 * 1024,
  /** References of one XML signature or manifest. */
  xmlReferences: 10_000,
  /** Transforms of one reference. */
  xmlTransforms: 16,
  /** Characters of one XPath expression. */
  xmlXPathCharacters: 4_096,
  /** Nesting depth of one XPath expression, and consecutive operators of the same precedence. */
  xmlXPathDepth: 64,
  /** Steps of all XPath expressions of a document; a step is a visited node or 8 bytes of text. */
  xmlXPathSteps: 12_000_000,
  /** Nodes that one location step may select. */
  xmlXPathNodes: 250_000,
  /** Characters of one string created by an XPath function. */
  xmlXPathTextCharacters: 4 * 1024 * 1024,
  /** Attributes, text and other nodes that an XPath selects without, or omits from, an element. */
  xmlXPathLoneNodes: 500_000,
  /** Total bytes covered by the references of one document, in addition to 32 times its size. */
  xmlReferencedBytes: 32 * 1024 * 1024,
  /** Unsigned properties of one signature. */
  xmlProperties: 4_096,
  /** Time-stamp tokens of one XML signature. */
  xmlTimestamps: 64,
  /** Bytes of a container file (ZIP). */
  containerBytes: 1024 * 1024 * 1024,
  /** Entries of a container: the maximum of a ZIP file without ZIP64 records. */
  containerEntries: 65_534,
  /** Bytes of the name of an entry. */
  containerNameBytes: 1_024,
  /** Path segments of an entry name, including the file name. */
  containerDepth: 32,
  /** Bytes of the content of one entry. */
  containerEntryBytes: 512 * 1024 * 1024,
  /** Total bytes of all contents permitted for any container. */
  containerInflatedBytes: 128 * 1024 * 1024,
  /** Additional bytes of all contents per byte of the container. XML rarely reaches 20. */
  containerInflation: 32,
  /** Total bytes of all contents, whatever the size of the container. */
  containerContentBytes: 1024 * 1024 * 1024,
  /** Bytes of decompressed contents that are cached while a container is verified. */
  containerKeptBytes: 32 * 1024 * 1024,
  /** Bytes of signature files and manifests of a container, in addition to four times its size. */
  containerMetaBytes: 8 * 1024 * 1024,
  /** Files with signatures or time-stamps in a container. */
  containerSignatures: 512,
  /** Time-stamps among them, which are compared pairwise. */
  containerTimestamps: 32,
  /** Total bytes of files read for all signatures, in addition to 32 times all contents. */
  containerLentBytes: 4 * 1024 * 1024 * 1024,
  /** Bytes of one name in a list of names: more than a path can have. */
  listedNameBytes: 4_096,
  /** Bytes of a list of names. */
  nameListBytes: 64 * 1024 * 1024,
  /** Bytes of the journal of a batch: several million documents. */
  batchJournalBytes: 400 * 1024 * 1024,
  /** Bytes of all documents attached to one mail. Base64 adds a third. */
  mailAttachmentBytes: 15 * 1024 * 1024,
  /** Total signees of all documents of a sequence. */
  sequenceSignees: 2_000,
  /** Signees that the holder of a link may add, unless the flow sets a different number. */
  linkSignees: 5,
  /** Changes of one signee by link, and those that change the mail address. */
  linkChanges: 20,
  linkAddresses: 3,
  /** Invitations to one document that are caused by a link. */
  linkInvitations: 20,
  /** Mails of a company to one address per day that are caused by links. */
  linkMails: 10,
  /** Persons with a passcode in a new sequence. Hashing is slow on purpose. */
  passcodes: 200,
  /** Bytes of the JSON of a request, excluding documents. */
  jsonBytes: 8 * 1024 * 1024,
  /** Nesting depth of the JSON of a request. */
  jsonDepth: 32,
  /** Members and elements of the JSON of a request, and the limit for requests of up to 256 KiB. */
  jsonValues: 100_000,
  smallJsonValues: 10_000,
  /** Members of one JSON object. Larger objects are slow to build and slower to search. */
  jsonMembers: 5000,
  /** JSON with more values is parsed in a separate turn of the event loop. */
  quickJsonValues: 1000,
  /** Characters of a string in the JSON of a request that is not a document. */
  textCharacters: 256 * 1024,
  /** Signee places of a sequence that count as one request for rate limits. */
  placesOfRequest: 100,
  /** Milliseconds after which no further body is processed in the same turn of the event loop. */
  turnMs: 1,
  /** Milliseconds for which new connections may delay this processing. */
  arrivalsMs: 250,
  /** Chunks of a body of any size. Above this number, each must have this many bytes on average. */
  freeChunks: 1000,
  chunkBytes: 64,
  /** Bytes of a request body of a company: base64 of a 50 MB document, and the JSON around it. */
  bodyBytes: 70 * 1024 * 1024,
  /** Bytes of request bodies of companies in memory at the same time: in total, and per company. */
  companyBodiesBytes: 256 * 1024 * 1024,
  companyBodiesShare: 144 * 1024 * 1024,
  /** Bytes of all other request bodies in memory at the same time: in total, and per address. */
  otherBodiesBytes: 64 * 1024 * 1024,
  otherBodiesShare: 4 * 1024 * 1024,
  /** Bytes of a file that a visitor has verified on a page, and of the form around it. */
  pageFileBytes: 20 * 1024 * 1024,
  pageFormBytes: 64 * 1024,
  /** Documents that a customer submits in one request. */
  broughtDocuments: 10,
  /** Bytes of these files in memory at the same time. */
  pageFilesBytes: 64 * 1024 * 1024,
  /** Verifications and bytes per second from one address, and the respective bursts. */
  pageChecksPerSecond: 0.2,
  pageChecksAtOnce: 10,
  /** Weight of a form without a file. A person may submit one per question. */
  pageFormCost: 0.125,
  pageBytesPerSecond: 1024 * 1024,
  pageBytesAtOnce: 60 * 1024 * 1024,
  /** Processes started per second by forms from one address, and the burst. */
  formSendsPerSecond: 0.2,
  formSendsAtOnce: 10,
  /** Processes started per second by forms of one flow, and the burst. */
  formStartsPerSecond: 1,
  formStartsAtOnce: 60,
  /** Forms naming the same mailbox: one per ten minutes, and the burst. */
  formMailsPerSecond: 1 / 600,
  formMailsAtOnce: 5,
  /** Form answers saved before submission: bytes of one, retention time, and number per flow. */
  formDraftBytes: 64 * 1024,
  formDraftMs: 24 * 60 * 60_000,
  formDraftsOfFlow: 2_000,
  /** Forms of one flow started per second, and the burst. */
  formDraftsPerSecond: 0.5,
  formDraftsAtOnce: 120,
  /** Bytes of responses to companies in memory at the same time: in total, and per company. */
  companyAnswersBytes: 256 * 1024 * 1024,
  companyAnswersShare: 160 * 1024 * 1024,
  /** The same for all other clients: in total, and per address. */
  otherAnswersBytes: 128 * 1024 * 1024,
  otherAnswersShare: 32 * 1024 * 1024,
  /** Requests queued for an earlier response: per connection, in total, and per address. */
  waitingRequestsOfConnection: 16,
  waitingRequests: 1_024,
  waitingRequestsShare: 128,
  /** Share of bodies, responses and downloads reserved for clients that use few of them. */
  keptPart: 1 / 8,
  /** Open connections of one process, and the share of one address. `serve` can set the former. */
  connections: 5000,
  connectionsPart: 1 / 8,
  /** Concurrent requests to one e-ID provider, each on a separate connection. */
  providerConnections: 2_000,
  /** Backlog of connections to be accepted. Linux's default is 4,096 (`net.core.somaxconn`). */
  waiting: 4_096,
  /** The page reads a larger document in ranges, and a smaller one in one piece. */
  readerWholeBytes: 1024 * 1024,
  /** Pages of a document that the page shows as text in one request, and their characters. */
  textPages: 20,
  textShownCharacters: 400_000,
  textPageCharacters: 100_000,
  /**
   * Time to extract this text, memory for values and for bytes other than the document, and queued
   * orders.
   */
  textMs: 15_000,
  textValuesMb: 192,
  textBytes: 128 * 1024 * 1024,
  textOrders: 8,
  /** Concurrent downloads of stored files: in total, per address, and of one company's files. */
  downloads: 1_024,
  downloadsShare: 128,
  downloadsOfCompany: 512,
  /** The part of these available to links. The rest is reserved for the company. */
  downloadsOfLinks: 384,
  /** Minimum bytes of a body received, or of a response read, in each interval of `paceMs`. */
  paceBytes: 10 * 1024,
  paceMs: 20_000,
  /** Milliseconds for which a client can read why its connection is closed. */
  lingerMs: 1_000,
  /** Values and nesting depth of one library argument, and characters of one string in it. */
  givenValues: 1_000_000,
  givenDepth: 8,
  givenCharacters: 65_536,
  /** Bytes of one trusted list, and total bytes of all lists of a profile or bundle. */
  trustListBytes: 16 * 1024 * 1024,
  trustBundleBytes: 256 * 1024 * 1024,
  /** Services and pointers of one trusted list, and criteria of one qualifier. */
  trustListServices: 50_000,
  trustListPointers: 512,
  trustListCriteria: 1_024,
  /** Characters of one text of a trusted list that are examined. */
  trustListTextCharacters: 4_096,
  /** Pivots between the known signers and those of the current list of trusted lists. */
  trustListPivots: 32,
  /** Download time of one trusted list in milliseconds. */
  trustListMs: 60_000,
  /** Response time of a signer or another object implemented by the caller, in milliseconds. */
  answerMs: 300_000,
} as const;
