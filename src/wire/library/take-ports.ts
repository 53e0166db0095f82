import { randomBytes } from 'node:crypto';
import { types } from 'node:util';
import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireObject, wrongArgument } from '../../base/given.ts';
import { limits } from '../../base/limits.ts';
import { copyBytes, reading, taken } from '../../base/taken.ts';
import { digestLengths, type SignatureAlgorithm } from '../../formats/x509/index.ts';
import type {
  CmsSigner,
  RandomSource,
  RevocationRequest,
  RevocationSource,
  Signer,
  TimestampAuthority,
} from '../../seal/ports.ts';
import { requirePort } from './check-arguments.ts';
import { systemTimeLimit, type TimeLimit, withinTime } from './within-time.ts';

/*
 * Wrappers of objects that the caller implements. Their properties are read once, and their results
 * are copied. An invalid result is reported with an error code, and a missing one times out.
 */

const schemes: readonly unknown[] = ['rsa-pkcs1', 'rsa-pss', 'ecdsa', 'ed25519', 'ed448'];
const digests: readonly unknown[] = Object.keys(digestLengths);

/** Wraps the caller's signer. @throws usage.invalid */
export function wrapSigner(given: Signer, timeLimit: TimeLimit = systemTimeLimit): Signer {
  reading('signer', () => requirePort('signer', given, 'sign'));
  const { sign, ...facts } = reading('signer', () => {
    const { sign, certificate, chain, algorithm } = given;
    return { sign, certificate, chain, algorithm };
  });
  requireFunction('signer.sign', sign);
  const certificate = copyBytes('signer.certificate', facts.certificate);
  const chain = takenList('signer.chain', facts.chain);
  const algorithm = takenAlgorithm(facts.algorithm);
  const { scheme, digest, saltLengthBytes } = algorithm;
  const said = [sign, certificate, chain.length, ...chain, scheme, digest, saltLengthBytes];
  return samePort(given, said, timeLimit, () => ({
    certificate,
    chain,
    algorithm,
    sign: (data) =>
      answer('key.sign.failed', 'the signer', () => sign.call(given, data), timeLimit),
  }));
}

/** Wraps the caller's CMS signer, with its members checked. @throws usage.invalid */
export function wrapCmsSigner(given: CmsSigner, timeLimit: TimeLimit = systemTimeLimit): CmsSigner {
  reading('signer', () => requirePort('signer', given, 'signContent'));
  const { signContent, estimatedLengthBytes } = reading('signer', () => ({
    signContent: given.signContent,
    estimatedLengthBytes: given.estimatedLengthBytes,
  }));
  requireFunction('signer.signContent', signContent);
  requireSize('signer.estimatedLengthBytes', estimatedLengthBytes);
  const ask = (content: Uint8Array) => () => signContent.call(given, content);
  return {
    estimatedLengthBytes,
    signContent: (content) => answer('key.sign.failed', 'the signer', ask(content), timeLimit),
  };
}

/** Wraps the caller's time-stamp authority. @throws usage.invalid */
export function wrapAuthority(
  given: TimestampAuthority,
  timeLimit: TimeLimit = systemTimeLimit,
): TimestampAuthority {
  reading('timestampAuthority', () => requirePort('timestampAuthority', given, 'timestamp'));
  const { name, tokenLengthBytes, timestamp } = reading('timestampAuthority', () => ({
    name: given.name,
    tokenLengthBytes: given.tokenLengthBytes,
    timestamp: given.timestamp,
  }));
  requireFunction('timestampAuthority.timestamp', timestamp);
  if (name !== undefined && typeof name !== 'string') {
    throw wrongArgument('timestampAuthority.name', 'text', name);
  }
  if (tokenLengthBytes !== undefined) {
    requireSize('timestampAuthority.tokenLengthBytes', tokenLengthBytes);
  }
  const who = name ?? 'the time-stamp authority';
  const codes = { odd: 'tsa.response.invalid', late: 'tsa.timeout', failed: 'tsa.unreachable' };
  return samePort(given, [timestamp, name, tokenLengthBytes], timeLimit, () => ({
    name: who,
    ...defined({ tokenLengthBytes }),
    timestamp: (request) =>
      answer(codes as AnswerCodes, who, () => timestamp.call(given, request), timeLimit),
  }));
}

/** Wraps the caller's source of revocation data. @throws usage.invalid */
export function wrapRevocationSource(
  given: RevocationSource,
  timeLimit: TimeLimit = systemTimeLimit,
): RevocationSource {
  reading('revocation', () => requirePort('revocation', given, 'find'));
  const { find, atHand } = reading('revocation', () => ({
    find: given.find,
    atHand: takenAtHand(given.atHand),
  }));
  requireFunction('revocation.find', find);
  const who = 'the revocation source';
  const said = [find, ...(atHand === undefined ? [] : [...atHand.ocsp, null, ...atHand.crls])];
  return samePort(given, said, timeLimit, () => ({
    ...defined({ atHand }),
    async find(certificate, issuer) {
      const ask = () => find.call(given, certificate, issuer);
      const found = await asked('network.failed', who, () =>
        withinTime(who, 'network.failed', ask, timeLimit),
      );
      return asked('network.failed', who, async () => {
        requireObject('revocation data', found);
        const { ocsp, crls, asked: requests } = found;
        return {
          ocsp: takenList('ocsp', ocsp),
          crls: takenList('crls', crls),
          ...defined({ asked: requests === undefined ? undefined : takenRequests(requests) }),
        };
      });
    },
  }));
}

function takenAtHand(atHand: RevocationSource['atHand']): RevocationSource['atHand'] {
  if (atHand === undefined) return undefined;
  requireObject('revocation.atHand', atHand);
  return {
    ocsp: takenList('revocation.atHand.ocsp', atHand.ocsp),
    crls: takenList('revocation.atHand.crls', atHand.crls),
  };
}

/** Wraps the caller's clock. @throws usage.invalid, also later if it returns no time */
export function takeClock(now: (() => Date) | undefined): () => number {
  return now === undefined ? Date.now : () => timeOf('now()', reading('now', now));
}

/** Returns the milliseconds of a time. @throws usage.invalid */
export function timeOf(name: string, time: unknown): number {
  const copy: unknown = taken(name, time);
  const timeMs = copy instanceof Date ? copy.getTime() : Number.NaN;
  if (Number.isNaN(timeMs)) throw wrongArgument(name, 'a Date', time);
  return timeMs;
}

/** Wraps the caller's generator. @throws usage.invalid, also later if it returns too few bytes */
export function takeRandom(
  random: RandomSource | undefined,
  usual: RandomSource = randomBytes,
): RandomSource {
  if (random === undefined) return usual;
  requireFunction('random', random);
  return (count) => {
    const bytes = copyBytes(
      'random()',
      reading('random', () => random(count)),
    );
    if (bytes.length !== count) {
      throw wrongArgument('random()', `${count} bytes`, `${bytes.length} bytes`);
    }
    return bytes;
  };
}

type AnswerCodes = {
  readonly odd: ErrorCode;
  readonly late: ErrorCode;
  readonly failed: ErrorCode;
};

async function answer(
  codes: ErrorCode | AnswerCodes,
  who: string,
  ask: () => Promise<Uint8Array>,
  timeLimit: TimeLimit,
): Promise<Uint8Array> {
  const { odd, late, failed } =
    typeof codes === 'string' ? { odd: codes, late: codes, failed: codes } : codes;
  const found = await asked(failed, who, () => withinTime(who, late, ask, timeLimit));
  return asked(odd, who, async () => {
    const bytes = copyBytes('the response', found);
    if (bytes.length > 0 && bytes.length <= limits.responseBytes) return bytes;
    throw wrongArgument('the response', `1 to ${limits.responseBytes} bytes`, `${bytes.length}`);
  });
}

/** Result of `ask`. Invalid results, and errors other than {@link InnsigliError}, get this code. */
async function asked<T>(code: ErrorCode, who: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (isInnsigliError(cause) && cause.code !== 'usage.invalid') throw cause;
    const why = cause instanceof Error ? cause.message : 'no reason given';
    throw new InnsigliError(code, `${who}: ${why}`, { cause });
  }
}

/** Maximum number of requests that a source can report. */
const REQUESTS_MAX = 16;

function takenRequests(given: unknown): readonly RevocationRequest[] {
  const list = taken('asked', given);
  const isList = (value: unknown): value is readonly RevocationRequest[] =>
    Array.isArray(value) && value.every((each) => typeof each?.name === 'string');
  if (!isList(list)) throw wrongArgument('asked', 'an array of requests with names', list);
  return list.slice(0, REQUESTS_MAX).map(({ name, message }) => ({
    name,
    ...defined({ message: message === undefined ? undefined : String(message) }),
  }));
}

function takenList(name: string, list: unknown): readonly Uint8Array[] {
  const copy = taken(name, list);
  if (!Array.isArray(copy)) throw wrongArgument(name, 'an array of DER bytes', copy);
  // Byte arrays were copied with the list. Others posing as bytes are copied here or rejected.
  return copy.map((each) => (types.isUint8Array(each) ? each : copyBytes(name, each)));
}

function takenAlgorithm(given: unknown): SignatureAlgorithm {
  requireObject('signer.algorithm', given);
  const algorithm = taken('signer.algorithm', given as SignatureAlgorithm);
  const { scheme, digest, saltLengthBytes } = algorithm;
  if (!schemes.includes(scheme)) {
    throw wrongArgument('signer.algorithm.scheme', schemes.join(', '), scheme);
  }
  if (!digests.includes(digest)) {
    throw wrongArgument('signer.algorithm.digest', digests.join(', '), digest);
  }
  if (saltLengthBytes !== undefined)
    requireSize('signer.algorithm.saltLengthBytes', saltLengthBytes);
  return algorithm;
}

function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw wrongArgument(name, 'a function', value);
}

function requireSize(name: string, value: unknown): void {
  const fits = Number.isInteger(value) && (value as number) >= 0;
  if (fits && (value as number) <= limits.signatureBytes) return;
  throw wrongArgument(name, `a number from 0 to ${limits.signatureBytes}`, value);
}

const known = new WeakMap<object, { readonly said: readonly unknown[]; readonly port: object }>();

/** The port of this object if its members are unchanged, to reuse cached data like certificates. */
function samePort<T extends object>(
  given: object,
  facts: readonly unknown[],
  timeLimit: TimeLimit,
  make: () => T,
): T {
  const said = [timeLimit, ...facts];
  const found = known.get(given);
  if (found !== undefined && isSame(found.said, said)) return found.port as T;
  const port = make();
  known.set(given, { said, port });
  return port;
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  return some.every((one, index) => {
    const other = others[index];
    if (one instanceof Uint8Array && other instanceof Uint8Array) return equalBytes(one, other);
    return one === other;
  });
}
