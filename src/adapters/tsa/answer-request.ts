import { createHash, type KeyObject, sign } from 'node:crypto';
import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt, attemptAny, InnsigliError } from '../../base/errors.ts';
import { der, oids } from '../../formats/asn1/index.ts';
import {
  buildSignedAttributes,
  buildSignedData,
  maxSignatureLength,
} from '../../formats/cms/index.ts';
import {
  buildMessageImprint,
  buildTimestampResponse,
  buildTstInfo,
  parseTimestampRequest,
  type TimestampFailure,
  type TimestampRequest,
  type TstInfoInput,
} from '../../formats/tsp/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  digestLengths,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
} from '../../formats/x509/index.ts';
import type { RandomSource } from '../../seal/ports.ts';

/** Key, certificate and policy of a local time-stamp authority. */
export interface TimestampIssuer {
  readonly certificate: Certificate;
  /** Additional certificates to include in tokens, DER. */
  readonly chain: readonly Uint8Array[];
  readonly privateKey: KeyObject;
  /** Local time, epoch milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
  /** Object identifier of its time-stamp policy. */
  readonly policy: string;
  /** Digest algorithm of tokens. */
  readonly digest: DigestAlgorithm;
}

const ACCURACY_SECONDS = 1;
/** Maximum length of a nonce: eight bytes are usual, and clients send up to twenty. */
const NONCE_BYTES_MAX = 64;

/** Digest algorithms accepted for message imprints. */
const accepted = new Set<DigestAlgorithm | undefined>([
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
]);

/**
 * Answers a TimeStampReq with a TimeStampResp, DER. An invalid request is answered with a rejection
 * that states the reason; no client input makes this function throw.
 *
 * @spec RFC 3161 §2.4
 */
export function answerTimestampRequest(bytes: Uint8Array, issuer: TimestampIssuer): Uint8Array {
  const request = attempt(
    () => parseTimestampRequest(bytes),
    ({ message }) => reject('badDataFormat', message),
  );
  if (request instanceof Uint8Array) return request;
  const { digest, imprint, policy, version } = request;
  if (version !== 1) return reject('badRequest', `expected version 1, found ${version}`);
  if (digest === undefined || !accepted.has(digest)) {
    return reject('badAlg', `digest ${digest ?? 'unknown'} is not accepted`);
  }
  if (imprint.length !== digestLengths[digest]) {
    const message = `${digest} has ${digestLengths[digest]} bytes, found ${imprint.length}`;
    return reject('badDataFormat', message);
  }
  const fault = copiedFault(request, digest);
  if (fault !== undefined) return reject('badDataFormat', fault);
  if (policy !== undefined && policy !== issuer.policy) {
    return reject('unacceptedPolicy', `the policy is ${issuer.policy}`);
  }
  if (request.extended) return reject('unacceptedExtension', 'no extension is supported');
  const token = attemptAny(() => issueToken(request, issuer));
  if (token === undefined) return reject('systemFailure', 'the authority cannot sign');
  return buildTimestampResponse({ status: 'granted', token });
}

/**
 * The reason why parts of a request cannot be copied to a token; undefined if they can. Tokens are
 * DER, and copied parts must have a form that other programs accept.
 *
 * @spec RFC 3161 §2.4.2, X.690 §8.3.2, §10, RFC 5754 §2
 */
function copiedFault(
  { imprint, imprintDer, nonce }: TimestampRequest,
  digest: DigestAlgorithm,
): string | undefined {
  const usual = () => {
    const oid = serializeDigestAlgorithm(digest).subarray(2);
    return der.sequence(der.sequence(oid, der.nil()), der.octetString(imprint));
  };
  const isBare = equalBytes(buildMessageImprint(digest, imprint), imprintDer);
  if (!isBare && !equalBytes(usual(), imprintDer)) {
    return 'the message imprint is not DER with absent or NULL parameters';
  }
  if (nonce === undefined) return undefined;
  if (nonce.length > NONCE_BYTES_MAX) {
    return `the nonce has ${nonce.length} bytes, the limit is ${NONCE_BYTES_MAX}`;
  }
  const [first = 0, second = 0] = nonce;
  const isPadded = nonce.length > 1 && first === (second < 0x80 ? 0x00 : 0xff);
  return isPadded ? 'the nonce is not in the shortest form' : undefined;
}

function reject(failure: TimestampFailure, statusText: string): Uint8Array {
  return buildTimestampResponse({ status: 'rejection', failure, statusText });
}

/**
 * Issues a token for a valid request. All tokens of one issuer for one kind of request have the
 * same length, except for the byte or two by which ECDSA signatures vary: serial numbers have eight
 * bytes, times are whole seconds.
 */
function issueToken(request: TimestampRequest, issuer: TimestampIssuer): Uint8Array {
  const serialNumber = new Uint8Array(issuer.random(8));
  serialNumber[0] = ((serialNumber[0] as number) & 0x3f) | 0x40;
  return signToken(issuer, request.certReq, {
    policy: issuer.policy,
    imprintDer: request.imprintDer,
    serialNumber,
    genTimeMs: Math.floor(issuer.now() / 1000) * 1000,
    accuracySeconds: ACCURACY_SECONDS,
    ...defined({ nonce: request.nonce }),
  });
}

/** Signs a token with any `statement`, DER. */
export function signToken(
  issuer: TimestampIssuer,
  withCertificates: boolean,
  statement: TstInfoInput,
): Uint8Array {
  const { certificate, chain, digest, privateKey } = issuer;
  const algorithm = algorithmOf(privateKey, digest);
  const content = buildTstInfo(statement);
  const signedAttributes = buildSignedAttributes({
    contentType: oids.tstInfo,
    messageDigest: createHash(digest).update(content).digest(),
    certificate,
    certificateDigest: digest,
  });
  const hash = algorithm.scheme.startsWith('ed') ? null : algorithm.digest;
  return buildSignedData({
    digest,
    signedAttributes,
    signatureAlgorithm: algorithm,
    signature: sign(hash, signedAttributes, privateKey),
    certificate,
    certificates: withCertificates ? [certificate.der, ...chain] : [],
    encapsulated: { type: oids.tstInfo, content },
  });
}

function algorithmOf(key: KeyObject, digest: DigestAlgorithm): SignatureAlgorithm {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { scheme: 'rsa-pkcs1', digest };
    case 'ec':
      return { scheme: 'ecdsa', digest };
    case 'ed25519':
      return { scheme: 'ed25519', digest: 'sha512' };
    default: {
      const message = `a time-stamp key of type ${key.asymmetricKeyType ?? 'unknown'}`;
      throw new InnsigliError('algorithm.unsupported', message, { hint: 'use an RSA or EC key' });
    }
  }
}

/** Maximum length of the issuer's tokens for our own requests, with SHA-512 and a nonce. */
export function maxTokenLength(issuer: TimestampIssuer): number {
  const algorithm = algorithmOf(issuer.privateKey, issuer.digest);
  const sample = signToken(issuer, true, {
    policy: issuer.policy,
    imprintDer: buildMessageImprint('sha512', new Uint8Array(64)),
    serialNumber: new Uint8Array(8).fill(0x40),
    genTimeMs: 0,
    accuracySeconds: ACCURACY_SECONDS,
    nonce: new Uint8Array(9).fill(0x40),
  });
  const slack =
    algorithm.scheme === 'ecdsa' ? maxSignatureLength(algorithm, issuer.certificate) : 0;
  return sample.length + Math.min(slack, 16);
}
