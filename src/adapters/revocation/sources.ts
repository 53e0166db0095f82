import { randomBytes } from 'node:crypto';
import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireGiven, requireObject } from '../../base/given.ts';
import { readable, readableOptions } from '../../base/taken.ts';
import { der } from '../../formats/asn1/index.ts';
import {
  buildOcspRequest,
  type Certificate,
  type OcspCertificateId,
  ocspCertificateId,
  parseCrl,
  parseOcspResponse,
} from '../../formats/x509/index.ts';
import type { RevocationData, RevocationRequest, RevocationSource } from '../../seal/ports.ts';
import { type FetchOptions, fetchBytes } from './fetch-bytes.ts';
import { pemBodies } from './pem-bodies.ts';

/** Maximum number of URLs of one kind that are tried for a certificate. */
const MAX_ADDRESSES = 4;
const defaults: FetchOptions = { timeoutMs: 10_000, allowPrivateAddresses: false, offline: false };

/** CRLs by URL, each with the time until which it is not fetched again. */
export type CrlCache = Map<string, { readonly der: Uint8Array; readonly untilMs: number }>;

/** Options for requests of a verification, as opposed to those of a seal. */
export interface InquiryOptions {
  /** Time limit for all requests together, in milliseconds from the first one. */
  readonly totalMs: number;
  /** Recently fetched CRLs, which are not fetched again. New ones are added. */
  readonly crlCache?: CrlCache;
}

const names = { timeoutMs: 1, allowPrivateAddresses: 1, proxy: 1, offline: 1, fetchLimits: 1 };

/**
 * Fetches revocation data from the URLs named in certificates: OCSP first, and CRLs if no responder
 * returns a usable response. Only the format is checked here; validation is left to the caller.
 * Without options, a fetch may take 10 s and may contact only public addresses.
 *
 * @example
 * const revocation = httpRevocationSource({ timeoutMs: 5000 });
 */
export function httpRevocationSource(given: Partial<FetchOptions> = {}): RevocationSource {
  const own = readableOptions('httpRevocationSource', given, names);
  const options = { ...defaults, ...own, endMs: Number.POSITIVE_INFINITY };
  return { find: (certificate, issuer) => find(certificate, issuer, options, false) };
}

/**
 * The same for a verification: OCSP requests contain a nonce, and a response with a different one
 * is rejected. A second request for a certificate, made if its OCSP response was not accepted,
 * returns the CRL.
 */
export function inquiringRevocationSource(
  given: Partial<FetchOptions>,
  { totalMs, crlCache }: InquiryOptions,
): RevocationSource {
  const answered = new WeakSet<Certificate>();
  let endMs: number | undefined;
  return {
    async find(certificate, issuer) {
      endMs ??= performance.now() + totalMs;
      const options = { ...defaults, ...given, nonce: true, endMs, ...defined({ crlCache }) };
      const data = await find(certificate, issuer, options, answered.has(certificate));
      answered.add(certificate);
      return data;
    },
  };
}

async function find(
  certificate: Certificate,
  issuer: Certificate,
  options: AskOptions,
  isAnswered: boolean,
): Promise<RevocationData> {
  const { ocspUrls, crlUrls } = certificate.extensions;
  const id = ocspCertificateId(certificate, issuer);
  const asked: Asked = { requests: [] };
  for (const url of isAnswered ? [] : ocspUrls.slice(0, MAX_ADDRESSES)) {
    const answer = await ask(asked, `OCSP ${url}`, () => askOcsp(url, id, options));
    if (answer !== undefined) return { ocsp: [answer], crls: [], asked: asked.requests };
  }
  for (const url of webUrlsFirst(crlUrls).slice(0, MAX_ADDRESSES)) {
    const answer = await ask(asked, `CRL ${url}`, () => fetchCrl(url, options));
    if (answer !== undefined) return { ocsp: [], crls: [answer], asked: asked.requests };
  }
  if (asked.failure !== undefined) throw withRequests(asked.failure, asked.requests);
  return { ocsp: [], crls: [], ...requestsOf(asked.requests) };
}

/** Results of the requests for one certificate. */
interface Asked {
  readonly requests: RevocationRequest[];
  /** The first failure, which is the most informative. */
  failure?: InnsigliError;
}

/** The response, or undefined with the reason in `asked`. Unexpected errors are rethrown. */
async function ask(
  asked: Asked,
  name: string,
  request: () => Promise<Uint8Array | string>,
): Promise<Uint8Array | undefined> {
  try {
    const answer = await request();
    asked.requests.push(typeof answer === 'string' ? { name, message: answer } : { name });
    return typeof answer === 'string' ? undefined : answer;
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    asked.failure ??= error;
    asked.requests.push({ name, message: error.message });
    return undefined;
  }
}

function requestsOf(asked: readonly RevocationRequest[]): Pick<RevocationData, 'asked'> {
  return asked.length === 0 ? {} : { asked };
}

function withRequests(error: InnsigliError, requests: readonly RevocationRequest[]): InnsigliError {
  const { code, message, details, hint } = error;
  return new InnsigliError(code, message, {
    ...{ details, cause: error, ...defined({ hint }) },
    findings: requests.map(({ name, message: why = 'it answered' }) => ({ name, message: why })),
  });
}

/** Other URLs are last: reported as unsupported, they must not use up the limit on URLs. */
function webUrlsFirst(urls: readonly string[]): readonly string[] {
  return urls.toSorted((a, b) => Number(isWebAddress(b)) - Number(isWebAddress(a)));
}

function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url);
}

interface AskOptions extends FetchOptions {
  /** Deadline by the clock of `performance`. */
  readonly endMs: number;
  readonly nonce?: boolean;
  readonly crlCache?: CrlCache;
}

/** The remaining time for a request, in milliseconds. */
function timeLeft({ endMs, timeoutMs }: AskOptions): number {
  return Math.min(timeoutMs, Math.floor(endMs - performance.now()));
}

const NO_TIME = 'not queried: the time limit for all requests about this document has passed';
const NONCE_BYTES = 32;

/** The response if good or revoked, otherwise the reason. @spec RFC 6960 Appendix A.1 */
async function askOcsp(
  url: string,
  id: OcspCertificateId,
  options: AskOptions,
): Promise<Uint8Array | string> {
  const timeoutMs = timeLeft(options);
  if (timeoutMs <= 0) return NO_TIME;
  const nonce = options.nonce === true ? der.octetString(randomBytes(NONCE_BYTES)) : undefined;
  const bytes = buildOcspRequest([id], nonce);
  const post = { bytes, contentType: 'application/ocsp-request' };
  const answer = await fetchBytes(url, { ...options, timeoutMs }, post);
  const { basic, status } = parseOcspResponse(answer);
  if (basic === undefined) return `the responder returned ${status}`;
  // Responders may return pre-produced responses without a nonce. A different nonce belongs to the
  // request of another client.
  if (nonce !== undefined && basic.nonce !== undefined && !equalBytes(nonce, basic.nonce)) {
    return 'the response has a different nonce than the request';
  }
  const about = basic.responses.find(({ certificateId }) =>
    equalBytes(certificateId.serialNumber, id.serialNumber),
  );
  if (about === undefined) return 'the response is for a different certificate';
  return about.status === 'unknown' ? 'the responder does not know the certificate' : answer;
}

async function fetchCrl(url: string, options: AskOptions): Promise<Uint8Array | string> {
  if (!isWebAddress(url)) return 'only http and https addresses are supported';
  const kept = options.crlCache?.get(url);
  if (kept !== undefined && performance.now() < kept.untilMs && !options.offline) return kept.der;
  const timeoutMs = timeLeft(options);
  if (timeoutMs <= 0) return NO_TIME;
  const answer = await fetchBytes(url, { ...options, timeoutMs });
  const list = pemBodies(answer, 'X509 CRL')[0] ?? answer;
  parseCrl(list);
  if (options.crlCache !== undefined) keepCrl(options.crlCache, url, list);
  return list;
}

const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/** Caches a CRL for ten minutes, and evicts the oldest if necessary. */
function keepCrl(cache: CrlCache, url: string, list: Uint8Array): void {
  cache.delete(url);
  cache.set(url, { der: list, untilMs: performance.now() + KEPT_MS });
  let bytes = 0;
  for (const { der: one } of cache.values()) bytes += one.length;
  for (const [oldest, { der: one }] of cache) {
    if (cache.size <= MAX_KEPT && bytes <= MAX_KEPT_BYTES) break;
    cache.delete(oldest);
    bytes -= one.length;
  }
}

/**
 * Returns the same data for every certificate, such as the files of a folder.
 *
 * @throws usage.invalid
 * @example
 * const revocation = staticRevocationSource({ ocsp: [], crls: [await readFile('issuer.crl')] });
 */
export function staticRevocationSource(given: RevocationData): RevocationSource {
  const data = readable('revocation data', given);
  for (const name of ['ocsp', 'crls'] as const) {
    requireGiven(name, 'an array of DER bytes', data[name], Array.isArray(data[name]));
  }
  return { find: async () => data };
}

/**
 * Returns the data of the first source that has any. A source that fails is skipped; if none has
 * data, the first failure is thrown.
 *
 * @throws usage.invalid
 * @example
 * const sources = [staticRevocationSource(files), httpRevocationSource()];
 * const revocation = combinedRevocationSource(sources);
 */
export function combinedRevocationSource(given: readonly RevocationSource[]): RevocationSource {
  requireObject('sources', given);
  requireGiven('sources', 'an array', given, Array.isArray(given));
  const sources = [...given];
  const kept = sources.flatMap((source) => readable('a source', source).atHand ?? []);
  const atHand = { ocsp: kept.flatMap(({ ocsp }) => ocsp), crls: kept.flatMap(({ crls }) => crls) };
  return {
    ...(kept.length === 0 ? {} : { atHand }),
    makesItself: (certificate, issuer) =>
      sources.some((source) => source.makesItself?.(certificate, issuer) === true),
    async find(certificate, issuer) {
      let failure: unknown;
      const asked: RevocationRequest[] = [];
      for (const source of sources) {
        try {
          const data = await source.find(certificate, issuer);
          const isAnswer = data.ocsp.length + data.crls.length > 0;
          if (isAnswer && asked.length === 0) return data;
          asked.push(...(data.asked ?? []));
          if (isAnswer) return { ...data, asked };
        } catch (error) {
          // The first failure is the most informative. Unexpected errors are rethrown.
          if (!isInnsigliError(error)) throw error;
          failure ??= error;
        }
      }
      if (failure !== undefined) throw failure;
      return { ocsp: [], crls: [], ...requestsOf(asked) };
    },
  };
}
