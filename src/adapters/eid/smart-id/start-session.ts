import { type EidChallenge, EidError, type EidRequest } from '../../../app/ports/index.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { shortened } from '../../../base/text/index.ts';
import {
  base64Of,
  type ResponseObject,
  readObject,
  requireService,
  requireText,
  responseFault,
} from '../provider-answer.ts';
import { deviceLink, type SessionParties } from './device-link.ts';
import { startStatuses } from './end-results.table.ts';
import { type SmartIdClient, type SmartIdOptions, usual } from './options.ts';

/** State of a login. */
export interface SmartIdSession {
  readonly kind: 'smart-id-v3';
  readonly sessionId: string;
  readonly sessionToken: string;
  /** Base64; never sent to a client. */
  readonly sessionSecret: string;
  readonly deviceLinkBase: string;
  /** Base64. */
  readonly rpChallenge: string;
  /** Base64 of JSON, as sent. */
  readonly interactions: string;
  /** Empty for QR codes. */
  readonly initialCallbackUrl: string;
  readonly flow: 'QR' | 'Web2App';
  /** ISO 639-3. */
  readonly language: string;
  readonly startedAtMs: number;
  /** Value from the redirect back from the app. */
  readonly verifier?: string;
}

const CHALLENGE_BYTES = 64;
const what = 'the session response';

/**
 * Starts a login for whoever scans the code or, if the request has a return URL, opens the link on
 * the same device.
 *
 * @throws EidError with the meaning of the status if the service rejects the request
 */
export async function startSession(
  request: EidRequest,
  { options, environment }: SmartIdClient,
): Promise<SmartIdSession> {
  const rpChallenge = base64Of(environment.random(CHALLENGE_BYTES));
  const interactions = interactionsOf(request.text);
  const initialCallbackUrl = requireCallbackUrl(request.returnUrl);
  const { hashAlgorithm = usual.hashAlgorithm, timeoutMs = usual.timeoutMs } = options;
  const answer = await environment.http({
    method: 'POST',
    url: `${baseOf(options)}/authentication/device-link/anonymous`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      relyingPartyUUID: options.relyingPartyUuid,
      relyingPartyName: options.relyingPartyName,
      certificateLevel: options.certificateLevel ?? usual.certificateLevel,
      signatureProtocol: 'ACSP_V2',
      signatureProtocolParameters: {
        rpChallenge,
        signatureAlgorithm: 'rsassa-pss',
        signatureAlgorithmParameters: { hashAlgorithm },
      },
      interactions,
      ...(initialCallbackUrl === '' ? {} : { initialCallbackUrl }),
    }),
    timeoutMs,
  });
  requireService(answer);
  const { status } = answer;
  if (status !== 200) {
    const code = startStatuses[status] ?? 'invalidResponse';
    throw new EidError(code, `the service refused with status ${status}`, String(status));
  }
  return {
    kind: 'smart-id-v3',
    ...readSession(readObject(answer, what)),
    rpChallenge,
    interactions,
    initialCallbackUrl,
    flow: initialCallbackUrl === '' ? 'QR' : 'Web2App',
    language: languageOf(request.language, options),
    startedAtMs: environment.now(),
  };
}

/** The base URL of the service without a trailing slash. */
export function baseOf({ baseUrl }: SmartIdOptions): string {
  return baseUrl.replace(/\/+$/, '');
}

function readSession(body: ResponseObject) {
  const token = (member: string, pattern: RegExp) => {
    const text = requireText(body, member, what, 512);
    if (pattern.test(text)) return text;
    throw responseFault(`${what}: ${member} is malformed`);
  };
  return {
    sessionId: token('sessionID', /^[\w-]{8,128}$/),
    sessionToken: token('sessionToken', /^[\w-]{8,128}$/),
    sessionSecret: token('sessionSecret', /^[A-Za-z0-9+/]{22,128}={0,2}$/),
    deviceLinkBase: token('deviceLinkBase', /^https:\/\/[\w.-]+(:\d+)?(\/[\w./-]*)?$/),
  };
}

/** What the app shows: a page with the text or, if unsupported, the start of the text. */
function interactionsOf(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  const interactions = [
    { type: 'confirmationMessage', displayText200: shortened(line, 200) },
    { type: 'displayTextAndPIN', displayText60: shortened(line, 60) },
  ];
  return base64Of(Buffer.from(JSON.stringify(interactions), 'utf8'));
}

const MOST_CALLBACK_URL = 1_800;

function requireCallbackUrl(url: string | undefined): string {
  if (url === undefined) return '';
  const isUsable =
    /^https:\/\/[^|#\s]+$/.test(url) && url.length <= MOST_CALLBACK_URL && isUrl(url);
  if (isUsable) return url;
  throw new EidError('internalError', 'returnUrl: expected an https address without | and #');
}

function languageOf(language: string, { languages = usual.languages }: SmartIdOptions): string {
  const known = Object.hasOwn(languages, language) ? languages[language] : undefined;
  return known ?? 'eng';
}

/** The challenge at a given time: a QR code, or a link for the same device. */
export function challengeOf(
  session: SmartIdSession,
  options: SmartIdOptions,
  nowMs: number,
): EidChallenge {
  const { deviceLinkBase, flow: type, sessionToken, language, startedAtMs } = session;
  const elapsedSeconds = Math.max(0, Math.floor((nowMs - startedAtMs) / 1_000));
  const text = deviceLink(
    { deviceLinkBase, type, sessionToken, sessionType: 'auth', language, elapsedSeconds },
    {
      ...partiesOf(session, options),
      signatureProtocol: 'ACSP_V2',
      challenge: session.rpChallenge,
    },
    session.sessionSecret,
  );
  return type === 'QR' ? { qrData: text } : { sameDeviceLink: text };
}

/** The parties of a session as covered by codes and signatures. */
export function partiesOf(
  { interactions, initialCallbackUrl }: SmartIdSession,
  { schemeName, relyingPartyName, brokeredRpName = '' }: SmartIdOptions,
): SessionParties {
  return { schemeName, relyingPartyName, brokeredRpName, interactions, initialCallbackUrl };
}
