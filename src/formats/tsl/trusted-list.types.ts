/** A trusted list as it stands; nothing of it is verified. */
export interface TrustedList {
  /** TSLVersionIdentifier: 5 or 6. */
  readonly version: number;
  readonly sequenceNumber: number;
  /** URI of the type. */
  readonly type: string;
  /** True for a list whose pointers name the lists of others. */
  readonly isListOfLists: boolean;
  /** Two letters. */
  readonly territory: string;
  readonly operator: string;
  readonly issuedMs: number;
  /** Absent when the scheme was closed: there will be no later list. */
  readonly nextUpdateMs: number | undefined;
  /** SchemeInformationURI in the order of the list: pivots stand first in a list of lists. */
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
  /** It is under a mutual recognition agreement, whose equivalences stand in the pointer. */
  readonly isByAgreement: boolean;
  /** Certificates of its signers, DER as written. */
  readonly certificates: readonly Uint8Array[];
}

/** A service of a provider, with what it was before. @spec ETSI TS 119 612 §5.5, §5.6 */
export interface TrustService {
  readonly provider: string;
  /** The place of its provider in the list, from 0: two may have one name. */
  readonly providerIndex: number;
  readonly name: string;
  /** Certificates that identify it now, DER as written. */
  readonly certificates: readonly Uint8Array[];
  /** The present state first, each followed by what it replaced. */
  readonly states: readonly ServiceState[];
}

/** State of a service from one time to the next. */
export interface ServiceState {
  /** URI of the type. */
  readonly type: string;
  /** URI of the status. */
  readonly status: string;
  readonly fromMs: number;
  /** Start of the next state, in epoch milliseconds; absent for the present one. */
  readonly untilMs?: number;
  /** URIs of AdditionalServiceInformation. */
  readonly information: readonly string[];
  readonly qualifications: readonly Qualification[];
  /** Names of critical extensions that are not known here: the state must not be relied upon. */
  readonly unknownCritical: readonly string[];
}

/** Qualifiers for the certificates that fit the criteria. @spec ETSI TS 119 612 §5.5.9.2 */
export interface Qualification {
  /** URIs. */
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
  /** All of them, as dotted numbers. */
  | { readonly kind: 'policies'; readonly oids: readonly string[] }
  | { readonly kind: 'extended-key-usage'; readonly oids: readonly string[] }
  /** Attributes that the subject must have. */
  | { readonly kind: 'subject-attributes'; readonly oids: readonly string[] }
  | { readonly kind: 'list'; readonly list: CriteriaList }
  /** A criterion unknown here: whether it is met cannot be decided. */
  | { readonly kind: 'unknown'; readonly name: string };

/** A bit that must be set, or must not. */
export interface KeyUsageBit {
  /** As X.509 has it: `nonRepudiation`. */
  readonly name: string;
  readonly isSet: boolean;
}
