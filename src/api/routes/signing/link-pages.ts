import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { chooseLanguage } from '../../../domain/message/index.ts';
import type { Signee, SigningProcess } from '../../../domain/process/index.ts';
import {
  type LinkFacts,
  type LinkState,
  linkPage,
  pageHeaders,
  stopPage,
  stoppedPage,
  unknownPage,
} from '../../pages/index.ts';
import { isUnclean } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { registerEidReturn } from './eid-return.ts';

const key = (what: string) => Type.String({ minLength: 1, maxLength: 100, description: what });
const params = Type.Object({
  Key: key('A process or a sequence.'),
  PersonKey: key('Its signee.'),
});
const answers = {
  200: { description: 'A page.', types: ['text/html'] },
  404: { description: 'A page for an unknown link.', types: ['text/html'] },
};
const page = { base: 'root', access: 'open', tag: 'Pages of links', params, answers } as const;
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The owner of a link, and its documents. */
interface LinkPlace {
  readonly company: CompanyService;
  readonly places: readonly { readonly process: SigningProcess; readonly signee: Signee }[];
  readonly isClosedOff: boolean;
  /** Ends planned reminders. */
  unsubscribe(): Promise<void>;
}

/**
 * Adds the pages behind the links of mails: the request for a signature, and the end of reminders.
 */
export function registerLinkPages(app: ApiApp, ports: ApiPorts): void {
  registerEidReturn(app, ports);
  addRoute(app, {
    method: 'GET',
    path: '/s/{Key}/{PersonKey}',
    ...page,
    summary: 'Information page of a link',
    description: 'Shows document names only if neither a login nor a passcode is needed.',
    handle: ({ params: { Key, PersonKey }, reply }) =>
      sendPage(reply, async () => linkPage(factsOf(await findPlace(ports, Key, PersonKey)))),
  });
  addRoute(app, {
    method: 'GET',
    path: '/s/{Key}/{PersonKey}/unsubscribe',
    ...page,
    summary: 'Page to unsubscribe from reminders',
    handle: ({ params: { Key, PersonKey }, reply }) =>
      sendPage(reply, async () => stopPage(languageOf(await findPlace(ports, Key, PersonKey)))),
  });
  addRoute(app, {
    method: 'POST',
    path: '/s/{Key}/{PersonKey}/unsubscribe',
    ...page,
    summary: 'End the planned reminders by mail',
    description:
      'Body of the form of the page, and of the button of a mail program (RFC 8058): ' +
      '`List-Unsubscribe=One-Click`. Any other body returns the page again.',
    rawTypes: formTypes,
    bodyBytesMax: 4096,
    handle: ({ params: { Key, PersonKey }, body, reply }) =>
      sendPage(reply, async () => {
        const place = await findPlace(ports, Key, PersonKey);
        if (!asksToStop(body)) return stopPage(languageOf(place));
        await place.unsubscribe();
        return stoppedPage(languageOf(place));
      }),
  });
}

const urlEncodedForm = /(^|&)List-Unsubscribe=One-Click\s*($|&)/i;
const multipartForm = /name="?List-Unsubscribe"?\s*\r?\n\r?\n\s*One-Click\s/i;

/** True for the form of the page and of mail programs. @spec RFC 8058 §3.2 */
function asksToStop(body: unknown): boolean {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : '';
  return urlEncodedForm.test(text) || multipartForm.test(text);
}

async function sendPage(reply: FastifyReply, make: () => Promise<string>): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').headers(pageHeaders);
  try {
    return reply.send(await make());
  } catch (error) {
    const codes = ['process.not_found', 'error.signee.not_found'];
    if (!isInnsigliError(error) || !codes.includes(error.code)) throw error;
    return reply.code(404).send(unknownPage());
  }
}

async function findPlace(ports: ApiPorts, key: string, personKey: string): Promise<LinkPlace> {
  if (isUnclean(key) || isUnclean(personKey)) {
    throw new InnsigliError('process.not_found', 'the address has a control character');
  }
  return key.startsWith('pg')
    ? placeInSequence(ports, key, personKey)
    : placeInProcess(ports, key, personKey);
}

async function placeInProcess(
  ports: ApiPorts,
  processKey: string,
  signeeKey: string,
): Promise<LinkPlace> {
  const company = await ports.companyOfProcess(processKey);
  const process = await company.processes.show({ key: processKey });
  const places = placesIn(process, signeeKey);
  return {
    company,
    places,
    isClosedOff: process.requiresAuth || (await ports.identity.asksPasscode(process, signeeKey)),
    unsubscribe: () => company.reminders.unsubscribe({ processKey, signeeKey }),
  };
}

async function placeInSequence(
  ports: ApiPorts,
  sequenceKey: string,
  personKey: string,
): Promise<LinkPlace> {
  const company = await ports.companyOfSequence(sequenceKey);
  const { sequence, processes } = await company.processes.showSequence({ key: sequenceKey });
  const person = sequence.persons.find((each) => each.key === personKey);
  const places = processes.flatMap((process) => {
    const own = person?.signingKeys.find(({ processKey }) => processKey === process.key);
    return own === undefined ? [] : placesIn(process, own.signeeKey);
  });
  return {
    company,
    places,
    isClosedOff:
      sequence.requiresAuth ||
      person?.passcodeHash !== undefined ||
      processes.some(({ requiresAuth }) => requiresAuth),
    unsubscribe: () => company.reminders.unsubscribe({ sequenceKey, personKey }),
  };
}

function placesIn(process: SigningProcess, signeeKey: string): LinkPlace['places'] {
  const signee = process.signees.find(({ key: own }) => own === signeeKey);
  return signee === undefined ? [] : [{ process, signee }];
}

function factsOf(place: LinkPlace): LinkFacts {
  const { company, places, isClosedOff } = place;
  const [first] = requireSome(places);
  const { user, policy } = first.process;
  return {
    language: languageOf(place),
    company: company.company.name,
    ...defined({ contact: user }),
    state: stateOf(places),
    count: places.length,
    expiresAtMs: Math.min(...places.map(({ process }) => process.expiresAtMs)),
    ...defined({ timeZone: policy.timeZone }),
    ...(isClosedOff
      ? {}
      : { fileNames: places.map(({ process }) => process.fileName).filter(Boolean) }),
  };
}

function stateOf(places: LinkPlace['places']): LinkState {
  if (places.every(({ signee }) => signee.state === 'Signed')) return 'signed';
  if (places.some(({ signee }) => signee.state === 'Declined')) return 'declined';
  const isOpen = ({ process }: LinkPlace['places'][number]) =>
    process.status === 'Active' || process.status === 'InActive';
  return places.some(isOpen) ? 'waiting' : 'over';
}

function languageOf({ places }: LinkPlace) {
  const [first] = requireSome(places);
  return chooseLanguage(first.signee.language, first.process.policy.language);
}

function requireSome(places: LinkPlace['places']): readonly [LinkPlace['places'][number]] {
  const [first] = places;
  if (first !== undefined) return [first];
  throw new InnsigliError('error.signee.not_found', 'there is no such signee');
}
