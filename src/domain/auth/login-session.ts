import { defined } from '../../base/defined.ts';
import type { FlowKey, PersonKey, SequenceKey } from '../keys.ts';
import type { LoginResult } from './login-result.ts';
import type { LoginReturn } from './login-return.ts';

/** Channels through which a person reaches the identity provider. */
const loginSchemes = ['sim-app', 'device-link', 'eid-se', 'eid-dk'] as const;

/** One of {@link loginSchemes}. */
export type LoginScheme = (typeof loginSchemes)[number];

/** Methods by which a person can log in or sign. Each implies a scheme and a channel to them. */
export const eidMethods = ['sim', 'app', 'device-link', 'eid-se', 'eid-dk'] as const;

/** One of {@link eidMethods}. */
export type EidMethod = (typeof eidMethods)[number];

/** Scope of a login: a flow of a company, or the documents of a sequence. */
export type LoginPlace =
  | {
      readonly kind: 'flow';
      /** Absent: the first poll may name any flow. */
      readonly flowKey?: FlowKey;
      /** Present for logins on the page of the flow: where the person returns to. */
      readonly page?: { readonly back?: LoginReturn };
    }
  | {
      readonly kind: 'sequence';
      readonly sequenceKey: SequenceKey;
      /** Absent: any person of the sequence. */
      readonly personKey?: PersonKey;
    };

/** A login of a person that is not bound to one document. */
export interface LoginSession {
  /** SHA-256 of the token with which the client polls, hexadecimal. The token is never stored. */
  readonly key: string;
  readonly scheme: LoginScheme;
  readonly place: LoginPlace;
  readonly providerRef: string;
  /** Name of the provider; absent in sessions of earlier versions. */
  readonly provider?: string;
  readonly pollingMs: number;
  /** False: there is no code or link to renew. Absent in sessions of earlier versions. */
  readonly showsLink?: boolean;
  /** Code that the person compares, if it has changed since the start. */
  readonly verificationCode?: string;
  readonly createdAtMs: number;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Reason for the failure, as a hint of the provider. */
  readonly hint?: string;
  /** The provider's code for the failure, as received. */
  readonly providerCode?: string;
  /** Identity of the person who logged in. */
  readonly identity?: {
    readonly ssn: string;
    readonly name: string;
    readonly phoneNumber?: string;
  };
  /** The person of the sequence who logged in. */
  readonly answeredBy?: PersonKey;
  readonly endedAtMs?: number;
  /** Data about the person, by extent of the look-up. */
  readonly customers: { readonly [type in LookupType]?: Customer };
  /** For logins on the page of a flow: the code with which the company fetches the result. */
  readonly result?: LoginResult;
}

/** Time within which the person must respond. */
export const loginDeadlineMs = 180_000;

/** Time after the start for which an ended login keeps returning the same response. */
export const loginKeptMs = 24 * 3_600_000;

/** Hint of a login to which the person did not respond in time. */
export const expiredHint = 'expiredTransaction';

/** Polls may be early by this much, because network latency varies. */
const POLL_TOLERANCE_MS = 150;

/** The minimum time between two polls for the given polling interval. */
export function leastPollGapMs(pollingMs: number): number {
  return Math.max(0, pollingMs - POLL_TOLERANCE_MS);
}

/** Extents of the look-up of a person who has logged in. */
export const lookupTypes = ['Name', 'NameAddress', 'NameAddressFamily'] as const;

/** One of {@link lookupTypes}. */
export type LookupType = (typeof lookupTypes)[number];

/** Extent of a look-up that names none. The interface description and the connector both use it. */
export const defaultLookup: LookupType = 'NameAddress';

/** A person who has logged in, with the data that were requested. */
export interface Customer {
  readonly name: string;
  readonly ssn: string;
  readonly phoneNumber?: string;
  readonly address?: string;
  readonly postalCode?: string;
  readonly city?: string;
  /** Identifies this response: 20 hexadecimal digits. */
  readonly token: string;
  readonly flowKey?: string;
  /** Family data under their published names. */
  readonly meta?: Readonly<Record<string, string>>;
}

/** Address of a person. */
export interface HomeAddress {
  readonly address: string;
  readonly postalCode: string;
  readonly city: string;
}

/** Family data of a person, all as text. */
export interface FamilyFacts {
  readonly partnerSsn?: string;
  readonly familyNumber: string;
  /** `1` male, `2` female, and further codes of the register. */
  readonly genderCode: string;
  readonly familyStatus: string;
}

/** Family data under their published names, misspellings included. */
export function familyMeta(facts: FamilyFacts): Readonly<Record<string, string>> {
  const { partnerSsn, familyNumber, genderCode, familyStatus } = facts;
  return {
    ...defined({ ParnerSsn: partnerSsn }),
    FamilyNumber: familyNumber,
    GenderCode: genderCode,
    FamilyStatus: familyStatus,
  };
}
