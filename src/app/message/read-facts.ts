import { defined } from '../../base/defined.ts';
import type { SequenceKey } from '../../domain/keys.ts';
import {
  chooseLanguage,
  chooseOwnText,
  type EmailTemplate,
  isForSignee,
  isMailAddress,
  type Message,
  type MessageFacts,
  type ReaderPlace,
} from '../../domain/message/index.ts';
import { broughtBy, type Signee, type SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import type { StoreUnit } from '../ports/index.ts';
import { type CompanyLogo, findLogo, nameOfUser } from '../sender/index.ts';

/** Data for a message, read in one transaction. */
export interface MessageContext {
  readonly process: SigningProcess;
  /** The recipient. Undefined if the company is the recipient. */
  readonly signee?: Signee;
  /** The recipient's signing keys in the processes of the message. */
  readonly places: readonly ReaderPlace[];
  /** Processes whose documents the message is about. */
  readonly processes: readonly SigningProcess[];
  readonly facts: MessageFacts;
  /** Whether the recipient was already asked to sign. */
  readonly wasAsked: boolean;
  /** The company's own text, which replaces the built-in one. */
  readonly own?: EmailTemplate;
  /** Mail address of the user who sent the request. */
  readonly replyTo?: string;
  readonly logo?: CompanyLogo;
}

/**
 * Returns the current data for `message`. Undefined if its process no longer exists.
 *
 * @param pages base URL of the links, without a trailing slash, and whether files can be verified
 * there
 */
export async function readMessageContext(
  unit: StoreUnit,
  message: Message,
  { frontEnd, checksFiles = false }: { readonly frontEnd: string; readonly checksFiles?: boolean },
): Promise<MessageContext | undefined> {
  const { processKey, signeeKey, template } = message;
  const process = processKey === undefined ? undefined : await unit.processes.find(processKey);
  if (process === undefined) return undefined;
  const { sequenceKey } = process;
  const sequence = sequenceKey === undefined ? undefined : await unit.sequences.find(sequenceKey);
  // A code belongs to one signature; any other message in a sequence covers all of its documents.
  const scope = template === 'OneTimeCode' ? undefined : sequence;
  const person = scope?.persons.find(({ signingKeys }) =>
    signingKeys.some((place) => place.signeeKey === signeeKey),
  );
  const places = await placesOf(unit, process, message, person?.signingKeys);
  const own = places.map((place) => place.process);
  const processes = isForSignee(template)
    ? own.filter(({ status }) => template !== 'Canceled' || status === 'Canceled')
    : await processesOf(unit, process, scope);
  const signee = process.signees.find(({ key }) => key === signeeKey);
  const company = await unit.companies.find(process.companyKey);
  const senderName = await nameOfUser(unit, process);
  const isMail = message.channel === 'Email';
  const logo = isMail ? await findLogo(unit, process.companyKey) : undefined;
  const language = chooseLanguage(signee?.language, process.policy.language);
  const path =
    person === undefined || sequenceKey === undefined
      ? `${process.key}/${signeeKey}`
      : `${sequenceKey}/${person.key}`;
  const page = `${frontEnd}/s/${path}`;
  const hasLink = isForSignee(template) && template !== 'OneTimeCode' && template !== 'Canceled';
  const customer = signee ?? process.signees[0];
  const facts: MessageFacts = {
    template,
    language,
    companyName: company?.name ?? '',
    ...defined({ companySsn: company?.ssn }),
    flowName: process.flowName,
    ...defined({ customer, salesPerson: process.user }),
    documents: processes.map(({ fileName }) => fileName),
    meta: process.meta,
    requiresAuth: [...processes, ...(scope ? [scope] : [])].some((each) => each.requiresAuth),
    ...(hasLink ? { link: page } : {}),
    ...(message.includeUnsubscribe ? { unsubscribeUrl: `${page}/unsubscribe` } : {}),
    expiresAtMs: Math.min(process.expiresAtMs, ...own.map((each) => each.expiresAtMs)),
    ...defined({ timeZone: process.policy.timeZone }),
    reference: person === undefined ? process.key : (sequenceKey as SequenceKey),
    values: message.values,
    hasAttachments: false,
    ...(checksFiles ? { checkUrl: `${frontEnd}/s/verify?lng=${language.toLowerCase()}` } : {}),
    ...defined({ customSmsText: signee?.customSmsText, senderName, broughtBy: broughtBy(process) }),
    ...defined({ logo: logo && { width: logo.width, height: logo.height } }),
  };
  const texts = isMail ? await unit.templates.forFlow(process.flowKey) : [];
  const { user } = process;
  const replyTo = user !== undefined && isMailAddress(user) ? user : undefined;
  return {
    process,
    ...defined({ signee }),
    places,
    processes,
    facts,
    wasAsked: template === 'Canceled' && (await isAsked(unit, places)),
    ...defined({ own: chooseOwnText(texts, template, language) }),
    ...defined({ replyTo, logo }),
  };
}

async function placesOf(
  unit: StoreUnit,
  process: SigningProcess,
  { signeeKey }: Message,
  signingKeys: Sequence['persons'][number]['signingKeys'] = [],
): Promise<readonly ReaderPlace[]> {
  if (signeeKey === undefined) return [];
  if (signingKeys.length === 0) return [{ process, signeeKey }];
  const places: ReaderPlace[] = [];
  for (const place of signingKeys) {
    const each =
      place.processKey === process.key ? process : await unit.processes.find(place.processKey);
    if (each !== undefined) places.push({ process: each, signeeKey: place.signeeKey });
  }
  return places;
}

async function processesOf(
  unit: StoreUnit,
  process: SigningProcess,
  sequence: Sequence | undefined,
): Promise<readonly SigningProcess[]> {
  if (sequence === undefined) return [process];
  const all: SigningProcess[] = [];
  for (const key of sequence.processKeys) {
    const each = key === process.key ? process : await unit.processes.find(key);
    if (each !== undefined) all.push(each);
  }
  return all;
}

async function isAsked(unit: StoreUnit, places: readonly ReaderPlace[]): Promise<boolean> {
  for (const { process, signeeKey } of places) {
    const messages = await unit.messages.ofProcess(process.key);
    const isSent = messages.some(
      (each) =>
        each.signeeKey === signeeKey &&
        each.state === 'sent' &&
        (each.template === 'Signup' || each.template === 'Reminder'),
    );
    if (isSent) return true;
  }
  return false;
}
