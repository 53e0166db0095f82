import { type EidEnvironment, EidError, type EidFailCode } from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { isRecord } from '../../../base/input.ts';
import { parseBase64 } from '../../../formats/xmldsig/index.ts';

/** Members of a successful response of the provider. */
export type Members = Readonly<Record<string, unknown>>;

/** Methods of the interface. */
export type BankidMethod = 'auth' | 'sign' | 'collect' | 'cancel';

/** The provider demands a lower request rate. */
export class BankidBusy extends EidError {
  /** Time in milliseconds before the next request may be sent. */
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(
      'providerUnavailable',
      'BankID accepts no more requests at the moment',
      'tooManyRequests',
    );
    this.waitMs = waitMs;
  }
}

/** Parameters of a request besides its body. */
export interface AskOptions {
  /** Base URL with a trailing slash. */
  readonly base: string;
  readonly timeoutMs: number;
}

/**
 * Sends a request to the provider and returns the members of its response.
 *
 * @throws EidError for an error code, a bad status or a malformed response; the error of the
 * transport
 */
export async function askBankid(
  http: EidEnvironment['http'],
  method: BankidMethod,
  body: Members,
  { base, timeoutMs }: AskOptions,
): Promise<Members> {
  const answer = await http({
    method: 'POST',
    url: `${base}${method}`,
    // With a charset parameter, the provider responds with status 415.
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs,
  });
  const members = membersOf(answer.body);
  if (answer.status === 200) {
    if (members !== undefined) return members;
    throw new EidError(
      'invalidResponse',
      `the response of BankID to ${method} is not a JSON object`,
    );
  }
  const given = members === undefined ? undefined : textOf(members, 'errorCode');
  // Codes are shown and logged, so anything that does not look like a code is dropped.
  const code = given !== undefined && /^[A-Za-z]{1,64}$/.test(given) ? given : undefined;
  if (answer.status === 429) throw new BankidBusy(waitOf(answer.headers));
  throw errorOf(method, answer.status, code);
}

/** The members of a JSON object; undefined for anything else. */
function membersOf(body: Uint8Array): Members | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return objectOf(attemptAny(() => JSON.parse(decoder.decode(body))));
}

/** The value as an object without a prototype; undefined if it is not an object. */
function objectOf(value: unknown): Members | undefined {
  if (!isRecord(value)) return undefined;
  return Object.assign(Object.create(null) as object, value) as Members;
}

/** A member of type string; undefined if it is missing or of another type. */
export function textOf(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' ? value : undefined;
}

/** Completion data of an order, as stored. */
export interface Completion {
  readonly personalNumber: string;
  /** The signature, XML. */
  readonly xml: string;
  /** The OCSP response, base64. */
  readonly ocsp: string;
  /** Whether a passport or identity card was read. */
  readonly hasReadDocument: boolean;
}

/**
 * Reads the relevant members of `completionData`.
 *
 * @throws EidError `invalidResponse` if one is missing or malformed
 */
export function readCompletion(value: unknown): Completion {
  const data = objectOf(value) ?? {};
  const personalNumber = textOf(objectOf(data['user']) ?? {}, 'personalNumber') ?? '';
  const xml = xmlOf(textOf(data, 'signature') ?? '');
  const ocsp = textOf(data, 'ocspResponse') ?? '';
  const hasOcsp = ocsp !== '' && !/\s/.test(ocsp) && parseBase64(ocsp) !== undefined;
  if (!/^\d{12}$/.test(personalNumber) || xml === undefined || !hasOcsp) {
    throw new EidError(
      'invalidResponse',
      'the completion data of BankID is incomplete or malformed',
    );
  }
  const hasReadDocument = objectOf(data['stepUp'])?.['mrtd'] === true;
  return { personalNumber, xml, ocsp, hasReadDocument };
}

/**
 * Decodes the signature to text, which is what is stored. The nonce of the OCSP response covers its
 * base64, so the base64 must be reproducible: without line breaks, and of valid UTF-8.
 */
function xmlOf(signature: string): string | undefined {
  const bytes = /\s/.test(signature) ? undefined : parseBase64(signature);
  if (bytes === undefined || bytes.length === 0) return undefined;
  return attemptAny(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

const WAIT_MS = { least: 2_000, most: 60_000 };

/** The wait stated by the headers in seconds, converted to milliseconds and clamped. */
function waitOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): number {
  const seconds = Number(headers['ratelimit-reset'] ?? headers['retry-after'] ?? 5);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : WAIT_MS.most;
  return Math.min(WAIT_MS.most, Math.max(WAIT_MS.least, waitMs));
}

/** Error codes in lower case, because documentation and provider differ in the case of some. */
const errorCodes: ReadonlyMap<string, EidFailCode> = new Map([
  ['alreadyinprogress', 'alreadyInProgress'],
  ['unauthorized', 'internalError'],
  ['notfound', 'internalError'],
  ['methodnotallowed', 'internalError'],
  ['unsupportedmediatype', 'internalError'],
  ['requesttimeout', 'providerUnavailable'],
  ['toomanyrequests', 'providerUnavailable'],
  ['internalerror', 'providerUnavailable'],
  ['maintenance', 'providerUnavailable'],
]);

function errorOf(method: BankidMethod, status: number, code: string | undefined): EidError {
  const message = `BankID answered ${method} with status ${status}`;
  return new EidError(failCodeOf(method, status, code?.toLowerCase() ?? ''), message, code);
}

function failCodeOf(method: BankidMethod, status: number, code: string): EidFailCode {
  if (code === 'invalidparameters') {
    // For an existing order: it ended too long ago or was cancelled. Else the request is invalid.
    return method === 'collect' || method === 'cancel' ? 'expiredTransaction' : 'internalError';
  }
  const known = errorCodes.get(code);
  if (known !== undefined) return known;
  if (status === 408 || status >= 500) return 'providerUnavailable';
  return status >= 400 ? 'internalError' : 'invalidResponse';
}
