import {
  type EidEnvironment,
  EidError,
  type EidRequest,
  type EidSignOrder,
} from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { digestLengths } from '../../../../formats/x509/index.ts';
import { base64Of } from '../../provider-answer.ts';
import {
  appVerificationCode,
  channelDigests,
  type LoginContent,
  loginContent,
  loginHintOf,
  loginMessage,
  messageLine,
  randomCode,
} from '../login-content.ts';
import type { Expected } from '../person/verified-person.ts';
import { hashOf, type SignedHash } from '../person/verify-signature.ts';
import type { Tokens } from '../tokens/user-info-request.ts';
import type { CibaClient, CibaPurpose } from './request-token.ts';

/** Steps of a session, named as by the provider. */
export type CibaStep =
  | { readonly name: 'authorization_pending' }
  | ({ readonly name: 'userinfo' } & Tokens);

/** What the person is shown and what they sign, for each purpose. */
export interface CibaContent {
  readonly purpose: CibaPurpose;
  readonly loginHint: string;
  readonly text: string;
  readonly verificationCode?: string;
  /** For purpose `auth`. */
  readonly login?: LoginContent;
  /** For purpose `sign`: the digest to be signed, base64. */
  readonly digest?: string;
  /** For purpose `sign` in the app: the chosen certificate, base64 DER, and its document number. */
  readonly certificate?: string;
  readonly documentNr?: string;
}

/** State of a session. */
export interface CibaSession extends CibaContent {
  readonly kind: 'audkenni-ciba';
  readonly authReqId: string;
  readonly startedAtMs: number;
  readonly pollingMs: number;
  readonly step: CibaStep;
}

/** What the person is shown and what they sign. @throws EidError `internalError`, `notAUser` */
export function contentOf(request: EidRequest, client: CibaClient): CibaContent {
  const { options, environment } = client;
  const { purpose, channel, order } = request;
  if (channel !== options.channel) {
    throw new EidError('internalError', `this driver is for the channel ${options.channel}`);
  }
  const loginHint = loginHintOf(request);
  if (purpose === 'auth') {
    const login = loginContent(request, client);
    const { text, verificationCode } = login;
    return defined({ purpose, loginHint, text, verificationCode, login });
  }
  if (purpose === 'certificate') {
    if (channel === 'App') return { purpose, loginHint, text: '' };
    throw new EidError('internalError', 'a SIM card has no certificate to choose');
  }
  if (order === undefined) throw new EidError('internalError', 'expected the data to be signed');
  return { purpose, loginHint, ...orderContent(order, request, environment) };
}

function orderContent(
  { digest, certificates = [], linked = {} }: EidSignOrder,
  { channel, text, includeVerificationCode }: EidRequest,
  { random }: EidEnvironment,
) {
  const isApp = channel === 'App';
  const algorithm = channelDigests[isApp ? 'App' : 'Sim'];
  if (digest.length !== digestLengths[algorithm]) {
    throw new EidError('internalError', `expected a digest of ${algorithm}`);
  }
  const simCode = !isApp && includeVerificationCode ? randomCode(random(4)) : undefined;
  const shown = messageLine(text, simCode);
  const common = { text: shown, digest: base64Of(digest) };
  if (!isApp) return defined({ ...common, verificationCode: simCode });
  const [certificate] = certificates;
  const documentNr = linked['documentNr'];
  if (certificate === undefined || typeof documentNr !== 'string') {
    throw new EidError('internalError', 'expected the selected certificate');
  }
  const verificationCode = appVerificationCode(digest);
  return { ...common, verificationCode, certificate: base64Of(certificate), documentNr };
}

/** The hash that the person signs; undefined if they choose a certificate. */
export function signedHash({ login, digest, purpose }: CibaContent): SignedHash | undefined {
  if (login !== undefined) return hashOf(login.digest, loginMessage(login));
  if (purpose !== 'sign' || digest === undefined) return undefined;
  const value = new Uint8Array(Buffer.from(digest, 'base64'));
  return { digest: value.length === 64 ? 'sha512' : 'sha256', value };
}

/** What the result of a session is verified against. */
export function expectedOf(session: CibaSession, channel: 'App' | 'Sim'): Expected {
  const { purpose, loginHint, login, certificate } = session;
  return {
    channel,
    purpose,
    loginHint,
    hash: signedHash(session),
    message: login === undefined ? undefined : loginMessage(login),
    certificate:
      certificate === undefined ? undefined : new Uint8Array(Buffer.from(certificate, 'base64')),
  };
}
