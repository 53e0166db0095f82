import type { Command } from 'commander';
import type { CompanyService } from '../app/company-service.ts';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import type { CommandContext } from './context.ts';
import { useService } from './use-service.ts';

/** Kinds of keys that completion offers and that may be abbreviated to a prefix. */
export const keyKinds = [
  'process',
  'sequence',
  'signee',
  'person',
  'flow',
  'webhook',
  'message',
  'delivery',
] as const;
/** One of {@link keyKinds}. */
export type KeyKind = (typeof keyKinds)[number];

/** A key and the name of its object. */
export interface NamedKey {
  readonly key: string;
  readonly name: string;
}

/** Prefixes of keys; webhooks have numbers, which cannot be abbreviated. */
const shortForms: readonly (readonly [KeyKind, RegExp])[] = [
  ['process', /^sp[0-9a-f]{1,31}$/],
  ['sequence', /^pg[0-9a-f]{1,17}$/],
  ['signee', /^si[0-9a-f]{1,31}$/],
  ['person', /^gs[0-9a-f]{1,15}$/],
  ['message', /^ms[0-9a-f]{1,31}$/],
  ['delivery', /^wd[0-9a-f]{1,23}$/],
];
const messageStates = ['waiting', 'failed', 'sent', 'canceled'] as const;
const shortFlow = /^[0-9a-f]{1,11}$/;
const argumentNames: ReadonlySet<string> = new Set([
  'process',
  'sequence',
  'signee',
  'flow',
  'message',
  'delivery',
]);
const optionNames = ['flow', 'flowKey', 'process'] as const;

const pageSize = 100;
const pagesMax = 20;
/** Maximum number of messages and deliveries searched, newest first. */
const newestMax = 1000;
const shownMax = 5;

/**
 * Expands abbreviated keys among the arguments and options of a parsed command. A prefix without a
 * match stays, and the command reports it as not found.
 *
 * @throws usage.invalid with the candidates if several keys have the prefix
 */
export async function lengthenKeys(command: Command, context: CommandContext): Promise<void> {
  const wanted = command.registeredArguments.flatMap((argument, index) => {
    const given: unknown = command.processedArgs[index];
    const texts: readonly unknown[] = Array.isArray(given) ? given : [given];
    const kindFor = (text: unknown) => kindOf(argument.name(), text);
    const isKey = argumentNames.has(argument.name()) && texts.some(kindFor);
    return isKey ? [{ index, texts, kindFor, isList: Array.isArray(given) }] : [];
  });
  const options = optionNames.flatMap((name) => {
    const text: unknown = command.getOptionValue(name);
    const kind = kindOf(name.startsWith('flow') ? 'flow' : name, text);
    return kind === undefined ? [] : [{ name, kind, text: text as string }];
  });
  if (wanted.length === 0 && options.length === 0) return;
  await withKeys(context, async (find) => {
    const args = command.processedArgs as unknown[];
    for (const { index, texts, kindFor, isList } of wanted) {
      const whole: unknown[] = [];
      for (const text of texts) {
        const kind = kindFor(text);
        const isWhole = kind === undefined || typeof text !== 'string';
        whole.push(isWhole ? text : await lengthened(find, kind, text, args[index - 1]));
      }
      args[index] = isList ? whole : whole[0];
    }
    for (const { name, kind, text } of options) {
      command.setOptionValue(name, await lengthened(find, kind, text, undefined));
    }
  });
}

function kindOf(name: string, text: unknown): KeyKind | undefined {
  if (typeof text !== 'string') return undefined;
  if (name === 'flow') return shortFlow.test(text) ? 'flow' : undefined;
  return shortForms.find(([, form]) => form.test(text))?.[0];
}

type Find = (kind: KeyKind, start: string, whole: unknown) => Promise<readonly NamedKey[]>;

async function lengthened(
  find: Find,
  kind: KeyKind,
  start: string,
  whole: unknown,
): Promise<string> {
  const found = await find(kind, start, whole);
  if (found.some(({ key }) => key === start)) return start;
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return first?.key ?? start;
  const shown = found.slice(0, shownMax).map(({ key, name }) => `${key} (${name})`);
  const rest = found.length > shownMax ? ` and ${found.length - shownMax} more` : '';
  const candidates = `${shown.join(', ')}${rest}`;
  const message = `"${start}" matches the keys of several ${plural(kind)}: ${candidates}`;
  throw new InnsigliError('usage.invalid', message, { hint: 'use a longer prefix of the key' });
}

function plural(kind: KeyKind): string {
  if (kind === 'process') return 'processes';
  return kind === 'delivery' ? 'deliveries' : `${kind}s`;
}

/** Runs `work`. If the service cannot be opened, the command itself reports that. */
async function withKeys(context: CommandContext, work: (find: Find) => Promise<void>) {
  const silent = { ...context, console: { ...context.console, warn: async () => undefined } };
  let answer: unknown;
  try {
    await useService(silent, async (service) => {
      try {
        await work((kind, start, whole) => findKeys(service, kind, start, whole));
      } catch (error) {
        answer = error;
      }
    });
  } catch {
    return;
  }
  if (isInnsigliError(answer) && answer.code === 'usage.invalid') throw answer;
}

/**
 * Returns the keys of a kind with the prefix `start`, with names for people.
 *
 * @param whole key of the process or sequence that signees and persons belong to
 * @throws usage.invalid if there are too many to search
 */
export async function findKeys(
  service: CompanyService,
  kind: KeyKind,
  start: string,
  whole: unknown,
): Promise<readonly NamedKey[]> {
  const found = await keysOf(service, kind, start, whole);
  return found.filter(({ key }) => key.startsWith(start));
}

async function keysOf(
  { flows, webhooks, messages, processes }: CompanyService,
  kind: KeyKind,
  start: string,
  whole: unknown,
): Promise<readonly NamedKey[]> {
  switch (kind) {
    case 'flow':
      return (await flows.list()).map(({ flowKey, name }) => ({ key: flowKey, name }));
    case 'webhook':
      return (await webhooks.list()).map(({ id, url }) => ({ key: String(id), name: url }));
    case 'message': {
      const states = start === '' ? {} : { states: messageStates };
      const found = await messages.list({ ...states, take: newestMax });
      return found.map(({ id, to }) => ({ key: id, name: to }));
    }
    case 'delivery': {
      const deliveries = await webhooks.deliveries({ take: newestMax });
      return deliveries.map(({ id, state }) => ({ key: id, name: state }));
    }
    case 'signee':
      return typeof whole === 'string' ? (await processes.show({ key: whole })).signees : [];
    case 'person': {
      if (typeof whole !== 'string') return [];
      const { sequence } = await processes.showSequence({ key: whole });
      return sequence.persons.map(({ key, order }) => ({ key, name: `person ${order + 1}` }));
    }
    case 'sequence':
      return pagesOf(start, async (page) =>
        (await processes.listSequences(page)).map(({ sequence: { key, user } }) => ({
          key: String(key),
          name: user,
        })),
      );
    default:
      return pagesOf(start, async (page) => {
        const found = await processes.list({ ...page, ...(start === '' ? {} : { search: start }) });
        return found.map(({ key, fileName }) => ({ key: String(key), name: fileName }));
      });
  }
}

/** The keys of all pages; without a prefix only the newest ones, which suffice for completion. */
async function pagesOf(
  start: string,
  list: (page: { skip: number; take: number }) => Promise<readonly NamedKey[]>,
): Promise<readonly NamedKey[]> {
  const all: NamedKey[] = [];
  for (let page = 0; page < (start === '' ? 1 : pagesMax); page++) {
    const found = await list({ skip: page * pageSize, take: pageSize });
    all.push(...found);
    if (found.length < pageSize || start === '') return all;
  }
  throw new InnsigliError('usage.invalid', 'too many keys match to search all of them', {
    hint: 'use a longer prefix of the key',
  });
}
