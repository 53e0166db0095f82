import type { SmsSender } from '../../app/ports/index.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { findPortFault } from '../../base/network/address-policy.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { osErrorText } from '../../base/os-errors.ts';
import { HttpFailure, openHttpClient, operatorGuard } from '../http/index.ts';
import { readTextNow } from '../read-file.ts';

/** Options of an HTTP gateway that accepts text messages as JSON. */
export interface SmsGatewayOptions {
  readonly url: string;
  /** File with the token on its first line. */
  readonly tokenFile?: string;
  readonly timeoutMs?: number;
  /** URL of an HTTP proxy for requests to the gateway. */
  readonly proxy?: string;
}

const timeoutMsDefault = 15_000;
const answerBytesMax = 64 * 1024;

/** Statuses of a gateway that accepted nothing and temporarily accepts no messages. */
const closed = new Set([429, 503]);
/** Temporary statuses. */
const passing = new Set([408, 425]);
/** Statuses caused by this number or text; any other from 400 to 499 concerns the gateway. */
const aboutMessage = new Set([400, 409, 413, 422]);

/**
 * Creates a sender that posts `{to, text, id}` to a gateway. A 2xx response means that the message
 * was accepted. The id is also sent as `Idempotency-Key`, so that a gateway that supports the
 * header ignores repeats. Redirects are not followed.
 *
 * @throws config.invalid if the URL is malformed, or would send a token unencrypted
 */
export function gatewaySms(options: SmsGatewayOptions): SmsSender {
  const url = requireUrl(options);
  const { timeoutMs = timeoutMsDefault, proxy } = options;
  const client = openHttpClient({
    guard: operatorGuard,
    proxy: proxy === undefined ? undefined : new URL(proxy),
    connectMs: timeoutMs,
  });
  return {
    async send({ id, to, text }) {
      const body = JSON.stringify({ to, text, id });
      const token = readToken(options);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': id,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      };
      if (findPortFault(url) !== undefined) throw connectionError();
      const order = { url, method: 'POST', headers, body, timeoutMs } as const;
      const bounds = { keptBytes: answerBytesMax, statusCounts: { readBytes: answerBytesMax } };
      const answer = await client.send({ ...order, ...bounds }).catch((error: unknown) => {
        throw error instanceof HttpFailure ? connectionError(error) : error;
      });
      if (answer.status < 200 || answer.status > 299) throw statusError(answer.status);
      return { reference: referenceIn(answer.body.toString('utf8')) ?? id };
    },
  };
}

function statusError(status: number): InnsigliError {
  const message = `the gateway returned ${status}, expected 2xx`;
  const details = { status };
  if (closed.has(status)) return new InnsigliError('sms.unavailable', message, { details });
  if (status >= 500 || passing.has(status))
    return new InnsigliError('sms.failed', message, { details });
  if (aboutMessage.has(status)) return new InnsigliError('sms.refused', message, { details });
  const isLogin = status === 401 || status === 403;
  const hint = isLogin ? 'check the file of sms.tokenFile' : 'check the address in sms.gateway';
  return new InnsigliError('sms.configuration', message, { details, hint });
}

/** Without a failure, the request was not attempted because the URL's port is not permitted. */
function connectionError(failure?: HttpFailure): InnsigliError {
  if (failure?.kind === 'proxy') {
    const hint = 'check the setting proxy';
    const words = `the gateway cannot be reached: ${failure.message}`;
    return new InnsigliError('sms.configuration', words, { hint });
  }
  const cause = failure?.kind === 'late' ? 'ETIMEDOUT' : failure?.code;
  const message = `the gateway cannot be reached: ${osErrorText(cause ?? 'not with this address')}`;
  const hint = 'check the address in sms.gateway';
  if (cause === undefined || aboutAddress.test(cause)) {
    return new InnsigliError('sms.configuration', message, { hint });
  }
  // Without a response, it is unknown whether the message was accepted.
  const code = failure?.isUnsent ? 'sms.unavailable' : 'sms.failed';
  return new InnsigliError(code, message, { hint });
}

const aboutAddress = /^(ENOTFOUND|ERR_TLS|ERR_SSL|EPROTO|CERT|DEPTH|SELF_SIGNED|UNABLE_TO|UND_ERR)/;

/** The gateway's identifier of the message, if the response contains one in a common member. */
function referenceIn(text: string): string | undefined {
  const answer: unknown = attemptAny(() => JSON.parse(text));
  if (!isRecord(answer)) return undefined;
  const found = answer['id'] ?? answer['messageId'] ?? answer['reference'];
  const isName = typeof found === 'string' || typeof found === 'number';
  return isName && /^[\w.:@-]{1,100}$/.test(String(found)) ? String(found) : undefined;
}

function readToken({ tokenFile }: SmsGatewayOptions): string {
  if (tokenFile === undefined) return '';
  try {
    return readTextNow(tokenFile).split(/\r?\n/)[0]?.trim() ?? '';
  } catch {
    const message = 'the file of the gateway token cannot be read (sms.tokenFile)';
    throw new InnsigliError('sms.configuration', message, {
      details: { file: tokenFile },
      hint: 'check its name and permissions',
    });
  }
}

function requireUrl({ url, tokenFile }: SmsGatewayOptions): URL {
  const parsed = isUrl(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    const message = 'text messages: expected an http(s) URL of a gateway';
    throw new InnsigliError('config.invalid', message);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new InnsigliError('config.invalid', 'text messages: expected a URL without credentials', {
      hint: 'put the token in a file',
    });
  }
  const isHere = isLoopbackHost(parsed.hostname);
  if (parsed.protocol === 'http:' && tokenFile !== undefined && !isHere) {
    const message = 'text messages: expected https: for a token, found http:';
    throw new InnsigliError('config.invalid', message);
  }
  return parsed;
}
