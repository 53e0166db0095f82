import { createHmac } from 'node:crypto';
import {
  type EidAssurance,
  type EidEnvironment,
  EidError,
  type EidRequest,
  type EidState,
} from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { meetsAssurance } from '../session.ts';
import { type Members, textOf } from './answers.ts';
import type { BankidOptions } from './options.ts';
import { findPersonalNumber } from './personal-number.ts';
import { digestText, hiddenText, noncePattern, shownText } from './signed-content.ts';

/** The order requested from the person, as stored in the state of the session. */
interface AskedOrder {
  readonly purpose: 'auth' | 'sign';
  readonly text: string;
  readonly nonce: string;
  readonly digest?: string;
  readonly personalNumber?: string;
}

/** State of a session. It contains the secret of the QR code. */
export interface OrderState extends AskedOrder, ShownOrder {
  readonly orderRef: string;
}

/** Values from which the QR code and link of an order are created. */
export interface ShownOrder extends StartTokens {
  /** Time of the response to the order, in epoch milliseconds. */
  readonly startedAtMs: number;
}

/** Maximum length of a text in base64 characters. */
const TEXT_MAX = { auth: 1_500, sign: 40_000 };

/**
 * Converts a request to the terms of the protocol.
 *
 * @throws EidError `internalError` if the request is not possible, `notAUser` if the number is
 *   malformed, `assuranceTooLow`
 */
export function requestedOrder(
  request: EidRequest,
  assurance: EidAssurance,
  { now, random }: Pick<EidEnvironment, 'now' | 'random'>,
): AskedOrder {
  const { purpose, order, loginHint, minAssurance } = request;
  if (purpose === 'certificate') throw fault('BankID has no certificates for signatures');
  if (!meetsAssurance(assurance, minAssurance)) {
    throw new EidError('assuranceTooLow', 'BankID does not offer the requested assurance level');
  }
  const isSign = purpose === 'sign';
  if (isSign && order?.digest.length !== 32) throw fault('expected a SHA-256 digest to sign');
  const shown = shownText(request.text);
  const text = shown === '' && isSign ? shownText(order?.label ?? '') : shown;
  if (text === '' && isSign) throw fault('expected a text to show for a signature');
  if (base64Of(text).length > TEXT_MAX[purpose]) {
    throw fault(`the text is longer than ${(TEXT_MAX[purpose] * 3) / 4} bytes`);
  }
  const number = loginHint.trim() === '' ? undefined : findPersonalNumber(loginHint, now());
  if (number === undefined && loginHint.trim() !== '') {
    throw new EidError('notAUser', 'the number is not a Swedish personal number');
  }
  return {
    purpose,
    text,
    nonce: Buffer.from(random(32)).toString('base64url'),
    ...defined({
      digest: isSign && order !== undefined ? digestText(order.digest) : undefined,
      personalNumber: number?.digits,
    }),
  };
}

/**
 * The body of `auth` and `sign`.
 *
 * @throws EidError `internalError` if the user's IP address is missing
 */
export function orderBody(
  asked: AskedOrder,
  { endUserIp, returnUrl }: EidRequest,
  { certificatePolicies, requiresPin, requiresDocument }: BankidOptions,
): Members {
  if (endUserIp === undefined || endUserIp === '') {
    throw fault('BankID needs the IP address of the user');
  }
  const { text, nonce, personalNumber } = asked;
  const requirement = defined({
    personalNumber,
    certificatePolicies,
    pinCode: requiresPin === true ? true : undefined,
    mrtd: requiresDocument === true ? true : undefined,
  });
  return defined({
    endUserIp,
    requirement: Object.keys(requirement).length === 0 ? undefined : requirement,
    userVisibleData: text === '' ? undefined : base64Of(text),
    userNonVisibleData: base64Of(hiddenText(asked, nonce)),
    returnUrl,
  });
}

/** Tokens and references are UUIDs; longer ones are accepted: their form is up to the provider. */
const token = /^[\w-]{8,100}$/;

/**
 * The state of a session that the provider has started.
 *
 * @throws EidError `invalidResponse` if a token is missing or malformed
 */
export function startedOrder(asked: AskedOrder, answer: Members, startedAtMs: number): OrderState {
  const one = (name: string): string => {
    const value = textOf(answer, name);
    if (value !== undefined && token.test(value)) return value;
    throw new EidError('invalidResponse', `BankID started an order without a valid ${name}`);
  };
  return {
    ...asked,
    startedAtMs,
    orderRef: one('orderRef'),
    autoStartToken: one('autoStartToken'),
    qrStartToken: one('qrStartToken'),
    qrStartSecret: one('qrStartSecret'),
  };
}

/**
 * Reads the session from a state.
 *
 * @throws EidError `internalError` if the state is not one of this driver
 */
export function readState(state: EidState): OrderState {
  const one = (name: string, pattern: RegExp) => member(state, name, pattern);
  const optional = (name: string, pattern: RegExp) =>
    state[name] === undefined ? undefined : one(name, pattern);
  return {
    ...readShown(state),
    purpose: one('purpose', /^(auth|sign)$/) as 'auth' | 'sign',
    text: one('text', /^/),
    nonce: one('nonce', noncePattern),
    orderRef: one('orderRef', token),
    ...defined({
      digest: optional('digest', /^[0-9a-f]{64}$/),
      personalNumber: optional('personalNumber', /^\d{12}$/),
    }),
  };
}

/** Like {@link readState}, limited to what the QR code needs. @throws EidError `internalError` */
export function readShown(state: EidState): ShownOrder {
  const { startedAtMs } = state;
  if (typeof startedAtMs !== 'number') throw fault('the state has no time');
  return {
    startedAtMs,
    autoStartToken: member(state, 'autoStartToken', token),
    qrStartToken: member(state, 'qrStartToken', token),
    qrStartSecret: member(state, 'qrStartSecret', token),
  };
}

function member(state: EidState, name: string, pattern: RegExp): string {
  const value = state[name];
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw fault('the state does not belong to a BankID session');
}

function base64Of(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function fault(message: string): EidError {
  return new EidError('internalError', message);
}

interface StartTokens {
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  /** Never sent to a client. */
  readonly qrStartSecret: string;
}

/**
 * Text of the QR code for the current second. The key of the HMAC is the secret as text, including
 * hyphens.
 *
 * @param elapsedMs time since the response to the order; the code of any other second is rejected
 */
export function qrText({ qrStartToken, qrStartSecret }: StartTokens, elapsedMs: number): string {
  const seconds = String(Math.max(0, Math.floor(elapsedMs / 1000)));
  const code = createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
  return `bankid.${qrStartToken}.${seconds}.${code}`;
}

/**
 * Link that opens the app on the same device. The return URL is part of the order, so the link has
 * `null` in its place. The order of the parameters is part of the protocol.
 */
export function sameDeviceLink({ autoStartToken }: StartTokens): string {
  return `https://app.bankid.com/?autostarttoken=${autoStartToken}&redirect=null`;
}
