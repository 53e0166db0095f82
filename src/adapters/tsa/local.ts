import { createPublicKey, KeyObject } from 'node:crypto';
import { equalBytes } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { requireGiven } from '../../base/given.ts';
import { copyBytes, readable, taken } from '../../base/taken.ts';
import { type DigestAlgorithm, parseCertificate } from '../../formats/x509/index.ts';
import type { RandomSource, TimestampAuthority } from '../../seal/ports.ts';
import { answerTimestampRequest, maxTokenLength, type TimestampIssuer } from './answer-request.ts';

/** Key and certificate of a time-stamp authority in this process. */
export interface TimestampIdentity {
  /** Its certificate, DER, with a critical extended key usage of timeStamping. */
  readonly certificate: Uint8Array;
  /** Additional certificates to include in tokens, DER. */
  readonly chain: readonly Uint8Array[];
  /** RSA, EC or Ed25519 key. */
  readonly privateKey: KeyObject;
  /** Object identifier of the time-stamp policy. Default: one that means no specific policy. */
  readonly policy?: string;
  /** Digest algorithm. Default: `sha256`, for P-384 `sha384`, for P-521 and Ed25519 `sha512`. */
  readonly digest?: DigestAlgorithm;
  /** Name in messages. Default: `embedded time-stamp authority`. */
  readonly name?: string;
}

/** Options of a time-stamp authority in this process. */
export interface LocalAuthorityOptions extends TimestampIdentity {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
}

/** An object identifier of the arc for examples, which implies no commitment. */
const NO_POLICY = '2.999.3161.1';

const curveDigests: Record<string, DigestAlgorithm> = { secp384r1: 'sha384', secp521r1: 'sha512' };

/**
 * The issuer with defaults applied.
 *
 * @throws x509.invalid if the certificate cannot be parsed
 * @throws key.mismatch if the key does not belong to the certificate
 */
export function timestampIssuer(options: LocalAuthorityOptions): TimestampIssuer {
  const { privateKey, chain, now, random } = options;
  const certificate = parseCertificate(options.certificate);
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  if (!equalBytes(spki, certificate.spkiDer)) {
    const message = 'the time-stamp key does not belong to its certificate';
    throw new InnsigliError('key.mismatch', message);
  }
  const curve = privateKey.asymmetricKeyDetails?.namedCurve ?? '';
  const usual = privateKey.asymmetricKeyType === 'ed25519' ? 'sha512' : curveDigests[curve];
  const digest = options.digest ?? usual ?? 'sha256';
  const policy = options.policy ?? NO_POLICY;
  return { certificate, chain, privateKey, now, random, policy, digest };
}

/**
 * Creates a time-stamp authority in this process. It attests the local clock and nothing more.
 *
 * @throws x509.invalid, key.mismatch, algorithm.unsupported
 * @spec RFC 3161 §2
 */
export function localTimestampAuthority(given: LocalAuthorityOptions): TimestampAuthority {
  const options = readable('options', given);
  const certificate = copyBytes('certificate', options.certificate);
  const { privateKey, now, random, name = 'embedded time-stamp authority' } = options;
  requireGiven('privateKey', 'a KeyObject', privateKey, privateKey instanceof KeyObject);
  requireGiven('now', 'a function', now, typeof now === 'function');
  requireGiven('random', 'a function', random, typeof random === 'function');
  const chain = taken('chain', options.chain);
  requireGiven('chain', 'an array of DER bytes', chain, Array.isArray(chain));
  const issuer = timestampIssuer({ ...options, privateKey, now, random, certificate, chain });
  return {
    name,
    tokenLengthBytes: maxTokenLength(issuer),
    timestamp: async (request) => answerTimestampRequest(request, issuer),
  };
}
