import { createHmac } from 'node:crypto';
import {
  type EidAssurance,
  type EidEnvironment,
  EidError,
  type EidRequest,
  type EidState,
} from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { reaches } from '../session.ts';
import { type Members, textOf } from './answers.ts';
import type { BankidOptions } from './options.ts';
import { findPersonalNumber } from './personal-number.ts';
import { digestText, hiddenText, noncePattern, shownText } from './signed-content.ts';

/** What was asked of a person, as the state of the session keeps it. */
interface AskedOrder {
  readonly purpose: 'auth' | 'sign';
  readonly text: string;
  readonly nonce: string;
  readonly digest?: string;
  readonly personalNumber?: string;
}

/** A session. It holds the secret of the QR code. */
export interface OrderState extends AskedOrder, ShownOrder {
  readonly orderRef: string;
}

/** What the codes of an order are made of. */
export interface ShownOrder extends StartTokens {
  /** Epoch milliseconds at which the order was answered. */
  readonly startedAtMs: number;
}

/** Characters of base64 that the provider takes of a text. */
const TEXT_MAX = { auth: 1_500, sign: 40_000 };

/**
 * What a request asks of a person, in the terms of the protocol.
 *
 * @throws EidError `internalError` when it cannot be asked, `notAUser` when the number is none,
 *   `assuranceTooLow`
 */
export function askedOrder(
  request: EidRequest,
  assurance: EidAssurance,
  { now, random }: Pick<EidEnvironment, 'now' | 'random'>,
): AskedOrder {
  const { purpose, order, loginHint, minAssurance } = request;
  if (purpose === 'certificate') throw fault('BankID has no certificates for signatures');
  if (!reaches(assurance, minAssurance)) {
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
 * @throws EidError `internalError` without the address of the user
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

/** Tokens and references are UUIDs; longer ones are taken too, for they are not ours to form. */
const token = /^[\w-]{8,100}$/;

/**
 * The state of the session that the provider has begun.
 *
 * @throws EidError `invalidResponse` when a token is missing or has another form
 */
export function begunOrder(asked: AskedOrder, answer: Members, startedAtMs: number): OrderState {
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
 * The session that a state holds.
 *
 * @throws EidError `internalError` when it is none of this driver
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

/** As {@link readState}, for the code of a second. @throws EidError `internalError` */
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

/** Tokens of an order that has begun. */
interface StartTokens {
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  /** Never leaves the service. */
  readonly qrStartSecret: string;
}

/**
 * Text of the QR code of this second. The key of the HMAC is the secret as it is written, hyphens
 * included.
 *
 * @param elapsedMs since the order was answered; a code of another second is not accepted
 */
export function qrText({ qrStartToken, qrStartSecret }: StartTokens, elapsedMs: number): string {
  const seconds = String(Math.max(0, Math.floor(elapsedMs / 1000)));
  const code = createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
  return `bankid.${qrStartToken}.${seconds}.${code}`;
}

/**
 * Link that opens the app on the same device. The address to come back to is a part of the order,
 * so that the link says `null`; the order of its parameters is a part of the protocol.
 */
export function sameDeviceLink({ autoStartToken }: StartTokens): string {
  return `https://app.bankid.com/?autostarttoken=${autoStartToken}&redirect=null`;
}
