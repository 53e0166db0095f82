import { defined } from '../../../base/defined.ts';
import { isInnsigliError, onCode } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { lastShown } from '../../../domain/process/index.ts';
import type { PageWords } from '../../pages/index.ts';
import { circumstancesOf, dispositionOf, isAttachmentOf } from '../../shapes/index.ts';
import { permitted } from '../signing/signing.ts';
import { whereOpen } from '../signing/view-access.ts';
import { isOwnForm, keep, type Pending, setCookie } from './cookies.ts';
import { withDrawing } from './drawn.ts';
import { choice, numbersOf, promptOf, statusOf, wordOf } from './eid-prompt.ts';
import { type DocumentPlace, findPlace, nextDocument, refOf } from './place.ts';
import { presentText, textAddress, textFault } from './reading/index.ts';
import { goToPage, refuse, showPage } from './show-page.ts';
import { gatePage, hasAccess, type Visit } from './visit.ts';

/** Response to an act: a page, or a reply that was already sent. */
type ActAnswer = Promise<string | object>;

/** Performs what a form asks for. A form without the token of this browser does nothing. */
export async function act(opened: Visit, form: URLSearchParams): ActAnswer {
  const visit = { ...opened, sent: form };
  const { reply, words } = visit;
  if (!isOwnForm(visit, form)) {
    reply.code(403);
    return showPage(visit, { text: words.errorForm });
  }
  const name = form.get('act') ?? '';
  try {
    if (name === 'cancel') return await cancel(visit);
    if (name === 'passcode') return await passcode(visit, form);
    if (name === 'login') return await login(visit, form);
    if (!(await hasAccess(visit))) {
      reply.code(403);
      return gatePage(visit);
    }
    const run = Object.hasOwn(acts, name) ? acts[name] : undefined;
    const current = documentOf(visit, form);
    if (run === undefined || current === undefined) return goToPage(visit);
    return await run(visit, current, form);
  } catch (error) {
    if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
    return refuseAct(visit, form, [wordOf(error), statusOf(error)], async (alert) =>
      showPage(await again(visit), alert),
    );
  }
}

/**
 * Rejects an act with a text and a status. Usually the page shows the text once, after a redirect.
 * The page of `show` is the response itself where a script requests a document, and where a number
 * was typed, which is shown again and not stored.
 */
async function refuseAct(
  visit: Visit,
  form: URLSearchParams,
  [word, status]: readonly [keyof PageWords, number],
  show: (alert: { readonly text: string }) => Promise<string>,
): ActAnswer {
  const isDocument = /^(?:read|download|attachment)$/.test(form.get('act') ?? '');
  const isNumberTyped = ['phone', 'ssn'].some((name) => (form.get(name) ?? '').trim() !== '');
  if (!isDocument && !isNumberTyped) return refuse(visit, word);
  visit.reply.code(status);
  return show({ text: visit.words[word] });
}

/** Reloads the documents of the visit. */
async function again(visit: Visit): Promise<Visit> {
  const { place, ports } = visit;
  const { processKey, signeeKey } = refOf(nextDocument(place));
  const { sequenceKey = processKey, personKey = signeeKey } = place.person ?? {};
  return { ...visit, place: await findPlace(ports, sequenceKey, personKey) };
}

function documentOf({ place }: Visit, form: URLSearchParams): DocumentPlace | undefined {
  const key = form.get('document');
  return place.documents.find(({ process }) => process.key === key);
}

const acts: Readonly<
  Record<string, (visit: Visit, at: DocumentPlace, form: URLSearchParams) => ActAnswer>
> = {
  read: (visit, at, form) =>
    form.get('ranges') === 'yes' ? sendRead(visit, at) : sendDocument(visit, at, 'inline'),
  text: openText,
  download: (visit, at) => sendDocument(visit, at, 'attachment'),
  attachment: sendAttachment,
  sign: async (visit, at, form) => {
    if (!agrees(form)) return notAgreed(visit, form);
    return withDrawing(visit, form, async (drawing) => {
      await visit.ports.identity.signByClick(await placeOf(visit, at), drawing);
      return signed(visit, at);
    });
  },
  code: async (visit, at) => {
    const { token } = await visit.ports.identity.sendCode(await placeOf(visit, at));
    return wait(visit, at, { kind: 'code', token });
  },
  confirm: async (visit, at, form) => {
    const { pending } = visit.cookies;
    if (pending?.kind !== 'code') return goToPage(visit);
    if (!agrees(form)) return notAgreed(visit, form);
    const code = (form.get('code') ?? '').replace(/\s/g, '').slice(0, 20);
    return withDrawing(visit, form, async (drawing) => {
      const own = await placeOf(visit, at);
      await visit.ports.identity.signByCode(own, pending.token, code, drawing);
      return signed(visit, at);
    });
  },
  start: async (visit, at, form) => {
    if (!agrees(form)) return notAgreed(visit, form);
    const started = await visit.ports.identity.startQualified(
      await placeOf(visit, at),
      choice(form, numbersOf(at.signee)),
    );
    return wait(visit, at, { kind: 'sign', ...promptOf(started) });
  },
  foreign: async (visit, at, form) => {
    if (!agrees(form)) return notAgreed(visit, form);
    const scheme = form.get('scheme') === 'eid-dk' ? 'eid-dk' : 'eid-se';
    const started = await visit.ports.identity.startForeign(await placeOf(visit, at), scheme, {});
    return wait(visit, at, { kind: 'sign', ...promptOf(started) });
  },
  decline: async (visit, at, form) => {
    const reason = (form.get('reason') ?? '').trim().slice(0, 500);
    if (reason === '') return refuse(visit, 'errorReason');
    const { place } = await permitted(visit.app, visit, refOf(at));
    const { processKey, signeeKey, circumstances } = place;
    await visit.place.company.signing.decline({ processKey, signeeKey, circumstances }, reason);
    return goToPage(visit);
  },
};

function agrees(form: URLSearchParams): boolean {
  return form.get('agree') === 'yes';
}

async function notAgreed(visit: Visit, form: URLSearchParams): ActAnswer {
  return refuseAct(visit, form, ['errorAgree', 422], (alert) => showPage(visit, alert));
}

/** The document and signee of a signature, with the digest last shown: nothing else is signed. */
async function placeOf(visit: Visit, at: DocumentPlace) {
  const { place } = await permitted(visit.app, visit, refOf(at));
  return { ...place, ...defined({ shownSha256: lastShown(at.signee) }) };
}

/** The provider of a login, unless SIM or app. */
function methodOf(form: URLSearchParams): Pending['scheme'] {
  const name = form.get('channel');
  return name === 'device-link' || name === 'eid-se' ? name : undefined;
}

function wait(
  visit: Visit,
  at: DocumentPlace,
  pending: Omit<Pending, 'processKey' | 'signeeKey'>,
): string {
  keep(visit, 'pending', { ...pending, ...refOf(at) });
  return goToPage(visit);
}

function signed(visit: Visit, at: DocumentPlace): string {
  return wait(visit, at, { kind: 'signed', token: '' });
}

async function cancel(visit: Visit): Promise<string> {
  const { pending } = visit.cookies;
  keep(visit, 'pending', undefined);
  if (pending?.kind === 'login') {
    await visit.ports.identity.cancelLogin(pending.token).catch(onCode(/./));
  }
  return goToPage(visit);
}

async function passcode(visit: Visit, form: URLSearchParams): Promise<string> {
  const { ports, place, request, reply, scope } = visit;
  if (place.passcode === undefined) return goToPage(visit);
  try {
    const { token } = await ports.identity.checkPasscode({
      ...{ ...place.passcode, ip: request.ip },
      passcode: form.get('passcode') ?? '',
    });
    setCookie(reply, scope, 'access', token);
    return goToPage(visit);
  } catch (error) {
    return refuse(visit, wordOf(error));
  }
}

async function login(visit: Visit, form: URLSearchParams): ActAnswer {
  const { ports, place, request } = visit;
  const current = nextDocument(place);
  const method = methodOf(form);
  const { loginHint, ...channel } = choice(form, current.signee);
  const common = { ...channel, circumstances: circumstancesOf(request) };
  const hint = method === undefined ? { loginHint } : { method };
  try {
    const started =
      place.person === undefined
        ? await ports.identity.startSigneeLogin({
            ...{ ...refOf(current), ...common, ...hint },
          })
        : await ports.identity.startSequenceLogin({
            ...{ scheme: method ?? 'sim-app', ...place.person, ...common },
            loginHint: hint.loginHint ?? '',
          });
    const prompt = { ...promptOf(started), ...defined({ scheme: method }) };
    return wait(visit, current, { kind: 'login', ...prompt });
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return refuseAct(visit, form, [wordOf(error), statusOf(error)], (alert) =>
      gatePage(visit, alert),
    );
  }
}

/** Sends the bytes that the signee signs, and records that they were shown. */
async function sendDocument(
  visit: Visit,
  at: DocumentPlace,
  how: 'inline' | 'attachment',
): Promise<object> {
  const { app, request, reply, place } = visit;
  const { process } = at;
  const facts = {
    companyKey: process.companyKey,
    lengthBytes: process.document?.lengthBytes ?? 0,
  };
  const download = await app.openDownload(request, reply, facts, async () => {
    const shown = await recordView(visit, at);
    return shown?.content ?? place.company.processes.openDocument(process);
  });
  const name = process.fileName.replace(/(\.pdf)?$/i, '.pdf');
  reply.type('application/pdf').header('content-disposition', dispositionOf(how, name));
  return download.send();
}

async function recordView({ request, place }: Visit, at: DocumentPlace) {
  if (at.signee.state === 'Signed' || at.process.status !== 'Active') return undefined;
  const circumstances = circumstancesOf(request);
  return whereOpen(() => place.company.signing.openView({ ...refOf(at), circumstances }));
}

/**
 * Same for a script that can read a long document in ranges: sends its address and the recorded
 * digest. A short document is sent directly.
 */
async function sendRead(visit: Visit, at: DocumentPlace): Promise<object> {
  const { document, key } = at.process;
  if (document === undefined || document.lengthBytes <= limits.readerWholeBytes) {
    return sendDocument(visit, at, 'inline');
  }
  const shown = await recordView(visit, at);
  // After the signature, views are not recorded. Otherwise, no record means it may not be shown.
  if (shown === undefined && at.signee.state !== 'Signed') return sendDocument(visit, at, 'inline');
  const [path, query = ''] = visit.self.split('?', 2);
  const address = `${path}/documents/${encodeURIComponent(key)}${query && `?${query}`}`;
  const etag = `"${shown?.sha256 ?? document.sha256}"`;
  visit.reply.removeHeader('content-type');
  return visit.reply.code(204).headers({ 'content-location': address, etag }).send();
}

/** Redirects to the text of the document. If it cannot be shown as text, no view is recorded. */
async function openText(visit: Visit, at: DocumentPlace): Promise<string> {
  const fault = textFault(await presentText(visit, at));
  if (fault !== undefined) return refuse(visit, fault);
  await recordView(visit, at);
  return goToPage({ ...visit, self: textAddress(visit, at.process.key) });
}

async function sendAttachment(
  visit: Visit,
  { process, signee }: DocumentPlace,
  form: URLSearchParams,
): Promise<string | object> {
  const { app, request, reply, place } = visit;
  const viewer = { sees: 'own', key: signee.key } as const;
  const key = form.get('key');
  const found = process.attachments.find(
    (each) => each.key === key && isAttachmentOf(viewer, each),
  );
  if (found === undefined) return goToPage(visit);
  const { companyKey } = process;
  const facts = { companyKey, lengthBytes: found.document.lengthBytes };
  const download = await app.openDownload(request, reply, facts, () =>
    place.company.processes.openAttachment(process.key, found.key),
  );
  reply.type('application/octet-stream');
  reply.header('content-disposition', dispositionOf('attachment', found.fileName));
  return download.send();
}
