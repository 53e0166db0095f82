import type { PersonRegister } from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { findPortFault } from '../../base/network/address-policy.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { osErrorText } from '../../base/os-errors.ts';
import type { FamilyFacts, HomeAddress } from '../../domain/auth/index.ts';
import { type HttpClient, HttpFailure, openHttpClient, operatorGuard } from '../http/index.ts';
import { readTextNow } from '../read-file.ts';

/** Options of a register of persons accessed over HTTP. */
export interface HttpRegisterOptions {
  readonly url: string;
  /** File with the token on its first line. */
  readonly tokenFile?: string;
  /** Timeout of one request in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** URL of an HTTP proxy for requests to the register. */
  readonly proxy?: string;
}

const timeoutMsDefault = 5000;
const answerBytesMax = 64 * 1024;

/**
 * Creates a client for a register that accepts `POST {ssn, lookup}` as JSON, where `lookup` is
 * `address`, `family` or `meter`, and responds with status 200 and `{ssn, found, …}`. The number is
 * sent only in the body, and never included in messages. Redirects are not followed.
 *
 * @throws config.invalid if the URL is malformed, or would send the data unencrypted
 */
export function httpRegister(options: HttpRegisterOptions): PersonRegister {
  const url = requireUrl(options.url);
  const { timeoutMs = timeoutMsDefault, proxy } = options;
  const client = openHttpClient({
    guard: operatorGuard,
    proxy: proxy === undefined ? undefined : new URL(proxy),
    connectMs: timeoutMs,
  });
  const ask = async <Kind extends LookupKind>(lookup: Kind, ssn: string) => {
    if (findPortFault(url) !== undefined) throw unreachable('not with this address', true);
    const token = readToken(options.tokenFile);
    const answer = await send(client, {
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ ssn, lookup }),
      timeoutMs,
      keptBytes: answerBytesMax,
    });
    if (answer.status !== 200) throw statusError(answer.status);
    return readRegisterAnswer(answer.body, ssn, lookup);
  };
  return {
    address: (ssn) => ask('address', ssn),
    family: (ssn) => ask('family', ssn),
    hasMeter: async (ssn) => (await ask('meter', ssn)) ?? false,
  };
}

async function send(client: HttpClient, request: Parameters<HttpClient['send']>[0]) {
  const once = () => client.send(request);
  try {
    // The server may have closed an idle connection. Lookups change nothing: repeating is safe.
    return await once().catch((error: unknown) => {
      if (error instanceof HttpFailure && error.isReused) return once();
      throw error;
    });
  } catch (error) {
    throw error instanceof HttpFailure ? connectionError(error) : error;
  }
}

/** Temporary statuses; any other status below 500 indicates a configuration error. */
const passing = new Set([408, 425, 429]);

function statusError(status: number): InnsigliError {
  const message = `the register of persons returned ${status}, expected 200`;
  const details = { status };
  if (status >= 500 || passing.has(status)) {
    return new InnsigliError('register.unavailable', message, { details });
  }
  const isLogin = status === 401 || status === 403;
  const hint = isLogin ? 'check the file of register.tokenFile' : 'check the address register.url';
  return new InnsigliError('register.configuration', message, { details, hint });
}

function connectionError(failure: HttpFailure): InnsigliError {
  if (failure.kind === 'long') {
    const message = `the register of persons: expected at most ${answerBytesMax} bytes`;
    return new InnsigliError('register.answer.invalid', message);
  }
  if (failure.kind === 'proxy') return unreachable(failure.message, true, 'the setting proxy');
  if (failure.kind === 'blocked') return unreachable('not with this address', true);
  const code = failure.kind === 'late' ? 'ETIMEDOUT' : failure.code;
  const isSetting = code !== undefined && aboutAddress.test(code);
  return unreachable(osErrorText(code ?? 'ECONNRESET'), isSetting);
}

const aboutAddress = /^(ERR_TLS|ERR_SSL|EPROTO|CERT|DEPTH|SELF_SIGNED|UNABLE_TO)/;

function unreachable(why: string, isSetting: boolean, what = 'register.url'): InnsigliError {
  const code = isSetting ? 'register.configuration' : 'register.unavailable';
  const message = `the register of persons cannot be reached: ${why}`;
  return new InnsigliError(code, message, { hint: `check ${what}` });
}

function readToken(tokenFile: string | undefined): string {
  if (tokenFile === undefined) return '';
  const fail = (why: string) =>
    new InnsigliError('register.configuration', `the file of register.tokenFile ${why}`, {
      details: { file: tokenFile },
      hint: 'check its name, its permissions and its first line',
    });
  const text = attemptAny(() => readTextNow(tokenFile));
  if (text === undefined) throw fail('cannot be read');
  const token = text.split(/\r?\n/)[0]?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw fail('has no token on its first line');
}

function requireUrl(text: string): URL {
  const url = isUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InnsigliError('config.invalid', 'register.url: expected an http(s) URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InnsigliError('config.invalid', 'register.url: expected a URL without credentials', {
      hint: 'put the token in the file of register.tokenFile',
    });
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new InnsigliError('config.invalid', 'register.url: expected https:, found http:', {
      hint: 'national numbers are sent over it: only this machine can be queried without TLS',
    });
  }
  return url;
}

/** Kind of data requested about a person. */
type LookupKind = keyof LookupResults;

interface LookupResults {
  readonly address: HomeAddress;
  readonly family: FamilyFacts;
  readonly meter: boolean;
}

type Members = ReadonlyMap<string, unknown>;

const CHARACTERS_MAX = 200;

/**
 * Reads the response of a register about a person; undefined for a person without an entry.
 * Unrecognised members are ignored. Messages contain no part of the response.
 *
 * @throws register.answer.invalid if it is malformed or about a different person
 */
function readRegisterAnswer<Kind extends LookupKind>(
  body: Uint8Array,
  ssn: string,
  kind: Kind,
): LookupResults[Kind] | undefined {
  const members = readMembers(body);
  // Responses may be mixed up in transit; data about a different person must never be accepted.
  if (members.get('ssn') !== ssn) throw invalid('ssn', 'the requested number');
  const found = members.get('found');
  if (typeof found !== 'boolean') throw invalid('found', 'true or false');
  return found ? readers[kind](members) : undefined;
}

const readers: { readonly [Kind in LookupKind]: (members: Members) => LookupResults[Kind] } = {
  address: (members) => ({
    address: textOf(members, 'address'),
    postalCode: textOf(members, 'postalCode'),
    city: textOf(members, 'city'),
  }),
  family: (members) => {
    const partner = members.get('partnerSsn') ?? undefined;
    const partnerSsn = partner === undefined ? undefined : digitsOf(members, 'partnerSsn');
    return {
      ...defined({ partnerSsn }),
      familyNumber: digitsOf(members, 'familyNumber'),
      genderCode: digitsOf(members, 'genderCode'),
      familyStatus: digitsOf(members, 'familyStatus'),
    };
  },
  meter: (members) => {
    const hasMeter = members.get('hasMeter');
    if (typeof hasMeter === 'boolean') return hasMeter;
    throw invalid('hasMeter', 'true or false');
  },
};

function readMembers(body: Uint8Array): Members {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const value: unknown = attemptAny(() => JSON.parse(decoder.decode(body)));
  if (!isRecord(value)) {
    const expected = value === undefined ? 'JSON in UTF-8' : 'an object';
    throw new InnsigliError('register.answer.invalid', `${what}: expected ${expected}`);
  }
  // Own members only, none of the prototype.
  return new Map(Object.entries(value));
}

function textOf(members: Members, name: string): string {
  const text = members.get(name);
  const isText = typeof text === 'string' && text.length <= CHARACTERS_MAX;
  if (isText && !/\p{Cc}/u.test(text)) return text;
  throw invalid(name, `text of at most ${CHARACTERS_MAX} characters`);
}

function digitsOf(members: Members, name: string): string {
  const text = members.get(name);
  if (typeof text === 'string' && /^\d{1,14}$/.test(text)) return text;
  throw invalid(name, 'digits as text');
}

const what = 'the response of the register of persons';

function invalid(name: string, expected: string): InnsigliError {
  return new InnsigliError('register.answer.invalid', `${what}: ${name}: expected ${expected}`);
}
