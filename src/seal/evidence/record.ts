/** The person behind a signature according to an identity provider, not according to the sender. */
export interface EvidenceIdentity {
  readonly name: string;
  /** National number; only its end where the signee's is not to be shown. */
  readonly personalCode: string;
  readonly phoneNumber?: string;
  readonly provider: string;
  readonly at: string;
  /** The sender, or the link that added the signee, named them otherwise. */
  readonly isOtherName: boolean;
}

/** A signee with the time and means of the signature. Times are ISO 8601. */
export interface EvidenceSignee {
  /** SHA-256 of the key, which opens the place of the signee; in records of before the key. */
  readonly keySha256: string;
  readonly name: string;
  /** A link has added the signee: name, number and addresses are its words, not the sender's. */
  readonly namedByLink?: true;
  /** The same by the public form with which the process began. */
  readonly namedByForm?: true;
  /** Left out when the signee's number is not to be shown. */
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
  /** The channel of the one-time code, never the code; `TestNumber`: any code was right. */
  readonly channel?: string;
  /** SHA-256 of the bytes that the service showed before the signature; absent: none. */
  readonly shownSha256?: string;
  /** SHA-256 of the document that was signed. */
  readonly signedSha256?: string;
  /** The field of the signature, as {@link EvidenceSignature} names it. */
  readonly field?: string;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly sessionId?: string;
  /** Subject of the certificate that signed. */
  readonly certificate?: string;
  /** Name in the signee's own certificate, where it is another one than `name`. */
  readonly certificateName?: string;
  /** Identity from the login, or from the certificate that signed. */
  readonly identity?: EvidenceIdentity;
  /** A test person or test number: it proves nothing about anybody. */
  readonly isSimulated?: true;
}

/** One signature of the sealed document, as the verifier found it. */
export interface EvidenceSignature {
  readonly field: string;
  readonly kind: string;
  /** Name of the signee whose signature it is; absent for the seal and foreign signatures. */
  readonly signeeName?: string;
  /** In whose name it was made, and why, as the document says it. */
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
  /** Address, mail, phone and the like. */
  readonly facts: Readonly<Record<string, string>>;
  readonly hash: string;
}

/** A message or webhook on its way to somebody. */
export interface EvidenceDelivery {
  readonly kind: 'mail' | 'sms' | 'webhook';
  readonly what: string;
  /** Address, number, or host of the receiver. */
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

/** The evidence for all signatures of one process: the JSON file is this value. */
export interface EvidenceRecord {
  readonly format: 'innsigli.evidence';
  readonly version: 1;
  readonly madeAt: string;
  /** A copy with masked numbers and addresses, and the digest of the record of the company. */
  readonly copy?: { readonly for: 'signees'; readonly fullSha256: string };
  /**
   * 32 random bytes, hexadecimal, in the record of the company alone: nobody finds out what is
   * masked in a copy by trying values until the digest fits.
   */
  readonly salt?: string;
  /** Test persons and test certificates were at work: it proves nothing about anybody. */
  readonly isSimulated: boolean;
  readonly company: { readonly key: string; readonly name: string; readonly ssn?: string };
  readonly process: {
    readonly key: string;
    readonly flowName: string;
    readonly fileName: string;
    readonly createdAt: string;
    readonly user?: string;
    /** The name of that user, where the company has told it. */
    readonly userName?: string;
    /** Name of the customer who brought the document; absent: the company sent it. */
    readonly broughtBy?: string;
    /** Time zone for displayed times: an IANA name; absent: UTC. Times of the record are UTC. */
    readonly timeZone?: string;
  };
  readonly documents: {
    /** As it was handed in. */
    readonly original?: EvidenceDocument;
    /** With all signatures of signees. */
    readonly signed: EvidenceDocument;
    /** With the seal of the company: the result. */
    readonly sealed: EvidenceDocument & { readonly level: string };
  };
  /** A page that checks signed files. */
  readonly checkUrl?: string;
  readonly signees: readonly EvidenceSignee[];
  readonly signatures: readonly EvidenceSignature[];
  readonly steps: readonly EvidenceStep[];
  readonly deliveries: readonly EvidenceDelivery[];
  /** The newest row of the hash chain when this was made. */
  readonly chain: { readonly count: number; readonly head: string };
  /**
   * The newest daily root of the company's log then: its digest binds every root before, so that
   * this page reveals a rewritten log. Absent before the first root.
   */
  readonly lastRoot?: { readonly day: string; readonly digest: string };
}
