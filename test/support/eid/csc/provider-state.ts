import type { TestMember } from '../../pki.ts';
import type { authorizationServer } from './authorization-server.ts';
import type { Activation } from './credential-methods.ts';
import type { Job } from './signature-methods.ts';

/** Properties of a provider; by default a provider of version 2.0 with an RSA key. */
export interface CscServerOptions {
  now(): number;
  readonly version: '2.0' | '2.2';
  /** Key and certificate of the person. */
  readonly member: TestMember;
  /** A different person with a certificate of the same issuer. */
  readonly stranger: TestMember;
  /** A certificate for the same person by an untrusted issuer. */
  readonly foreign: TestMember;
  readonly mode: 'explicit' | 'oauth2code';
  /** Objects of explicit authorization with the right values. */
  readonly objects?: Readonly<Record<string, string>>;
  readonly expression?: string;
  readonly algo: readonly string[];
  readonly isAsynchronous?: boolean;
  readonly hasDetails?: boolean;
  readonly isPushedOnly?: boolean;
  readonly scal?: '1' | '2';
  readonly multisign?: number;
  readonly methods?: readonly string[];
  readonly pollingMember?: 'requestID' | 'responseID';
  readonly isPublicClient?: boolean;
}

/** Injectable faults of a provider, by name. */
export type CscFault =
  | 'algorithms-do-not-fit'
  | 'changed-hash'
  | 'cms-attached'
  | 'cms-other-certificate'
  | 'disabled-key'
  | 'expired-status'
  | 'extra-signature'
  | 'foreign-issuer'
  | 'missing-member'
  | 'missing-signature'
  | 'no-base64'
  | 'other-authorization'
  | 'other-key'
  | 'other-person'
  | 'redirect'
  | 'reordered'
  | 'response-id'
  | 'revoked-status'
  | 'several-credentials'
  | 'token-type'
  | 'unavailable'
  | 'unknown-refusal'
  | 'weak-control'
  | 'wrong-algorithm';

/** Fixed facts of the provider and its client. */
export const cscFacts = {
  url: 'https://qtsp.example/csc/v2',
  base: 'https://as.qtsp.example',
  clientId: 'signing-application',
  clientSecret: 'a secret of the client',
  redirectUri: 'https://service.example/eid/back?scheme=csc',
  credentialId: 'GX0112348',
} as const;

/** State that the methods share. */
export interface CscServerState {
  readonly options: CscServerOptions;
  readonly activations: Map<string, Activation>;
  readonly jobs: Map<string, Job>;
  readonly oauth: ReturnType<typeof authorizationServer>;
  readonly spent: Set<string>;
  readonly wrongPins: { count: number };
  has(fault: CscFault): boolean;
  isApproved(): boolean;
}
