import { defined } from '../../base/defined.ts';
import type { FlowKey, PersonKey, SequenceKey } from '../keys.ts';
import type { LoginResult } from './login-result.ts';
import type { LoginReturn } from './login-return.ts';

/** Channel of a person to the identity provider. */
const loginSchemes = ['sim-app', 'device-link', 'eid-se', 'eid-dk'] as const;

/** One of {@link loginSchemes}. */
export type LoginScheme = (typeof loginSchemes)[number];

/** Ways in which a person can log in or sign: each is a scheme, and a way to the person. */
export const eidMethods = ['sim', 'app', 'device-link', 'eid-se', 'eid-dk'] as const;

/** One of {@link eidMethods}. */
export type EidMethod = (typeof eidMethods)[number];

/** Scope of a login: a flow of a company, or the documents of a sequence. */
export type LoginPlace =
  | {
      readonly kind: 'flow';
      /** Absent: the first poll may name any flow. */
      readonly flowKey?: FlowKey;
      /** Of a login on the page of the flow: where the person goes on. */
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
  /** SHA-256 of the token that the client polls with, hexadecimal; the token is nowhere kept. */
  readonly key: string;
  readonly scheme: LoginScheme;
  readonly place: LoginPlace;
  readonly providerRef: string;
  /** Name of the provider; absent in sessions of earlier versions. */
  readonly provider?: string;
  readonly pollingMs: number;
  /** False: there is no code or link to be renewed; absent in sessions of earlier versions. */
  readonly showsLink?: boolean;
  /** Code that the person compares, where it has changed since the start. */
  readonly verificationCode?: string;
  readonly createdAtMs: number;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Reason of the failure, as a word of the provider. */
  readonly hint?: string;
  /** Code of the provider for the failure, as it was given. */
  readonly providerCode?: string;
  /** Identity of the person who answered. */
  readonly identity?: {
    readonly ssn: string;
    readonly name: string;
    readonly phoneNumber?: string;
  };
  /** The person of the sequence who answered. */
  readonly answeredBy?: PersonKey;
  readonly endedAtMs?: number;
  /** Data about the person, by the scope of the request. */
  readonly customers: { readonly [type in LookupType]?: Customer };
  /** Of a login on the page of a flow: the code with which its company fetches who answered. */
  readonly result?: LoginResult;
}

/** Time that a person has to answer. */
export const loginDeadlineMs = 180_000;

/** Time after the start in which an ended login answers the same again. */
export const loginKeptMs = 24 * 3_600_000;

/** Hint of a login that nobody answered in time. */
export const expiredHint = 'expiredTransaction';

/** A poll may be early by this much: networks carry some faster than others. */
const POLL_TOLERANCE_MS = 150;

/** The least time between two polls for an interval of that length. */
export function leastPollGapMs(pollingMs: number): number {
  return Math.max(0, pollingMs - POLL_TOLERANCE_MS);
}

/** Extent of the look-up of a person who has logged in. */
export const lookupTypes = ['Name', 'NameAddress', 'NameAddressFamily'] as const;

/** One of {@link lookupTypes}. */
export type LookupType = (typeof lookupTypes)[number];

/** Scope of a lookup that names none: both the interface description and the connector use it. */
export const defaultLookup: LookupType = 'NameAddress';

/** A person who has logged in, as far as was asked. */
export interface Customer {
  readonly name: string;
  readonly ssn: string;
  readonly phoneNumber?: string;
  readonly address?: string;
  readonly postalCode?: string;
  readonly city?: string;
  /** Names this answer: 20 hexadecimal digits. */
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

/** Family data of a person; all are texts. */
export interface FamilyFacts {
  readonly partnerSsn?: string;
  readonly familyNumber: string;
  /** `1` man, `2` woman, and further ones of the register. */
  readonly genderCode: string;
  readonly familyStatus: string;
}

/** Family data under the names that are published, spelling included. */
export function familyMeta(facts: FamilyFacts): Readonly<Record<string, string>> {
  const { partnerSsn, familyNumber, genderCode, familyStatus } = facts;
  return {
    ...defined({ ParnerSsn: partnerSsn }),
    FamilyNumber: familyNumber,
    GenderCode: genderCode,
    FamilyStatus: familyStatus,
  };
}
