import { equalBytes, hexOf } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import { isoTime } from '../base/time/iso-time.ts';
import { contentOf, derOf, readDer } from '../formats/asn1/index.ts';
import type { SignerInfo } from '../formats/cms/index.ts';
import { parseTimestampToken, type TimestampToken, type TstInfo } from '../formats/tsp/index.ts';
import { type Certificate, comparableRdns, type DigestAlgorithm } from '../formats/x509/index.ts';
import { type AlgorithmQuestion, type AlgorithmTable, findWeakProof } from './algorithms/index.ts';
import { type CertificatePool, findPath } from './path.ts';
import { checkTimestampPurpose } from './purpose.ts';
import { digestOf } from './signature.ts';
import { listSignerCertificates } from './signer-certificates.ts';
import {
  checkTokenSignature,
  type TimestampFault as Fault,
  type TimestampDoubt,
  type TimestampProblem,
  unsupportedAlgorithm,
} from './token-rules/index.ts';

export type { TimestampProblem } from './token-rules/index.ts';

/** Expected properties of a time-stamp token. */
export interface TimestampQuestion {
  /** ContentInfo, DER. */
  readonly token: Uint8Array;
  /** Required imprint of the token. */
  readonly imprint: ExpectedImprint;
  /** The nonce that was sent, big-endian. Absent: not compared. */
  readonly nonce?: Uint8Array;
  /** Requested policy, as an object identifier. Absent: any. */
  readonly policy?: string;
  /** Pool to search for issuers; the certificates of the token are added to it. */
  readonly pool: CertificatePool;
  /** Absent: the token is verified without a path and is never trusted. */
  readonly anchors?: readonly Certificate[];
  /** Time at which the path must be valid. Default: the time of the token. */
  readonly atMs?: number;
  /** Local time: a token from the future is rejected. */
  readonly nowMs?: number;
  /** For a fresh token: maximum difference between its time and `nowMs`, besides its accuracy. */
  readonly maxSkewMs?: number;
}

/**
 * The data itself, the imprint as sent, or a function that returns the digest of the data for the
 * algorithm of the token; if it returns undefined, the algorithm is rejected.
 */
export type ExpectedImprint =
  | Uint8Array
  | { readonly digest: DigestAlgorithm; readonly value: Uint8Array }
  | ((digest: DigestAlgorithm) => Uint8Array | undefined);

/** Result of the verification of a token. */
export interface TimestampVerdict {
  /** The signature is the authority's and covers the expected data. */
  readonly valid: boolean;
  /** Valid, with a path to an anchor. Even so, its time does not count if there is a `problem`. */
  readonly trusted: boolean;
  readonly problem?: TimestampProblem;
  /** Set if the token is neither valid nor refuted. */
  readonly doubt?: TimestampDoubt;
  /** Expected and found; empty if there is no problem. */
  readonly message: string;
  readonly info?: TstInfo;
  readonly signerInfo?: SignerInfo;
  /** Certificate of the authority. */
  readonly certificate?: Certificate;
  /** Leaf first. The best path found if not trusted; empty if none was searched for. */
  readonly path: readonly Certificate[];
  /** Certificates contained in the token, DER. */
  readonly certificates: readonly Uint8Array[];
}

const DEFAULT_SKEW_MS = 5 * 60_000;

/**
 * Verifies a time-stamp token. The checks run in this order, and the first failure is reported:
 * form, imprint, nonce, policy, certificate, message digest, signature, signing-certificate
 * attribute, purpose, validity at the time of the token. A valid token may still have a problem: no
 * path was found, its time is later than the clock, or it contains a statement that forbids relying
 * on it. Revocation is not checked here.
 *
 * @spec RFC 3161 §2.4.2, RFC 5816 §2.2, RFC 5652 §5.6
 */
export function verifyTimestampToken(question: TimestampQuestion): TimestampVerdict {
  const none = { valid: false, trusted: false, message: '', path: [], certificates: [] } as const;
  let token: TimestampToken;
  try {
    token = parseTimestampToken(question.token);
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return { ...none, problem: 'tsa.response.invalid', message: error.message };
  }
  const { info, signedData } = token;
  const known = { ...none, info, certificates: signedData.certificates };
  const [signerInfo, ...others] = signedData.signerInfos;
  if (signerInfo === undefined || others.length > 0) {
    const message = `expected one signer, found ${signedData.signerInfos.length}`;
    return { ...known, problem: 'tsa.response.invalid', message };
  }
  for (const certificate of signedData.certificates) question.pool.add(certificate);
  const { candidates, misnamed } = listSignerCertificates(
    signerInfo,
    signedData.certificates,
    question.pool,
  );
  const tried = candidates.length > 0 ? candidates : misnamed;
  const statement = checkStatement(question, info);
  // The named certificate can be reported, although nothing proves who created the token.
  const named = { ...known, signerInfo, ...defined({ certificate: tried[0] }) };
  if (statement !== undefined) return failed(named, statement);
  const { certificate, fault } = findSigner(token, signerInfo, tried);
  if (certificate === undefined) {
    const message = 'the certificate of the authority is not in the token';
    const doubt = { subIndication: 'NO_SIGNING_CERTIFICATE_FOUND', isIntact: false } as const;
    return failed({ ...known, signerInfo }, ['tsa.certificate.invalid', message, doubt]);
  }
  const broken = fault ?? checkCertificate(certificate, question.atMs ?? info.genTimeMs);
  if (broken !== undefined) return failed({ ...known, signerInfo, certificate }, broken);
  const { certificates } = signedData;
  const valid = { ...none, valid: true, info, certificates, signerInfo, certificate };
  const verdict = checkSignerPath(question, valid, certificate, info.genTimeMs);
  const doubt = checkClock(question, info) ?? checkStated(info, certificate);
  return doubt === undefined ? verdict : failed(verdict, doubt);
}

/** The first candidate that created the signature; otherwise the most likely one, and its fault. */
function findSigner(
  token: TimestampToken,
  signer: SignerInfo,
  candidates: readonly Certificate[],
): { readonly certificate?: Certificate; readonly fault?: Fault } {
  let failure: { readonly certificate: Certificate; readonly fault: Fault } | undefined;
  for (const certificate of candidates) {
    const fault = checkTokenSignature(token, signer, certificate);
    if (fault === undefined) return { certificate };
    const [, , doubt] = fault;
    if (failure === undefined || (doubt?.isIntact && !failure.fault[2]?.isIntact)) {
      failure = { certificate, fault };
    }
  }
  return failure ?? {};
}

function failed(verdict: TimestampVerdict, [problem, message, doubt]: Fault): TimestampVerdict {
  return { ...verdict, problem, message, ...defined({ doubt }) };
}

function checkStatement(question: TimestampQuestion, info: TstInfo): Fault | undefined {
  if (info.digest === undefined) return unsupportedAlgorithm(info.digestOid);
  const expected = expectedImprint(question.imprint, info.digest);
  if (expected === undefined) {
    return ['tsa.imprint.mismatch', `the time-stamp uses a different digest, ${info.digest}`];
  }
  if (!equalBytes(expected, info.imprint)) {
    const message = `expected imprint ${hexOf(expected)}, found ${hexOf(info.imprint)}`;
    return ['tsa.imprint.mismatch', message];
  }
  if (question.nonce !== undefined && !equalNumbers(question.nonce, info.nonce)) {
    const found = info.nonce === undefined ? 'none' : hexOf(info.nonce);
    return ['tsa.nonce.mismatch', `expected nonce ${hexOf(question.nonce)}, found ${found}`];
  }
  if (question.policy !== undefined && question.policy !== info.policy) {
    return ['tsa.policy.mismatch', `expected policy ${question.policy}, found ${info.policy}`];
  }
  return undefined;
}

function expectedImprint(
  imprint: ExpectedImprint,
  digest: DigestAlgorithm,
): Uint8Array | undefined {
  if (typeof imprint === 'function') return imprint(digest);
  if (imprint instanceof Uint8Array) return digestOf(digest, imprint);
  return imprint.digest === digest ? imprint.value : undefined;
}

/** Compares magnitudes, ignoring leading zero bytes. */
function equalNumbers(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && equalBytes(withoutZeros(a), withoutZeros(b));
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  return bytes.subarray(start);
}

function checkCertificate(certificate: Certificate, atMs: number): Fault | undefined {
  const [misuse] = checkTimestampPurpose(certificate);
  if (misuse !== undefined) {
    const doubt = { subIndication: 'CHAIN_CONSTRAINTS_FAILURE', isIntact: true } as const;
    return ['tsa.certificate.invalid', misuse, doubt];
  }
  if (atMs < certificate.notBeforeMs || atMs >= certificate.notAfterMs + 1000) {
    const from = new Date(certificate.notBeforeMs).toISOString();
    const until = new Date(certificate.notAfterMs).toISOString();
    const message = `the certificate is valid from ${from} until ${until}, not at ${isoTime(atMs)}`;
    return ['tsa.certificate.expired', message];
  }
  return undefined;
}

function checkClock(question: TimestampQuestion, info: TstInfo): Fault | undefined {
  const { nowMs, maxSkewMs } = question;
  if (nowMs === undefined) return undefined;
  const allowedMs = (maxSkewMs ?? DEFAULT_SKEW_MS) + (info.accuracyMs ?? 0);
  const skewMs = info.genTimeMs - nowMs;
  if (skewMs <= allowedMs && (maxSkewMs === undefined || -skewMs <= allowedMs)) return undefined;
  if (maxSkewMs === undefined) {
    const times = `${isoTime(info.genTimeMs)} is later than the time of the check`;
    return ['tsa.time.skewed', `the time-stamp of ${times}, ${isoTime(nowMs)}`];
  }
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const message = `the time-stamp is ${seconds} s ${side} the local clock`;
  return ['tsa.time.skewed', `${message}, the limit is ${Math.round(allowedMs / 1000)} s`];
}

/** Maximum meaningful accuracy: beyond a day it says nothing about the time. */
const MAX_ACCURACY_MS = 24 * 3_600_000;

/**
 * The statement in a token that forbids relying on it; undefined if there is none.
 *
 * @spec RFC 3161 §2.4.2
 */
function checkStated(info: TstInfo, certificate: Certificate): Fault | undefined {
  const [critical] = info.criticalExtensions;
  if (critical !== undefined) {
    return ['tsa.response.invalid', `the token has the unknown critical extension ${critical}`];
  }
  if ((info.accuracyMs ?? 0) > MAX_ACCURACY_MS) {
    const hours = Math.round((info.accuracyMs ?? 0) / 3_600_000);
    return ['tsa.response.invalid', `expected an accuracy of at most 24 h, found ${hours} h`];
  }
  if (info.tsa === undefined || isNameOf(info.tsa, certificate)) return undefined;
  return ['tsa.certificate.invalid', 'the token names a different authority than its certificate'];
}

/** The order of the parts of a directory name is ignored: authorities write it both ways. */
function isNameOf(generalName: Uint8Array, certificate: Certificate): boolean {
  const { subjectDer, extensions } = certificate;
  if (extensions.subjectAltNames.some((one) => equalBytes(derOf(one), generalName))) return true;
  const name = readDer(generalName);
  if (name.tag !== 0xa4) return false;
  const sorted = (nameDer: Uint8Array) => comparableRdns(nameDer)?.toSorted().join('|');
  const wanted = sorted(contentOf(name));
  return wanted !== undefined && wanted === sorted(subjectDer);
}

function checkSignerPath(
  question: TimestampQuestion,
  verdict: TimestampVerdict,
  certificate: Certificate,
  genTimeMs: number,
): TimestampVerdict {
  const { anchors, pool, atMs } = question;
  if (anchors === undefined) return verdict;
  const result = findPath({ certificate, pool, anchors, atMs: atMs ?? genTimeMs });
  if (result.valid) return { ...verdict, trusted: true, path: result.path };
  const untrusted = failed(verdict, ['tsa.certificate.untrusted', result.message]);
  return { ...untrusted, path: result.path };
}

/**
 * The reason that a valid time-stamp is too weak to prove its time; undefined if it is not.
 *
 * @param path of its authority, leaf first; empty if none was searched for
 * @param when a time at which the time-stamp provably existed
 */
export function findWeakTimestamp(
  { certificate, info, signerInfo }: TimestampVerdict,
  path: readonly Certificate[],
  when: AlgorithmQuestion = {},
): string | undefined {
  if (certificate === undefined) return undefined;
  const digests = [info?.digest, signerInfo?.digest];
  const algorithm = signerInfo?.signatureAlgorithm;
  return findWeakProof({ certificate, algorithm, digests, path }, when);
}

/** Input of {@link requireTimestamp}: a token just received. */
export interface TimestampRequirement extends TimestampQuestion {
  /** Name of the authority, for messages. */
  readonly authority?: string;
  /** Expiry dates of algorithms. Default: the built-in table. */
  readonly algorithms?: AlgorithmTable;
}

/**
 * Requires a fresh token that passes every check and is strong enough to prove its time, and
 * returns the verdict on it. With `anchors` it must also be trusted. With `nowMs` its time must be
 * within `maxSkewMs` of it, which is five minutes by default.
 *
 * @throws tsa.response.invalid, tsa.imprint.mismatch, tsa.nonce.mismatch, tsa.policy.mismatch,
 * tsa.signature.invalid, tsa.certificate.invalid, tsa.certificate.expired, tsa.time.skewed,
 * tsa.certificate.untrusted, tsa.algorithm.weak by the first check that fails
 */
export function requireTimestamp(requirement: TimestampRequirement): TimestampVerdict {
  const { authority, algorithms, ...question } = requirement;
  const verdict = verifyTimestampToken({ maxSkewMs: DEFAULT_SKEW_MS, ...question });
  const when = defined({ atMs: question.nowMs, table: algorithms });
  const weakness = verdict.valid ? findWeakTimestamp(verdict, verdict.path, when) : undefined;
  const problem = verdict.problem ?? (weakness === undefined ? undefined : 'tsa.algorithm.weak');
  if (problem === undefined) return verdict;
  const found = verdict.problem === undefined ? (weakness ?? '') : verdict.message;
  const message = authority === undefined ? found : `${authority}: ${found}`;
  throw new InnsigliError(problem, message, {
    ...(authority === undefined ? {} : { details: { authority } }),
    hint: hints[problem] ?? 'use a different time-stamp authority',
  });
}

const hints: Partial<Record<TimestampProblem, string>> = {
  'tsa.certificate.untrusted': 'add the root certificate of the authority as a trust anchor',
  'tsa.time.skewed': 'check the local clock',
  'tsa.response.invalid': 'check the address of the time-stamp authority',
};
