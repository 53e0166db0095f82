import { createPrivateKey, type KeyObject } from 'node:crypto';
import { EidError, type EidSigning } from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { attemptAny } from '../../../../base/errors.ts';
import { getOrCompute } from '../../../../base/memo.ts';
import type { ProviderClient } from '../../session.ts';
import { messageLine } from '../login-content.ts';
import { type CommonOptions, endpointsOf } from '../options.ts';
import { signToken } from '../tokens/json-web-token.ts';

/** What a request says of the person and of what they are shown. */
interface RequestContent {
  readonly purpose: CibaPurpose;
  /** Phone, national number, or document number of the chosen certificate. */
  readonly loginHint: string;
  /** Document number of the certificate that signs. */
  readonly documentNr?: string | undefined;
  /** One line of at most 60 characters; empty for a choice of certificate. */
  readonly text: string;
  /** The whole text. */
  readonly longText?: string | undefined;
  /** Base64 of the hash; empty for a choice of certificate. */
  readonly hash: string;
}

const usualRequestMs = 300_000;
const LEAST_RSA_BITS = 2_048;
const MOST_LONG_TEXT = 200;

/**
 * The signed request for a session.
 *
 * @throws EidError `internalError` when the key of the client cannot be used
 * @spec CIBA Core §7.1.1
 */
export function requestToken(
  content: RequestContent,
  { options, environment: { now, random } }: CibaClient,
): string {
  const { channel, clientId, relatedParty, requestMs = usualRequestMs, certificateClaim } = options;
  const { purpose, loginHint, documentNr, text, longText = '', hash } = content;
  const seconds = Math.floor(now() / 1_000);
  const party = relatedParty === undefined ? '' : ` RELATEDPARTY:${relatedParty}`;
  const isPrompt = channel === 'App' && purpose !== 'certificate';
  const long = messageLine(longText, undefined, MOST_LONG_TEXT);
  const claims = defined({
    login_hint: loginHint,
    scope: `openid profile signature${party}`,
    acr_values: options.acrValues?.[purpose] ?? usualAcrValues[channel][purpose],
    iss: clientId,
    aud: endpointsOf(options).issuer,
    iat: seconds,
    nbf: seconds,
    exp: seconds + Math.floor(requestMs / 1_000),
    jti: Buffer.from(random(16)).toString('base64url'),
    binding_message: text,
    binding_content: hash,
    binding_message_long: isPrompt && long !== text && long !== '' ? long : undefined,
    confirmation_message: isPrompt && options.confirmsMessage === true ? 'true' : undefined,
    vchoice: isPrompt && options.offersCodes === true ? 'true' : undefined,
  });
  const chosen = documentNr === undefined ? {} : { [certificateClaim ?? 'login_hint']: documentNr };
  return signToken({ ...claims, ...chosen }, clientKey(options), options.keyId);
}

// Reading a PEM takes longer than a signature.
const keys = new WeakMap<CibaOptions, KeyObject>();

/**
 * The key of the client, read once for the options.
 *
 * @throws EidError `internalError` unless it is RSA of 2048 bits
 */
export function clientKey(options: CibaOptions): KeyObject {
  return getOrCompute(keys, options, readKey);
}

function readKey({ privateKey }: CibaOptions): KeyObject {
  const key = attemptAny(() => createPrivateKey(privateKey));
  if (key === undefined) {
    throw new EidError('internalError', 'privateKey: expected PEM of a private key');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType === 'rsa' && bits >= LEAST_RSA_BITS) return key;
  throw new EidError('internalError', 'privateKey: expected RSA of at least 2048 bits');
}

/** Options of the interface with a back channel, for one way to the person. */
export interface CibaOptions extends CommonOptions {
  /** One driver has one way, because signatures come back differently. */
  readonly channel: 'App' | 'Sim';
  /** RSA key of the client for requests, PEM; the provider has its public part. */
  readonly privateKey: string;
  /** Identifier of that key in the header of requests. Default: none. */
  readonly keyId?: string;
  /** Level of signatures that the contract promises. Default: `advanced`. */
  readonly level?: EidSigning['level'];
  /** Names of the ways, where the provider has changed them. */
  readonly acrValues?: Partial<Readonly<Record<'auth' | 'certificate' | 'sign', string>>>;
  /**
   * Claim that names the chosen certificate, by its document number, in the request for a
   * signature. Not confirmed by public documentation. Default: `login_hint`.
   */
  readonly certificateClaim?: string;
  /** Time for which a request may be taken. Default: 300 s. */
  readonly requestMs?: number;
}

/** A client of that interface. */
export type CibaClient = ProviderClient<CibaOptions>;

/** What a session is for. */
export type CibaPurpose = 'auth' | 'certificate' | 'sign';

/** Names of the ways for each purpose; a SIM card has no certificate to choose. */
const usualAcrValues = {
  App: {
    auth: 'app-auth',
    certificate: 'app-certificate-choice',
    sign: 'app-sign-with-certificate',
  },
  Sim: { auth: 'sim-auth', certificate: undefined, sign: 'sim-sign' },
} as const;
