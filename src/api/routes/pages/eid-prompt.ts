import type { signingErrors } from '../../../app/signing/index.ts';
import { defined } from '../../../base/defined.ts';
import { attemptAny, type ErrorCode, errorKinds, isInnsigliError } from '../../../base/errors.ts';
import type { Signee, SigningCode } from '../../../domain/process/index.ts';
import {
  type EidNumber,
  type FormMaker,
  type PageWords,
  type Part,
  waitingScreen,
} from '../../pages/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { EidPrompt } from './cookies.ts';

/** Polling interval in seconds while a code is shown that changes every second. */
const CODE_SECONDS = 2;

interface KnownNumbers {
  readonly phoneNumber?: string | undefined;
  readonly ssn?: string | undefined;
}

/**
 * The channel and number of a person from a form. A number that is already known is not asked for
 * again, and is sent only to the e-ID provider.
 */
export function choice(form: URLSearchParams, { phoneNumber, ssn }: KnownNumbers = {}) {
  const isApp = form.get('channel') === 'App';
  const given = (form.get(isApp ? 'ssn' : 'phone') ?? '').trim().slice(0, 40);
  const known = (isApp ? ssn : phoneNumber) ?? '';
  return {
    channel: isApp ? ('App' as const) : ('Sim' as const),
    loginHint: given === '' ? known : given,
    includeVerificationCode: true,
  };
}

/** The numbers of a signee, as specified for the signee or else as a login returned them. */
export function numbersOf({ phoneNumber, ssn, login }: Signee): KnownNumbers {
  return { phoneNumber: phoneNumber ?? login?.phoneNumber, ssn: ssn ?? login?.ssn };
}

/** The names of a person's known numbers. */
export function knownNumbers({ phoneNumber, ssn }: KnownNumbers): ReadonlySet<EidNumber> {
  return new Set([
    ...(phoneNumber === undefined ? [] : (['phone'] as const)),
    ...(ssn === undefined ? [] : (['ssn'] as const)),
  ]);
}

interface Started {
  readonly token: string;
  readonly verificationCode?: string | undefined;
  readonly qrData?: string | undefined;
  readonly redirectUrl?: string | undefined;
  readonly sameDeviceLink?: string | undefined;
  readonly pollingIntervalSeconds: number;
}

/** The part of a started session that the browser stores. */
export function promptOf({ token, verificationCode, qrData, redirectUrl, ...rest }: Started) {
  const { sameDeviceLink, pollingIntervalSeconds: intervalSeconds } = rest;
  return {
    ...{ token, intervalSeconds },
    ...(verificationCode ? { verificationCode } : {}),
    ...defined({ qrData, redirectUrl, sameDeviceLink }),
  };
}

/** The screen shown while an e-ID is pending, and its polling interval. */
export async function waitingPart(
  { identity }: Pick<ApiPorts, 'identity'>,
  { words, form }: { readonly words: PageWords; readonly form: FormMaker },
  prompt: EidPrompt,
): Promise<{ readonly part: Part; readonly refreshSeconds: number }> {
  const { verificationCode, redirectUrl, sameDeviceLink, intervalSeconds = 2 } = prompt;
  const { secondsLeft, qrData = prompt.qrData } = (await identity.shownCode(prompt.token)) ?? {};
  // Only if the session started with a code: otherwise, the person uses their phone.
  const text = prompt.qrData === undefined ? undefined : qrData;
  const qr = text === undefined ? undefined : await qrImage(text);
  const facts = defined({ verificationCode, qr, redirectUrl, sameDeviceLink, secondsLeft });
  return {
    part: waitingScreen(words, form, facts),
    refreshSeconds: qr === undefined ? Math.max(2, intervalSeconds) : CODE_SECONDS,
  };
}

async function qrImage(text: string): Promise<string | undefined> {
  const { renderSVG } = await import('uqr');
  const svg = attemptAny(() => renderSVG(text, { ecc: 'L', border: 4, pixelSize: 8 }));
  return svg && `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** True for a poll before the interval has passed: it reveals nothing about the session. */
export function isTooSoon(error: unknown): boolean {
  return isInnsigliError(error) && error.code === 'authentication.poll.too_frequent';
}

/** Statuses of pages that report an error; 401 would make browsers ask for credentials. */
const statuses: Readonly<Record<number, number>> = { 400: 422, 401: 403, 403: 403, 404: 404 };

/** Status of the page that reports the error. */
export function statusOf({ code }: { readonly code: ErrorCode }): number {
  return statuses[errorKinds[code].httpStatus] ?? 409;
}

const ofRules: Readonly<Record<SigningCode, keyof PageWords>> = {
  '2002': 'busy',
  'signing.forbidden.order': 'waitTurn',
  'signing.forbidden.expired': 'expired',
  'signing.forbidden.canceled': 'canceled',
  'signing.forbidden.blocked': 'blocked',
  'signing.forbidden.inactive': 'errorUnexpected',
  'signing.forbidden.signee.signed': 'errorUnexpected',
  'signing.forbidden.verification.missing': 'errorUnexpected',
};

/** Codes specific to one signing method or to its signee. */
type CodeOfOneWay = Exclude<
  (typeof signingErrors)[keyof typeof signingErrors][number],
  SigningCode
>;

const ofOneWay: Readonly<Record<CodeOfOneWay, keyof PageWords>> = {
  '1120': 'errorCode',
  '1121': 'errorCodeMax',
  '1122': 'errorCodeMax',
  'authentication.error.signee.logon.mismatch': 'errorPerson',
  'authentication.error.signee.unprovable': 'errorPerson',
  'authentication.error.idp.start': 'errorNumber',
  'eid.provider.error': 'errorEid',
  'authentication.start.too_frequent': 'errorThrottled',
  'authentication.poll.too_frequent': 'errorThrottled',
  'process.state.refused': 'errorThrottled',
  'process.conflict': 'errorChanged',
  'message.channel.none': 'errorUnexpected',
  'signing.forbidden.type': 'errorUnexpected',
  'process.not_found': 'errorUnexpected',
  'error.signee.not_found': 'errorUnexpected',
};

const texts: Readonly<Partial<Record<ErrorCode, keyof PageWords>>> = {
  ...ofRules,
  ...ofOneWay,
  'process.passcode.not_valid': 'errorPasscode',
  'authentication.error.forbidden': 'errorEid',
  'authentication.token.invalid': 'errorEid',
  'service.busy': 'errorThrottled',
  'validation.error': 'errorNumber',
};

/** Name of the text that reports the error. */
export function wordOf(error: unknown): keyof PageWords {
  // A fault of the host does not concern the act: it is handled as everywhere.
  if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
  const known = texts[error.code];
  if (known !== undefined) return known;
  return error.code.startsWith('request.') ? 'errorThrottled' : 'errorUnexpected';
}
