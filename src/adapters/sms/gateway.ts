import { readFileSync } from 'node:fs';
import type { Acceptance, SmsSender } from '../../app/ports/index.ts';
import { CoreError, isCoreError } from '../../base/errors.ts';

/** An HTTP gateway that takes text messages as JSON. */
export interface SmsGatewayOptions {
  readonly url: string;
  /** File with the token on its first line. */
  readonly tokenFile?: string;
  /** The token itself, from a variable of the environment. */
  readonly token?: string;
  /** Word before the token in the Authorization header; `Bearer` when left out. */
  readonly scheme?: string;
  /** Who the message is from, as the gateway knows it. */
  readonly sender?: string;
  /** Put before numbers of seven digits, such as `+354`. */
  readonly countryPrefix?: string;
  /** Names of the members of the JSON body. */
  readonly members?: {
    readonly to?: string;
    readonly text?: string;
    readonly sender?: string;
    readonly id?: string;
  };
  readonly timeoutMs?: number;
}

const timeoutMsDefault = 15_000;
const answerBytesMax = 64 * 1024;

/** Statuses that tell of the moment or of the login, and not of the message. */
const passing = new Set([401, 403, 407, 408, 425, 429]);

/**
 * A sender that posts `{to, text, from, id}` to a gateway; a 2xx answer is an acceptance. The id
 * of the message is sent as `Idempotency-Key` too, so that gateways which know it do not send a
 * repeat. Redirects are not followed.
 *
 * @throws config.invalid when the URL is none, or would carry a token over an open line
 */
export function gatewaySms(options: SmsGatewayOptions): SmsSender {
  const url = requireUrl(options);
  const { members, sender, countryPrefix, timeoutMs = timeoutMsDefault } = options;
  return {
    async send({ id, to, text }) {
      const number = to.startsWith('+') ? to : `${countryPrefix ?? ''}${to}`;
      const body = JSON.stringify({
        [members?.to ?? 'to']: number,
        [members?.text ?? 'text']: text,
        ...(sender === undefined ? {} : { [members?.sender ?? 'from']: sender }),
        [members?.id ?? 'id']: id,
      });
      const token = readToken(options);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': id,
        ...(token === '' ? {} : { authorization: `${options.scheme ?? 'Bearer'} ${token}` }),
      };
      return post(url, { headers, body, timeoutMs }, id);
    },
  };
}

interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

async function post(url: URL, posted: Posted, id: string): Promise<Acceptance> {
  const { headers, body, timeoutMs } = posted;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = response;
    if (status < 200 || status > 299) {
      await response.body?.cancel();
      throw statusError(status);
    }
    return { reference: referenceIn(await readHead(response)) ?? id };
  } catch (error) {
    if (isCoreError(error)) throw error;
    throw new CoreError('sms.failed', `the gateway cannot be reached (${causeOf(error)})`, {
      hint: 'check the address of the gateway',
    });
  }
}

function statusError(status: number): CoreError {
  const isFinal = status >= 400 && status < 500 && !passing.has(status);
  const isLogin = status === 401 || status === 403;
  return new CoreError(
    isFinal ? 'sms.refused' : 'sms.failed',
    `the gateway answered ${status}, expected 2xx`,
    { details: { status }, ...(isLogin ? { hint: 'check the token of the gateway' } : {}) },
  );
}

async function readHead(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && lengthBytes < answerBytesMax) {
    // It has the message already: an answer that breaks off must not make it be sent again.
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) break;
    chunks.push(value);
    lengthBytes += value.length;
  }
  await reader?.cancel().catch(() => undefined);
  return Buffer.concat(chunks).toString('utf8');
}

/** The name of the gateway for the message, where it tells one in a usual place. */
function referenceIn(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null) return undefined;
    const members = answer as Record<string, unknown>;
    const found = members['id'] ?? members['messageId'] ?? members['reference'];
    const isName = typeof found === 'string' || typeof found === 'number';
    return isName && /^[\w.:@-]{1,100}$/.test(String(found)) ? String(found) : undefined;
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'timeout';
  return typeof cause?.code === 'string' ? cause.code : 'no connection';
}

function readToken({ token, tokenFile }: SmsGatewayOptions): string {
  if (tokenFile === undefined) return token ?? '';
  try {
    return readFileSync(tokenFile, 'utf8').split(/\r?\n/)[0]?.trim() ?? '';
  } catch {
    throw new CoreError('sms.failed', 'the file of the gateway token cannot be read', {
      details: { file: tokenFile },
      hint: 'check its name and rights',
    });
  }
}

function requireUrl({ url, token, tokenFile }: SmsGatewayOptions): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new CoreError('config.invalid', 'text messages: expected an http(s) URL of a gateway');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new CoreError('config.invalid', 'text messages: expected a URL without credentials', {
      hint: 'put the token into a file',
    });
  }
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname);
  const hasToken = token !== undefined || tokenFile !== undefined;
  if (parsed.protocol === 'http:' && hasToken && !isHere) {
    throw new CoreError(
      'config.invalid',
      'text messages: expected https: for a token, found http:',
    );
  }
  return parsed;
}
