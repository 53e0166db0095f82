import { defined } from '../../../base/defined.ts';
import { onCode } from '../../../base/errors.ts';
import { isTurnOf, type ProcessStatus } from '../../../domain/process/index.ts';
import {
  documentScreen,
  type Frame,
  messageScreen,
  type PageWords,
  type Part,
  signScreen,
  testNote,
} from '../../pages/index.ts';
import { circumstancesOf, isAttachmentOf } from '../../shapes/index.ts';
import { permitted } from '../signing/signing.ts';
import { keep, type Pending, setCookie } from './cookies.ts';
import { isTooSoon, knownNumbers, numbersOf, waitingPart, wordOf } from './eid-prompt.ts';
import { type DocumentPlace, nextDocument, refOf } from './place.ts';
import { gatePage, hasAccess, pageOf, requestPart, titleOf, type Visit } from './visit.ts';

/** Polling interval in seconds of a page that is waiting. */
const WAIT_SECONDS = 10;

/** Renders the page of a visit from the current state of the documents. */
export async function showPage(opened: Visit, alert?: Frame['alert']): Promise<string> {
  const said = alert ?? failureOf(opened);
  const visit = withoutSaid(opened);
  const { pending } = visit.cookies;
  if (pending !== undefined && isOfPlace(visit, pending)) {
    if (pending.kind === 'login') return pollLogin(visit, pending);
    if (pending.kind === 'sign') return pollSigning(visit, pending);
  }
  if (!(await hasAccess(visit))) return gatePage(visit, said);
  await noteOpened(visit);
  return documentPage(visit, said);
}

function isOver({ kind }: Pending): boolean {
  return kind === 'signed' || kind === 'failed';
}

function failureOf(visit: Visit): Frame['alert'] {
  const { words } = visit;
  const { pending } = visit.cookies;
  if (pending === undefined) return undefined;
  const isFailed = pending.kind === 'failed' && isOfPlace(visit, pending);
  const word = isFailed ? pending.token : saidHere(visit, pending);
  if (word === undefined) return undefined;
  const known = Object.hasOwn(words, word);
  return { text: known ? words[word as keyof PageWords] : words.errorUnexpected };
}

function saidHere({ place }: Visit, { said: [word, key] = ['', ''] }: Pending): string | undefined {
  return place.documents.some(({ process }) => process.key === key) ? word : undefined;
}

/** Removes from the browser's cookies what is shown now. What belongs to a different link stays. */
function withoutSaid(visit: Visit): Visit {
  const { cookies } = visit;
  const { pending } = cookies;
  if (pending === undefined) return visit;
  if (isOver(pending)) {
    if (isOfPlace(visit, pending)) keep(visit, 'pending', undefined);
    return visit;
  }
  if (saidHere(visit, pending) === undefined) return visit;
  const { said: _, ...kept } = pending;
  keep(visit, 'pending', kept);
  return { ...visit, cookies: { ...cookies, pending: kept } };
}

/** Redirects to the page, which shows the reason once. */
function fail(visit: Visit, pending: Pending, why: keyof PageWords): string {
  keep(visit, 'pending', { ...keysOf(pending), kind: 'failed', token: why });
  return goToPage(visit);
}

/** Redirects to the page, which shows the reason once: reloading or going back repeats no act. */
export function refuse(visit: Visit, why: keyof PageWords): string {
  const { pending } = visit.cookies;
  const keys = refOf(nextDocument(visit.place));
  // A pending act continues, even at a different link: a code sent, an e-ID prompt started.
  const isOpen = pending !== undefined && !isOver(pending);
  const over = { ...keys, kind: 'failed', token: why } as const;
  const kept: Pending = isOpen ? { ...pending, said: [why, keys.processKey] } : over;
  keep(visit, 'pending', kept);
  return goToPage(visit);
}

function keysOf({ processKey, signeeKey }: Pending) {
  return { processKey, signeeKey };
}

function isOfPlace({ place }: Visit, { processKey, signeeKey }: Pending): boolean {
  return place.documents.some(
    ({ process, signee }) => process.key === processKey && signee.key === signeeKey,
  );
}

/** Records once that the link was opened; that does not count as viewing the document. */
async function noteOpened({ place, request }: Visit): Promise<void> {
  if (request.method === 'HEAD') return;
  const next = nextDocument(place);
  if (next.signee.openedAtMs !== undefined || next.process.status !== 'Active') return;
  const circumstances = circumstancesOf(request);
  await place.company.signing.openLink({ ...refOf(next), circumstances }).catch(onCode(/./));
}

/** Renders the next document, with the actions available. */
function documentPage(visit: Visit, alert?: Frame['alert']): string {
  const { words, place } = visit;
  const current = nextDocument(place);
  const { process, signee } = current;
  const more = {
    hasReader: process.document !== undefined,
    ...(alert === undefined ? {} : { alert }),
    ...eventOf(visit, current),
  };
  const closed = closedText(words, current);
  const isSigned = signee.state === 'Signed';
  const document = process.document === undefined ? [] : [documentPart(visit, current)];
  if (closed !== undefined) {
    const title = isSigned ? words.signedHeading : titleOf(visit);
    // Where the embedding page takes over, the frame is about to close and offers nothing.
    const endPart = visit.query.showEndScreen === 'false' ? [] : document;
    const isFinalizing = isSigned && process.phase === 'Finalizing';
    return pageOf(
      visit,
      title,
      [messageScreen(closed, isSigned), isSigned ? endPart : requestPart(visit, false)],
      { ...more, ...(isFinalizing ? { refreshSeconds: WAIT_SECONDS } : {}) },
    );
  }
  const wait = waitText(visit, current);
  if (wait !== undefined) {
    const body = [requestPart(visit), messageScreen(wait), document];
    return pageOf(visit, titleOf(visit), body, { ...more, refreshSeconds: WAIT_SECONDS });
  }
  const isTest = visit.ports.identity.isSimulated(undefined, signee);
  const isHeaderHidden = visit.query.hideSignDocumentHeaderText === 'true';
  return pageOf(
    visit,
    titleOf(visit),
    [
      !isHeaderHidden && requestPart(visit),
      isTest && testNote(words.simulated),
      document,
      signPart(visit, current),
    ],
    { ...more, hasPad: signee.signatureType !== 'Qualified' },
  );
}

function documentPart(visit: Visit, { process, signee }: DocumentPlace): Part {
  const { words, place, form } = visit;
  const viewer = { sees: 'own', key: signee.key } as const;
  return documentScreen(words, form, {
    fileName: process.fileName,
    // In other states no view is recorded, and only a recorded view has a text.
    hasText: signee.state === 'Signed' || process.status === 'Active',
    at: place.documents.findIndex((each) => each.process.key === process.key) + 1,
    count: place.documents.length,
    signedCount: process.signees.filter(({ state }) => state === 'Signed').length,
    total: process.signees.length,
    attachments: process.attachments
      .filter((each) => isAttachmentOf(viewer, each) && each.url === undefined)
      .map(({ key, fileName }) => ({ key, fileName })),
  });
}

function signPart(visit: Visit, { process, signee }: DocumentPlace): Part {
  const { words, form, cookies, sent } = visit;
  const { pending } = cookies;
  return signScreen(words, form, {
    type: signee.signatureType,
    phone: `…${(signee.phoneNumber ?? '').slice(-3)}`,
    isCodeSent: pending?.kind === 'code' && pending.signeeKey === signee.key,
    mayDecline: process.policy.mayDecline,
    eid: { known: knownNumbers(numbersOf(signee)), sent },
  });
}

/** Reason why no action is possible any more. Undefined while one is. */
function closedText(words: PageWords, { process, signee }: DocumentPlace): string | undefined {
  if (signee.state === 'Declined') return words.declined;
  if (process.signees.some(({ state }) => state === 'Declined')) return words.declinedByOther;
  if (process.status === 'Canceled') return words.canceled;
  if (signee.state === 'Signed') {
    if (process.status === 'Completed') return words.signedAll;
    return process.phase === 'Finalizing' ? words.finalizing : words.signedWaiting;
  }
  const said: Readonly<Record<ProcessStatus, string | undefined>> = {
    // The sequence has not reached this process yet: it is not its turn.
    InActive: undefined,
    Active: undefined,
    Completed: words.over,
    Expired: words.expired,
    Canceled: words.canceled,
    Blocked: words.blocked,
  };
  return said[process.status];
}

/** Reason why the signee has to wait. Undefined if it is their turn. */
function waitText({ words, place }: Visit, { process, signee }: DocumentPlace): string | undefined {
  const order = place.turn === undefined ? {} : { sequenceTurn: place.turn };
  const isTurn = process.phase === 'Open' && isTurnOf(process, signee, order);
  return isTurn ? undefined : words.waitTurn;
}

/** Published events of processes that the signee cannot sign; the other events are about acts. */
const eventTypes: Readonly<Record<ProcessStatus, string | undefined>> = {
  InActive: undefined,
  Active: undefined,
  Completed: undefined,
  Expired: 'process_expired',
  Canceled: 'process_canceled',
  Blocked: 'process_blocked',
};

/** The event for the embedding page, in the published terms. */
function eventOf(visit: Visit, at: DocumentPlace): Pick<Frame, 'event'> {
  const { cookies, origins, scope, place } = visit;
  if (!scope.isFramed || origins.length === 0) return {};
  const { pending } = cookies;
  const { process, signee } = at;
  const all = place.documents.every((each) => each.signee.state === 'Signed');
  // A declined process can no longer be signed, but was not canceled by the sender.
  const isDeclined = process.signees.some(({ state }) => state === 'Declined');
  const events: object[] = [];
  if (pending?.kind === 'signed' && isOfPlace(visit, pending)) {
    const { processKey, signeeKey } = pending;
    const done = place.documents.find((each) => each.process.key === processKey)?.process;
    const sha256 = done?.document?.sha256 ?? '';
    const digest = Buffer.from(sha256, 'hex').toString('base64');
    const signedDocument = { digest, fileName: done?.fileName ?? '' };
    events.push({ type: 'document_signed', processKey, signeeKey, signedDocument });
    // As published: the last event includes the document for qualified signatures only.
    const isQualified = signee.signatureType === 'Qualified';
    const last = isQualified ? { signedDocument } : {};
    if (all) events.push({ type: 'signing_completed', processKey, signeeKey, ...last });
  } else if (all) {
    events.push({ type: 'already_signed', ...refOf(at) });
  } else {
    const type = eventTypes[isDeclined ? 'Blocked' : process.status];
    if (type !== undefined) events.push({ type, ...refOf(at) });
  }
  return { event: { data: events, origins } };
}

async function pollLogin(visit: Visit, pending: Pending): Promise<string> {
  const { ports, place, request, reply, scope } = visit;
  const circumstances = circumstancesOf(request);
  const { token, processKey, signeeKey } = pending;
  try {
    const answer =
      place.person === undefined
        ? await ports.identity.pollSigneeLogin({ processKey, signeeKey, token, circumstances })
        : await ports.identity.pollSequenceLogin({
            ...{ scheme: pending.scheme ?? 'sim-app', ...place.person, token, circumstances },
          });
    if (answer.state === 'waiting') return waitingPage(visit, pending);
    if (answer.state === 'failed') return fail(visit, pending, 'errorEid');
    keep(visit, 'pending', undefined);
    setCookie(reply, scope, 'access', answer.accessToken);
    return goToPage(visit);
  } catch (error) {
    if (isTooSoon(error)) return waitingPage(visit, pending);
    return fail(visit, pending, wordOf(error));
  }
}

async function pollSigning(visit: Visit, pending: Pending): Promise<string> {
  const { app, ports } = visit;
  try {
    const { place } = await permitted(app, visit, keysOf(pending));
    const answer = await ports.identity.pollSigning(place, pending.token);
    if (answer.state === 'waiting') {
      const { verificationCode, qrData, redirectUrl } = answer;
      const changed = defined({ verificationCode, qrData, redirectUrl });
      return waitingPage(visit, { ...pending, ...changed });
    }
    if (answer.state === 'failed') return fail(visit, pending, 'errorEid');
    keep(visit, 'pending', { ...pending, kind: 'signed', token: '' });
    return goToPage(visit);
  } catch (error) {
    if (isTooSoon(error)) return waitingPage(visit, pending);
    return fail(visit, pending, wordOf(error));
  }
}

async function waitingPage(visit: Visit, pending: Pending): Promise<string> {
  const { words, ports } = visit;
  const { part, refreshSeconds } = await waitingPart(ports, visit, pending);
  const title = pending.kind === 'login' ? words.loginHeading : words.signHeading;
  return pageOf(visit, title, [part], { refreshSeconds, isLanguageOpen: false });
}

/** Redirects to the page itself, so that a reload does not repeat the act. */
export function goToPage({ reply, self }: Visit): string {
  reply.code(303).header('location', self);
  return '';
}
