import { createPrivateKey, type KeyObject } from 'node:crypto';
import { EidError, type EidSigning } from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { attemptAny } from '../../../../base/errors.ts';
import { getOrCompute } from '../../../../base/memo.ts';
import type { ProviderClient } from '../../session.ts';
import { messageLine } from '../login-content.ts';
import { type CommonOptions, endpointsOf } from '../options.ts';
import { signToken } from '../tokens/json-web-token.ts';

/** What a request states about the person and shows them. */
interface RequestContent {
  readonly purpose: CibaPurpose;
  /** Phone number or national number. */
  readonly loginHint: string;
  /** Document number of the certificate to sign with. */
  readonly documentNr?: string | undefined;
  /** One line of at most 60 characters; empty when a certificate is chosen. */
  readonly text: string;
  readonly longText?: string | undefined;
  /** The hash, base64; empty when a certificate is chosen. */
  readonly hash: string;
}

const usualRequestMs = 300_000;
const LEAST_RSA_BITS = 2_048;
const MOST_LONG_TEXT = 200;

/**
 * Creates the signed request for a session.
 *
 * @throws EidError `internalError` if the key of the client is unusable
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

// Cached, because parsing a PEM takes longer than signing.
const keys = new WeakMap<CibaOptions, KeyObject>();

/**
 * The private key of the client, parsed once per options object.
 *
 * @throws EidError `internalError` unless it is RSA of at least 2048 bits
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

/** Options of the back-channel interface, for one channel. */
export interface CibaOptions extends CommonOptions {
  /** A driver has one channel, because the form of the signature depends on it. */
  readonly channel: 'App' | 'Sim';
  /** RSA private key that signs the client's requests, PEM; the provider has the public key. */
  readonly privateKey: string;
  /** Key identifier (`kid`) in the header of requests. Default: none. */
  readonly keyId?: string;
  /** Level of signatures guaranteed by the contract. Default: `advanced`. */
  readonly level?: EidSigning['level'];
  /** Values of `acr_values`, if the provider has changed them. */
  readonly acrValues?: Partial<Readonly<Record<'auth' | 'certificate' | 'sign', string>>>;
  /**
   * Claim of a signature request that holds the document number of the chosen certificate. Not
   * confirmed by public documentation. Default: `login_hint`.
   */
  readonly certificateClaim?: string;
  /** Validity of a signed request. Default: 300 s. */
  readonly requestMs?: number;
}

/** A client of the back-channel interface. */
export type CibaClient = ProviderClient<CibaOptions>;

/** Purpose of a session. */
export type CibaPurpose = 'auth' | 'certificate' | 'sign';

/** Values of `acr_values` for each purpose; a SIM card has no certificate to choose. */
const usualAcrValues = {
  App: {
    auth: 'app-auth',
    certificate: 'app-certificate-choice',
    sign: 'app-sign-with-certificate',
  },
  Sim: { auth: 'sim-auth', certificate: undefined, sign: 'sim-sign' },
} as const;
