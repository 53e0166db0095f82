import type { SigneeRequest } from '../../../app/process/index.ts';
import { InnsigliError, isInnsigliError, restated } from '../../../base/errors.ts';
import { findSimilar } from '../../../base/text/index.ts';
import {
  deliveryTypes,
  type SignatureType,
  signatureTypes,
} from '../../../domain/process/index.ts';
import { findWord, reading, readJsonInput } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';

/** Members of `--signee`, with their names in requests and JSON files. */
const members = {
  name: 'name',
  ssn: 'ssn',
  phone: 'phoneNumber',
  email: 'email',
  type: 'signatureType',
  delivery: 'delivery',
  language: 'language',
  reason: 'reason',
  sms: 'customSmsText',
  address: 'address',
  postalCode: 'postalCode',
  city: 'city',
} as const satisfies Readonly<Record<string, keyof SigneeRequest>>;

const jsonMembers: readonly string[] = [
  ...Object.values(members),
  'hidePersonalCode',
  'user',
  'passcode',
];

/** The text that explains `--signee` in help. */
export const signeeHelp =
  'A signee is NAME, then members after commas: ' +
  '"Jón Jónsson,email=jon@example.is,type=ClickToSign,delivery=Email". Members: ' +
  `${Object.keys(members).slice(1).join(', ')}. Types: ${signatureTypes.join(', ')}. ` +
  `Deliveries: ${deliveryTypes.join(', ')}; with None, the default, you hand over ` +
  'the link yourself. sms is the text before the link in a text message. A value with a comma ' +
  'needs double quotes: \'Jón,address="Main Street 1, 2nd floor"\'. A file of --signees is a ' +
  `JSON array of objects: ${jsonMembers.join(', ')}.`;

/** Reads the signee specified by `--signee`. */
export const signeeText = reading((text): SigneeRequest => {
  const found = new Map<string, string>();
  const [first = '', ...rest] = splitMembers(text);
  if (/^name=/.test(first)) rest.unshift(first);
  else found.set('name', unquoted(first));
  for (const part of rest) {
    const at = part.indexOf('=');
    const member = part.slice(0, at).trim();
    if (at < 1 || !Object.hasOwn(members, member)) refuseMember(part.trim(), at < 1 ? '' : member);
    if (found.has(member)) refuseUsage(`--signee: expected ${member} once, found it twice`);
    found.set(member, unquoted(part.slice(at + 1)));
  }
  const named = Object.entries(members).flatMap(([member, name]) => {
    const value = found.get(member);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    name: '',
    ...Object.fromEntries(named),
    signatureType: wordOf(signatureTypes, found.get('type'), '--signee type'),
    delivery: wordOf(deliveryTypes, found.get('delivery'), '--signee delivery'),
  };
});

function refuseMember(part: string, member: string): never {
  const expected = member === '' ? 'MEMBER=VALUE' : 'a member of a signee';
  const found = `--signee: expected ${expected}, found "${part.slice(0, 40)}"`;
  // Names from JSON files are recognised as well as misspelt ones.
  const meant =
    Object.entries(members).find(([, name]) => name === member)?.[0] ??
    findSimilar(member, Object.keys(members));
  const names = `members: ${Object.keys(members).join(', ')}`;
  const all = `${names}; put a value with a comma in double quotes`;
  return refuseUsage(found, meant === undefined ? all : `did you mean ${meant}? ${all}`);
}

function wordOf<W extends string>(words: readonly W[], text: string | undefined, name: string) {
  return text === undefined ? undefined : findWord(words, text, name);
}

/**
 * Returns the result of `work`. An error about one of the first `count` signees, those of
 * `--signee`, is restated with the member names of that option.
 */
export async function namingMembers<T>(count: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inMemberNames(error, count);
  }
}

function inMemberNames(error: unknown, count: number): unknown {
  if (!isInnsigliError(error)) return error;
  const { message } = error;
  const [, at] = /^signees?(?:\[(\d+)\])?(?:\.|$)/.exec(String(error.details['field'])) ?? [];
  if (at === undefined || Number(at) >= count) return error;
  const told = Object.entries(members).reduce(
    (text, [member, name]) => text.replace(new RegExp(`\\b${name}\\b`, 'g'), member),
    message,
  );
  const [, wrongMember = ''] = /^signees?(?:\[\d+\])?\.(\w+): /.exec(told) ?? [];
  const type =
    signatureTypes.find((each) => message.includes(`a ${each} signature`)) ??
    signatureTypes.find((each) => reached[each].startsWith(`${wrongMember}=`));
  const { hint = `such as "Anna,${reached[type ?? 'ClickToSign']}"` } = error;
  return restated(error, { message: told, hint });
}

/** Examples of `--signee` with the contact data that a signature type needs. */
const reached: { readonly [Type in SignatureType]: string } = {
  Qualified: 'ssn=6000101994,type=Qualified',
  Simple: 'phone=5551234,email=anna@example.com,type=Simple',
  ClickToSign: 'email=anna@example.com,type=ClickToSign',
};

/** Reads the signees of `--signee` options, followed by those of a `--signees` file. */
export async function readSignees(
  named: readonly SigneeRequest[],
  signees: string | undefined,
  { io }: CommandContext,
): Promise<readonly SigneeRequest[]> {
  if (signees === undefined) return named;
  const list = await readJsonInput(signees, io);
  if (!Array.isArray(list)) refuseFile(signees, 'expected a list of signees');
  requireSigneeMembers(list, signees);
  return [...named, ...(list as readonly SigneeRequest[])];
}

/** Rejects objects with unknown members. @throws validation.error */
export function requireSigneeMembers(list: readonly unknown[], where: string): void {
  list.forEach((each, at) => {
    requireMembers(each, jsonMembers, `${where}[${at}]`);
  });
}

/** Requires an object with some of the `known` members and no others. @throws validation.error */
export function requireMembers(value: unknown, known: readonly string[], where: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuseFile(where, 'expected an object');
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  refuseFile(where, `expected one of ${known.join(', ')}, found "${unknown.slice(0, 40)}"`);
}

function refuseFile(where: string, why: string): never {
  throw new InnsigliError('validation.error', `${where}: ${why}`);
}

// Commas within double quotes do not separate members.
function splitMembers(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (letter === ',' && !isQuoted) {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  if (isQuoted) refuseUsage('--signee: expected a closing ", found the end');
  return [...parts, part];
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  if (!/^".*"$/s.test(trimmed) || trimmed.length < 2) return trimmed;
  return trimmed.slice(1, -1).replaceAll('""', '"');
}
