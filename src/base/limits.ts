/**
 * Bounds on everything that an input can ask for. Hostile input is normal input: each loop and
 * each allocation that a file controls stands under one of these.
 */
export const limits = {
  /** Nesting of DER elements. */
  derDepth: 64,
  /** Nesting of PDF arrays and dictionaries. */
  pdfDepth: 256,
  /** Highest object number that a PDF may use (ISO 32000-1 Annex C.2 names 8,388,607). */
  pdfObjectNumber: 8_388_607,
  /** Sections of a `/Prev` chain. */
  pdfXrefSections: 4_096,
  /** References followed from one to the next. */
  pdfReferenceHops: 32,
  /** Depth of the page tree and of the field tree. */
  pdfTreeDepth: 64,
  /** Pages of a document that is to be signed. */
  documentPages: 20_000,
  /** Nodes looked at in a page tree or field tree. */
  pdfTreeNodes: 1_000_000,
  /** Bytes of all decoded streams that we need ourselves (cross-reference, object streams). */
  pdfDecodedBytes: 256 * 1024 * 1024,
  /** The same for each byte of the file: real ones rarely have 8. */
  pdfInflation: 32,
  /** The same for any file, on top of that. */
  pdfDecodedFloorBytes: 4 * 1024 * 1024,
  /** The same for a file that is rewritten: the library for that decodes all there is, slowly. */
  pdfRewrittenInflation: 8,
  pdfRewrittenBytes: 64 * 1024 * 1024,
  /** Filters of one stream. */
  pdfFilters: 8,
  /**
   * Bytes of objects parsed for one file, on top of eight times its size; not more than its streams
   * may decode to.
   */
  pdfParsedBytes: 64 * 1024 * 1024,
  /** Values (numbers, names, arrays, …) made for one file; each may take 200 bytes. */
  pdfValues: 8_000_000,
  /** The same for any file, and on top of that for each byte of the file. */
  pdfValuesFloor: 200_000,
  pdfValuesPerByte: 8,
  /** Ranges of object numbers looked at for one file. */
  pdfXrefProbes: 200_000_000,
  /** Bytes of one token: a name, number or keyword. */
  pdfTokenBytes: 4_096,
  /** Bytes of a broken object that are looked through for references. */
  brokenObjectBytes: 256 * 1024,
  /** Bytes of all broken objects of a document that are looked through. */
  brokenBytes: 64 * 1024 * 1024,
  /** Bytes of objects that a file and its revisions parse once for all of them. */
  sharedObjectBytes: 4 * 1024 * 1024,
  /** Bytes of updates behind a signed revision that are checked. */
  laterBytes: 256 * 1024 * 1024,
  /** Objects that are looked up to say on which page a change shows. */
  describedObjects: 200_000,
  /** Changes after one signature that a report lists. */
  toldChanges: 64,
  /** Bytes of one `/Contents` value, decoded. */
  signatureBytes: 4 * 1024 * 1024,
  /** Signatures and time-stamps in one document. */
  signatures: 4_096,
  /** Those of one XML document or container: each has a value of its own to verify. */
  xmlSignatures: 1_024,
  /** Signatures that a report for people shows, and findings of each. */
  reportSignatures: 200,
  reportFindings: 100,
  /** References from signatures to objects in one report for programs. */
  reportRelations: 50_000,
  /** Signers and time-stamps of one CMS signature outside a PDF. */
  cmsTimestamps: 256,
  /** The same times the OCSP responses and CRLs in it: each is compared with each. */
  cmsStatusChecks: 16_384,
  /** The same times the bytes of the signature: each may be digested for each. */
  cmsWorkBytes: 512 * 1024 * 1024,
  /** Signature fields and cross-reference sections of all earlier revisions of one document. */
  revisionNodes: 64_000,
  /** Certificates, CRLs or OCSP answers looked at for one document. */
  certificates: 4_096,
  /** Bytes of one certificate, OCSP response or CRL in a document. */
  evidenceBytes: 32 * 1024 * 1024,
  /**
   * OCSP responses, and CRLs, of a document outside the newest of its stores, that are checked for
   * all of its certificates.
   */
  sharedEvidence: 1_024,
  /** Certificates of one document whose status is asked for. */
  inquiredCertificates: 16,
  /** Certificates, CRLs and OCSP responses in files named by the user, and bytes of those files. */
  givenObjects: 16_384,
  givenFilesBytes: 256 * 1024 * 1024,
  /** Certificates of one path, anchor included. */
  pathLength: 16,
  /** Bytes of one answer of a time-stamp authority, OCSP responder or CRL address. */
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
  /** The logo of a company: it goes with each of its mails. */
  logoBytes: 64 * 1024,
  /** Bytes of a list for screening that is downloaded, and milliseconds that this may take. */
  listFileBytes: 500 * 1024 * 1024,
  listFileMs: 600_000,
  /** Bytes that a compressed list holds unpacked; times its size, but for the first ones. */
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
  /** Lines of a drawn signature, points of all of them, and bytes of their text. */
  drawingStrokes: 64,
  drawingPoints: 2_000,
  drawingBytes: 20 * 1024,
  /** Steps of about 25 nanoseconds that looking at what one page shows may take. */
  printedSteps: 2_000_000,
  /** Bytes that the content of one page may decode to. */
  printedBytes: 4 * 1024 * 1024,
  /** Pages of one document that may take as much. */
  printedPages: 100,
  /** Bytes of the text in a QR code (version 40 with medium correction holds 2,331). */
  qrBytes: 2_331,
  /** Bytes of an XML document: all of its text fits into one string. */
  xmlBytes: 500 * 1024 * 1024,
  /** Nesting of XML elements. */
  xmlDepth: 10_000,
  /** Elements of an XML document. */
  xmlElements: 20_000_000,
  /**
   * Elements of a document of any length; with more, each needs this number of bytes on average.
   */
  xmlFreeElements: 1_000_000,
  xmlElementBytes: 10,
  /** Attributes of one element. */
  xmlAttributes: 10_000,
  /** Namespace declarations in scope at one place. */
  xmlNamespaces: 1_024,
  /** Different names of elements and attributes in one document. */
  xmlNames: 100_000,
  /** Bytes of one name. */
  xmlNameBytes: 4_096,
  /** Different namespace URIs in one document. */
  xmlUris: 100_000,
  /** Characters of one namespace URI: an exclusive canonical form may repeat it at each element. */
  xmlUriCharacters: 4_096,
  /** Identifying attributes of one document. */
  xmlIds: 2_000_000,
  /** `xml:` attributes that the first element of an inclusive canonical form may take over. */
  xmlInherited: 1_024,
  /** `xml:base` attributes that are joined. */
  xmlBases: 16,
  /** Bytes of all of them. */
  xmlBaseBytes: 2_048,
  /** Bytes of a canonical form for each byte of the document, on top of 64 MiB. */
  xmlCanonicalGrowth: 16,
  /** Bytes of any canonical form. */
  xmlCanonicalBytes: 2 * 1024 * 1024 * 1024,
  /** References of one XML signature or manifest. */
  xmlReferences: 10_000,
  /** Transforms of one reference. */
  xmlTransforms: 16,
  /** Characters of one XPath expression. */
  xmlXPathCharacters: 4_096,
  /** Nesting of one XPath expression, and operators of one rank in a row. */
  xmlXPathDepth: 64,
  /** Steps of all XPath expressions of one document: a node visited, 8 bytes of text read. */
  xmlXPathSteps: 12_000_000,
  /** Nodes that one step of a path may lead to. */
  xmlXPathNodes: 250_000,
  /** Characters of one text that an XPath function makes. */
  xmlXPathTextCharacters: 4 * 1024 * 1024,
  /** Attributes, texts and others that an XPath leaves out of elements that it keeps, or keeps. */
  xmlXPathLoneNodes: 500_000,
  /** Bytes that the references of one document may be, on top of 32 times its size. */
  xmlReferencedBytes: 32 * 1024 * 1024,
  /** Unsigned properties of one signature. */
  xmlProperties: 4_096,
  /** Time-stamp tokens of one XML signature. */
  xmlTimestamps: 64,
  /** Bytes of a container file (ZIP). */
  containerBytes: 1024 * 1024 * 1024,
  /** Entries of a container: as many as an archive without ZIP64 records can have. */
  containerEntries: 65_534,
  /** Bytes of the name of an entry. */
  containerNameBytes: 1_024,
  /** Segments of the name of an entry: folders inside each other and the file. */
  containerDepth: 32,
  /** Bytes of the content of one entry. */
  containerEntryBytes: 512 * 1024 * 1024,
  /** Bytes of all contents that any container may have. */
  containerInflatedBytes: 128 * 1024 * 1024,
  /** Bytes of all contents for each byte of a container, above that: XML rarely has 20. */
  containerInflation: 32,
  /** Bytes of all contents, however large the container is. */
  containerContentBytes: 1024 * 1024 * 1024,
  /** Bytes of inflated contents that are kept while a container is checked. */
  containerKeptBytes: 32 * 1024 * 1024,
  /** Bytes of signature files and manifests of a container, on top of four times its size. */
  containerMetaBytes: 8 * 1024 * 1024,
  /** Files with signatures or time-stamps in a container. */
  containerSignatures: 512,
  /** Time-stamps among them: each is compared with each. */
  containerTimestamps: 32,
  /** Bytes of files that all signatures go through, on top of 32 times all contents. */
  containerLentBytes: 4 * 1024 * 1024 * 1024,
  /** Bytes of one name in a list of names: more than a path may have. */
  listedNameBytes: 4_096,
  /** Bytes of a list of names. */
  nameListBytes: 64 * 1024 * 1024,
  /** Bytes of the journal of a batch: some millions of documents. */
  batchJournalBytes: 400 * 1024 * 1024,
  /** Bytes of all documents that go with one mail: base64 makes them a third larger. */
  mailAttachmentBytes: 15 * 1024 * 1024,
  /** Signees of all documents of a sequence together. */
  sequenceSignees: 2_000,
  /** Signees that the holder of a link may add, unless the flow sets another number. */
  linkSignees: 5,
  /** Changes of one signee by link, and those of them that change the mail address. */
  linkChanges: 20,
  linkAddresses: 3,
  /** Invitations to one document that are written because of a link. */
  linkInvitations: 20,
  /** Mails of a company to one address in a day that are sent because of links. */
  linkMails: 10,
  /** Persons with a passcode in a new sequence: each is hashed, slowly on purpose. */
  passcodes: 200,
  /** Bytes of the JSON of a request beside the documents in it. */
  jsonBytes: 8 * 1024 * 1024,
  /** Nesting of the JSON of a request. */
  jsonDepth: 32,
  /** Members and elements of the JSON of a request, and of one of up to 256 KiB. */
  jsonValues: 100_000,
  smallJsonValues: 10_000,
  /** Members of one object of it: a larger one is slow to make and slower to search. */
  jsonMembers: 5000,
  /** JSON with more values than this is read in a turn of its own. */
  quickJsonValues: 1000,
  /** Characters of a text in the JSON of a request that is no document. */
  textCharacters: 256 * 1024,
  /** Places of signees in a sequence that cost as much of a rate as a request. */
  placesOfRequest: 100,
  /** Milliseconds of a turn of the event loop after which no further body is worked on in it. */
  turnMs: 1,
  /** Milliseconds for which connections that keep coming hold that work back. */
  arrivalsMs: 250,
  /** Chunks of a body of any size; of more, each has to have as many bytes on the average. */
  freeChunks: 1000,
  chunkBytes: 64,
  /** Bytes of one body of a company: base64 of a document of 50 MB, and what goes around it. */
  bodyBytes: 70 * 1024 * 1024,
  /** Bytes of bodies of companies that are held at once: of all, and of one company. */
  companyBodiesBytes: 256 * 1024 * 1024,
  companyBodiesShare: 144 * 1024 * 1024,
  /** Bytes of bodies of anybody else that are held at once: of all, and of one address. */
  otherBodiesBytes: 64 * 1024 * 1024,
  otherBodiesShare: 4 * 1024 * 1024,
  /** Bytes of a file that visitors have checked on a page, and of the form around it. */
  pageFileBytes: 20 * 1024 * 1024,
  pageFormBytes: 64 * 1024,
  /** Documents that a customer brings at once. */
  broughtDocuments: 10,
  /** Bytes of such files that are held at once. */
  pageFilesBytes: 64 * 1024 * 1024,
  /** Of one address: checks and bytes in a second, and those that may come at once. */
  pageChecksPerSecond: 0.2,
  pageChecksAtOnce: 10,
  /** What a form without a file counts as: a person may send one for each question. */
  pageFormCost: 0.125,
  pageBytesPerSecond: 1024 * 1024,
  pageBytesAtOnce: 60 * 1024 * 1024,
  /** Processes that forms of one address begin in a second, and at once. */
  formSendsPerSecond: 0.2,
  formSendsAtOnce: 10,
  /** Processes that forms of one flow begin in a second, and at once. */
  formStartsPerSecond: 1,
  formStartsAtOnce: 60,
  /** Forms that name one mailbox: one in ten minutes, and so many at once. */
  formMailsPerSecond: 1 / 600,
  formMailsAtOnce: 5,
  /** Answers that are saved before a form is sent: bytes of one, time they are kept, and number. */
  formDraftBytes: 64 * 1024,
  formDraftMs: 24 * 60 * 60_000,
  formDraftsOfFlow: 2_000,
  /** Forms of one flow that are begun in a second, and at once. */
  formDraftsPerSecond: 0.5,
  formDraftsAtOnce: 120,
  /** Bytes of answers made for one client that are held at once: of companies, and of one. */
  companyAnswersBytes: 256 * 1024 * 1024,
  companyAnswersShare: 160 * 1024 * 1024,
  /** The same for anybody else, and for one address. */
  otherAnswersBytes: 128 * 1024 * 1024,
  otherAnswersShare: 32 * 1024 * 1024,
  /** Requests that wait for an answer before theirs: of a connection, of all, of an address. */
  waitingRequestsOfConnection: 16,
  waitingRequests: 1_024,
  waitingRequestsShare: 128,
  /** Share of bodies, answers and downloads reserved for clients that use few of them. */
  keptPart: 1 / 8,
  /** Open connections of one process, and those of one address; `serve` can set the former. */
  connections: 5000,
  connectionsPart: 1 / 8,
  /** Requests to one e-ID provider that are under way at once, each on its own connection. */
  providerConnections: 2_000,
  /** Connections that wait to be accepted; Linux keeps 4,096 (`net.core.somaxconn`). */
  waiting: 4_096,
  /** A longer document is read in ranges by the page: of a shorter one all comes at once. */
  readerWholeBytes: 1024 * 1024,
  /** Pages of a document that the page shows as text at once, and characters of them. */
  textPages: 20,
  textShownCharacters: 400_000,
  textPageCharacters: 100_000,
  /** Time to read them, memory for values, and for bytes besides the document; orders that wait. */
  textMs: 15_000,
  textValuesMb: 192,
  textBytes: 128 * 1024 * 1024,
  textOrders: 8,
  /** Downloads of stored files that are under way: of all, of an address, of a company's files. */
  downloads: 1_024,
  downloadsShare: 128,
  downloadsOfCompany: 512,
  /** The part of these open to links: the rest is reserved for the company. */
  downloadsOfLinks: 384,
  /** Bytes that a body must come by, or an answer be read by, in each span of `paceMs`. */
  paceBytes: 10 * 1024,
  paceMs: 20_000,
  /** Milliseconds that a client gets to read why its connection is closed. */
  lingerMs: 1_000,
  /** Values and levels of one argument of the library, and characters of one text of it. */
  givenValues: 1_000_000,
  givenDepth: 8,
  givenCharacters: 65_536,
  /** Bytes of one trusted list, and of all lists of a profile or bundle. */
  trustListBytes: 16 * 1024 * 1024,
  trustBundleBytes: 256 * 1024 * 1024,
  /** Services and pointers of one trusted list; criteria of one qualifier. */
  trustListServices: 50_000,
  trustListPointers: 512,
  trustListCriteria: 1_024,
  /** Characters of one text of a trusted list that is looked at. */
  trustListTextCharacters: 4_096,
  /** Pivots between the signers that are known and those of a list of lists. */
  trustListPivots: 32,
  /** Milliseconds that the download of one trusted list may take. */
  trustListMs: 60_000,
  /** Milliseconds that a signer or another party of the caller has for one answer. */
  answerMs: 300_000,
} as const;
