import type { KeyObject } from 'node:crypto';

/** Canonical forms that the peers support. */
export const canonicalForms = {
  inclusive: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'inclusive with comments': 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  'exclusive with comments': 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
} as const;

/** Name of one of the forms. */
export type CanonicalForm = keyof typeof canonicalForms;

/** The key of a signature. */
export interface PeerKey {
  readonly privateKey: KeyObject;
  /** DER. */
  readonly certificate: Uint8Array;
  readonly scheme: 'rsa' | 'ecdsa';
}

/** A different implementation of XML signatures. */
export interface Peer {
  readonly name: string;
  /** The document with an enveloped signature; the form applies to document and SignedInfo. */
  sign(xml: string, form: CanonicalForm, key: PeerKey): Promise<string>;
  /** Its verdict on the only signature; false if it throws. */
  verify(xml: string, key: PeerKey): Promise<boolean>;
}

/** Algorithm of an enveloped signature. */
export const envelopedUri = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
/** Namespace of XML signatures. */
export const dsigUri = 'http://www.w3.org/2000/09/xmldsig#';
