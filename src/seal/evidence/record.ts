/** The signee's identity as stated by an identity provider, not by the sender. */
export interface EvidenceIdentity {
  readonly name: string;
  /** National number. Only its last digits if the signee's number is not to be shown. */
  readonly personalCode: string;
  readonly phoneNumber?: string;
  readonly provider: string;
  readonly at: string;
  /** True if the sender, or the link that added the signee, gave a different name. */
  readonly isOtherName: boolean;
}

/** A signee with the time and means of signing. Times are ISO 8601. */
export interface EvidenceSignee {
  /** SHA-256 of the signee's key to the signee place. Older records contain the key itself. */
  readonly keySha256: string;
  readonly name: string;
  /** True if the signee's name, number and addresses come from a link, not from the sender. */
  readonly namedByLink?: true;
  /** True if they come from the public form that started the process. */
  readonly namedByForm?: true;
  /** Omitted if the signee's number is not to be shown. */
  readonly personalCode?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly signatureType: string;
  readonly reason?: string;
  readonly invitedAt?: string;
  readonly viewedAt?: string;
  /** SHA-256 of the bytes that were shown first. */
  readonly viewedSha256?: string;
  readonly authenticatedAt?: string;
  readonly signedAt?: string;
  /** `click`, `code` or the name of an identity provider. */
  readonly method?: string;
  /** Channel of the one-time code, never the code itself. `TestNumber`: any code was accepted. */
  readonly channel?: string;
  /** SHA-256 of the bytes that the service showed before the signature. Undefined if none. */
  readonly shownSha256?: string;
  /** SHA-256 of the document that was signed. */
  readonly signedSha256?: string;
  /** Field of the signature, as named in {@link EvidenceSignature}. */
  readonly field?: string;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly sessionId?: string;
  /** Subject of the signing certificate. */
  readonly certificate?: string;
  /** Name in the signee's own certificate, if it differs from `name`. */
  readonly certificateName?: string;
  /** Identity from the login, or from the signing certificate. */
  readonly identity?: EvidenceIdentity;
  /** True for a test person or test number, which proves no identity. */
  readonly isSimulated?: true;
}

/** One signature of the sealed document, as reported by the verifier. */
export interface EvidenceSignature {
  readonly field: string;
  readonly kind: string;
  /** Name of the signee who made the signature. Undefined for the seal and foreign signatures. */
  readonly signeeName?: string;
  /** Name and reason as stated in the signature dictionary. */
  readonly name?: string;
  readonly reason?: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly serialNumber?: string;
  readonly level?: string;
  readonly time?: string;
  readonly isIntact: boolean;
}

/** One row of the activity log. */
export interface EvidenceStep {
  readonly seq: number;
  readonly at: string;
  readonly status: string;
  readonly by: string;
  readonly signeeName?: string;
  readonly description?: string;
  /** Facts such as address, mail and phone. */
  readonly facts: Readonly<Record<string, string>>;
  readonly hash: string;
}

/** A message or webhook sent to a recipient. */
export interface EvidenceDelivery {
  readonly kind: 'mail' | 'sms' | 'webhook';
  readonly what: string;
  /** Address, number or host of the recipient. */
  readonly to: string;
  readonly state: string;
  readonly attempts: number;
  readonly at: string;
}

/** A stored document by digest. */
export interface EvidenceDocument {
  readonly sha256: string;
  readonly lengthBytes: number;
}

/** The evidence for all signatures of one process. The JSON file contains this value. */
export interface EvidenceRecord {
  readonly format: 'innsigli.evidence';
  readonly version: 1;
  readonly madeAt: string;
  /** Present in copies with masked numbers and addresses, with the company record's digest. */
  readonly copy?: { readonly for: 'signees'; readonly fullSha256: string };
  /**
   * 32 random bytes, hexadecimal, in the company's record only. They prevent anyone from guessing
   * masked values of a copy by comparing digests.
   */
  readonly salt?: string;
  /** True if test persons or test certificates were involved, which prove no identity. */
  readonly isSimulated: boolean;
  readonly company: { readonly key: string; readonly name: string; readonly ssn?: string };
  readonly process: {
    readonly key: string;
    readonly flowName: string;
    readonly fileName: string;
    readonly createdAt: string;
    readonly user?: string;
    /** Name of this user, if the company has stated it. */
    readonly userName?: string;
    /** Name of the customer who supplied the document. Undefined if the company sent it. */
    readonly broughtBy?: string;
    /** IANA time zone of displayed times. Undefined: UTC. Times of the record are in UTC. */
    readonly timeZone?: string;
  };
  readonly documents: {
    /** The document as submitted. */
    readonly original?: EvidenceDocument;
    /** The document with the signatures of all signees. */
    readonly signed: EvidenceDocument;
    /** The result: the document with the seal of the company. */
    readonly sealed: EvidenceDocument & { readonly level: string };
  };
  /** URL of a page that verifies signed files. */
  readonly checkUrl?: string;
  readonly signees: readonly EvidenceSignee[];
  readonly signatures: readonly EvidenceSignature[];
  readonly steps: readonly EvidenceStep[];
  readonly deliveries: readonly EvidenceDelivery[];
  /** The latest row of the hash chain when the record was created. */
  readonly chain: { readonly count: number; readonly head: string };
  /**
   * The latest daily root of the company's log at that time. Its digest binds all earlier roots, so
   * that a rewritten log contradicts this page. Undefined before the first root.
   */
  readonly lastRoot?: { readonly day: string; readonly digest: string };
}
