import { defined } from '../../base/defined.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { Circumstances, SigningProcess } from '../../domain/process/index.ts';
import { plainText } from '../../domain/signing/index.ts';
import type { StoredContent } from '../ports/index.ts';
import { wholeContent } from '../service/index.ts';
import { confirmCode } from './confirm-code.ts';
import { declineDocument } from './decline-document.ts';
import type { SigneeRequest } from './find-signee.ts';
import type { EidChoice, StartedSession } from './login/eid-session.ts';
import { type AuthAnswer, pollAuth } from './login/poll-auth.ts';
import { pollQualified, type QualifiedAnswer } from './login/poll-qualified.ts';
import { startAuth } from './login/start-auth.ts';
import { startQualified } from './login/start-qualified.ts';
import type { SigningPorts } from './ports.ts';
import { signByClick } from './sign-by-click.ts';
import { challengePace } from './signee-prompt.ts';
import { type StartedCode, startCode } from './start-code.ts';
import { openLink, type ViewedDocument, viewDocument } from './view-document.ts';

/** A signee of a process, with what was observed of them; nothing for a local program. */
export interface SigneeRef {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly circumstances?: Circumstances;
}

/**
 * Everything that a signee can do. All of it may throw process.not_found,
 * error.signee.not_found, and the rule of signing.forbidden.* or 2002 that refuses it.
 */
export interface SigningService {
  /** The document as it is signed, byte for byte; each state of it is recorded once. */
  view(place: SigneeRef): Promise<ViewedDocument>;
  /** The same, to be read in pieces. */
  openView(place: SigneeRef): Promise<ViewedDocument<StoredContent>>;
  /** Records once that the link was opened; that is no look at the document. */
  openLink(place: SigneeRef): Promise<void>;
  /** Signs with a click (`ClickToSign`). */
  signByClick(place: SigneeRef): Promise<SigningProcess>;
  /** Sends a one-time code (`Simple`). */
  sendCode(place: SigneeRef): Promise<StartedCode>;
  /** Signs with the code. @throws 1120, 1121, 1122 */
  signByCode(place: SigneeRef, token: string, code: string): Promise<SigningProcess>;
  /** Starts a signature with an electronic identity (`Qualified`). */
  startQualified(place: SigneeRef, choice: EidChoice): Promise<StartedSession>;
  /** Asks how it stands; not before the polling interval has passed. */
  pollQualified(place: SigneeRef, token: string): Promise<QualifiedAnswer>;
  /** Refuses to sign: the end of the process, where the flow permits it. */
  decline(place: SigneeRef, reason: string): Promise<SigningProcess>;
  /** Starts a login with an electronic identity. */
  startAuth(place: SigneeRef, choice: EidChoice): Promise<StartedSession>;
  /** Asks how it stands; not before the polling interval has passed. */
  pollAuth(place: SigneeRef, token: string): Promise<AuthAnswer>;
}

/** What signees of the processes of one company can do; `companyKey` left out: of any. */
export function signingService(ports: SigningPorts, companyKey?: CompanyKey): SigningService {
  const request = (place: SigneeRef): SigneeRequest => ({
    processKey: asKey('process', place.processKey),
    signeeKey: asKey('signee', place.signeeKey),
    circumstances: observed(place.circumstances),
    ...defined({ companyKey }),
  });
  return {
    view: async (place) => {
      const { content, ...viewed } = await viewDocument(ports, request(place));
      return { ...viewed, content: await wholeContent(content) };
    },
    openView: async (place) => viewDocument(ports, request(place)),
    openLink: async (place) => openLink(ports, request(place)),
    signByClick: async (place) => signByClick(ports, request(place)),
    sendCode: async (place) => startCode(ports, request(place)),
    signByCode: async (place, token, code) =>
      confirmCode(ports, { ...request(place), token, code }),
    startQualified: async (place, choice) =>
      startQualified(ports, { ...request(place), ...choice }),
    pollQualified: async (place, token) => {
      await notePoll(ports, token);
      return pollQualified(ports, { ...request(place), token });
    },
    decline: async (place, reason) => declineDocument(ports, request(place), reason),
    startAuth: async (place, choice) => startAuth(ports, { ...request(place), ...choice }),
    pollAuth: async (place, token) => {
      await notePoll(ports, token);
      return pollAuth(ports, { ...request(place), token });
    },
  };
}

/** A login that is asked about is not given up for another one of its number. */
async function notePoll({ store, now }: SigningPorts, token: string): Promise<void> {
  await store.write((unit) => unit.polls.take(challengePace(token), now(), 0));
}

/** What a client says of itself, as one short line each: it is kept and shown as evidence. */
function observed({ ip, userAgent }: Circumstances = {}): Circumstances {
  return {
    ...(ip === undefined ? {} : { ip: plainText(ip.slice(0, 64)) }),
    ...(userAgent === undefined ? {} : { userAgent: plainText(userAgent.slice(0, 400)) }),
  };
}
