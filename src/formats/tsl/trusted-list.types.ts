/** A parsed trusted list, not verified. */
export interface TrustedList {
  /** TSLVersionIdentifier: 5 or 6. */
  readonly version: number;
  readonly sequenceNumber: number;
  /** URI of the type. */
  readonly type: string;
  /** Whether its pointers refer to the lists of other operators. */
  readonly isListOfLists: boolean;
  /** Two-letter code. */
  readonly territory: string;
  readonly operator: string;
  readonly issuedMs: number;
  /** Undefined if the scheme was closed: there will be no later list. */
  readonly nextUpdateMs: number | undefined;
  /** SchemeInformationURI in list order: in a list of lists, pivots come first. */
  readonly informationUris: readonly string[];
  readonly pointers: readonly ListPointer[];
  readonly providerCount: number;
  readonly services: readonly TrustService[];
}

/** Address of another list, and its accepted signers. @spec ETSI TS 119 612 §5.3.13 */
export interface ListPointer {
  readonly location: string;
  readonly type: string | undefined;
  readonly territory: string | undefined;
  readonly mimeType: string | undefined;
  /** Whether it belongs to a mutual recognition agreement, whose equivalences the pointer has. */
  readonly isByAgreement: boolean;
  /** Certificates of its signers, DER as written. */
  readonly certificates: readonly Uint8Array[];
}

/** A service of a provider, with its history. @spec ETSI TS 119 612 §5.5, §5.6 */
export interface TrustService {
  readonly provider: string;
  /** Index of its provider in the list, from 0: two providers may have the same name. */
  readonly providerIndex: number;
  readonly name: string;
  /** Certificates that currently identify it, DER as written. */
  readonly certificates: readonly Uint8Array[];
  /** States, newest first, starting with the current one. */
  readonly states: readonly ServiceState[];
}

/** State of a service between two points in time. */
export interface ServiceState {
  /** URI of the type. */
  readonly type: string;
  /** URI of the status. */
  readonly status: string;
  readonly fromMs: number;
  /** Start of the next state, in epoch milliseconds; undefined for the current one. */
  readonly untilMs?: number;
  /** URIs of AdditionalServiceInformation. */
  readonly information: readonly string[];
  readonly qualifications: readonly Qualification[];
  /** Names of unsupported critical extensions: the state must not be relied upon. */
  readonly unknownCritical: readonly string[];
}

/** Qualifiers for the certificates that meet the criteria. @spec ETSI TS 119 612 §5.5.9.2 */
export interface Qualification {
  /** URIs of the qualifiers. */
  readonly qualifiers: readonly string[];
  readonly criteria: CriteriaList;
}

/** Conditions on a certificate. @spec ETSI TS 119 612 §5.5.9.2.2 */
export interface CriteriaList {
  readonly assertion: 'all' | 'atLeastOne' | 'none';
  readonly criteria: readonly Criterion[];
}

/** One condition. */
export type Criterion =
  | { readonly kind: 'key-usage'; readonly bits: readonly KeyUsageBit[] }
  /** All of the policies, in dotted decimal form. */
  | { readonly kind: 'policies'; readonly oids: readonly string[] }
  | { readonly kind: 'extended-key-usage'; readonly oids: readonly string[] }
  /** Attributes that the subject must have. */
  | { readonly kind: 'subject-attributes'; readonly oids: readonly string[] }
  | { readonly kind: 'list'; readonly list: CriteriaList }
  /** An unsupported criterion: whether it is met cannot be determined. */
  | { readonly kind: 'unknown'; readonly name: string };

/** A key usage bit that must be set, or must not be set. */
export interface KeyUsageBit {
  /** Name as in X.509, such as `nonRepudiation`. */
  readonly name: string;
  readonly isSet: boolean;
}
