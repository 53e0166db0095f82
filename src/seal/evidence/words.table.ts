/** A language of the evidence page. */
export type EvidenceLanguage = 'is' | 'en';

/** The words of the evidence page in one language. */
export interface EvidenceWords {
  readonly title: string;
  readonly simulated: string;
  readonly intro: string;
  readonly page: string;
  readonly document: string;
  readonly signees: string;
  readonly signatures: string;
  readonly steps: string;
  readonly deliveries: string;
  readonly chain: string;
  readonly more: string;
  /** The document that was signed is the one that was shown. */
  readonly sameAsSigned: string;
  /** The service showed nothing before the signature. */
  readonly notShown: string;
  readonly labels: Readonly<Record<EvidenceLabel, string>>;
}

/** What stands in front of a value. */
export type EvidenceLabel =
  | 'fileName'
  | 'process'
  | 'flow'
  | 'company'
  | 'createdAt'
  | 'createdBy'
  | 'madeAt'
  | 'original'
  | 'signed'
  | 'sealed'
  | 'record'
  | 'personalCode'
  | 'email'
  | 'phone'
  | 'type'
  | 'reason'
  | 'invitedAt'
  | 'viewedAt'
  | 'authenticatedAt'
  | 'signedAt'
  | 'method'
  | 'shown'
  | 'signedBytes'
  | 'field'
  | 'signee'
  | 'ip'
  | 'userAgent'
  | 'session'
  | 'certificate'
  | 'issuer'
  | 'serialNumber'
  | 'rows'
  | 'head';

/** The words of each language. */
export const evidenceWords: Readonly<Record<EvidenceLanguage, EvidenceWords>> = {
  is: {
    title: 'Staðfesting undirritunar',
    simulated: 'PRÓFUN: prófunarskilríki voru notuð. Skjalið hefur ekkert lagalegt gildi.',
    intro:
      'Þessi síða lýsir því hver undirritaði skjalið, hvenær og hvernig. Fingraför (SHA-256) ' +
      'tengja hana við skjalið, og innsigli verndar hana gegn breytingum.',
    page: 'Síða',
    document: 'Skjal',
    signees: 'Undirritendur',
    signatures: 'Undirskriftir og innsigli í skjalinu',
    steps: 'Atburðir',
    deliveries: 'Sendingar',
    chain: 'Keðja atburða',
    more: 'til viðbótar í JSON-skránni',
    sameAsSigned: 'það sama og var undirritað',
    notShown: 'ekki skoðað í þessari þjónustu fyrir undirritun',
    labels: {
      fileName: 'Skrá',
      process: 'Ferli',
      flow: 'Flæði',
      company: 'Fyrirtæki',
      createdAt: 'Stofnað',
      createdBy: 'Stofnað af',
      madeAt: 'Síðan gerð',
      original: 'Upprunalegt skjal',
      signed: 'Undirritað skjal',
      sealed: 'Innsiglað skjal',
      record: 'JSON-skrá',
      personalCode: 'Kennitala',
      email: 'Netfang',
      phone: 'Sími',
      type: 'Tegund',
      reason: 'Ástæða',
      invitedAt: 'Boðið',
      viewedAt: 'Skoðað',
      authenticatedAt: 'Auðkennt',
      signedAt: 'Undirritað',
      method: 'Aðferð',
      shown: 'Skoðað skjal',
      signedBytes: 'Skjal við undirritun',
      field: 'Reitur í skjali',
      signee: 'Undirritandi',
      ip: 'IP-tala',
      userAgent: 'Vafri',
      session: 'Lota',
      certificate: 'Skilríki',
      issuer: 'Útgefandi',
      serialNumber: 'Raðnúmer',
      rows: 'Fjöldi',
      head: 'Síðasta færsla',
    },
  },
  en: {
    title: 'Evidence of signing',
    simulated: 'TEST: test certificates were used. This document has no legal value.',
    intro:
      'This page tells who signed the document, when and how. Fingerprints (SHA-256) tie it to ' +
      'the document, and a seal protects it against changes.',
    page: 'Page',
    document: 'Document',
    signees: 'Signees',
    signatures: 'Signatures and seals in the document',
    steps: 'Steps',
    deliveries: 'Deliveries',
    chain: 'Chain of steps',
    more: 'more in the JSON file',
    sameAsSigned: 'the one that was signed',
    notShown: 'not viewed in this service before the signature',
    labels: {
      fileName: 'File',
      process: 'Process',
      flow: 'Flow',
      company: 'Company',
      createdAt: 'Created',
      createdBy: 'Created by',
      madeAt: 'Page made',
      original: 'Original document',
      signed: 'Signed document',
      sealed: 'Sealed document',
      record: 'JSON file',
      personalCode: 'Personal code',
      email: 'E-mail',
      phone: 'Phone',
      type: 'Type',
      reason: 'Reason',
      invitedAt: 'Invited',
      viewedAt: 'Viewed',
      authenticatedAt: 'Authenticated',
      signedAt: 'Signed',
      method: 'Method',
      shown: 'Document viewed',
      signedBytes: 'Document signed',
      field: 'Field',
      signee: 'Signee',
      ip: 'IP address',
      userAgent: 'Browser',
      session: 'Session',
      certificate: 'Certificate',
      issuer: 'Issuer',
      serialNumber: 'Serial number',
      rows: 'Rows',
      head: 'Newest row',
    },
  },
};
