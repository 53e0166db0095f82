import { defined } from '../../../../base/defined.ts';
import { isRecord } from '../../../../base/input.ts';
import { findText, type ResponseObject, responseFault } from '../../provider-answer.ts';

/** A call-back of the access manager, with the members that have to be sent back. */
export interface Callback {
  readonly type: string;
  readonly output: readonly { readonly name: string; readonly value: CallbackValue }[];
  readonly input?: readonly { readonly name: string; readonly value: CallbackValue }[];
  readonly _id?: number;
}

type CallbackValue = string | number | boolean | readonly string[];

/** What a prompt requests. */
export type PromptName =
  | 'clientId'
  | 'relatedParty'
  | 'appTitle'
  | 'user'
  | 'message'
  | 'offersCodes'
  | 'confirmsMessage'
  | 'hash'
  | 'method';

/**
 * Texts that identify prompts, in lower case; the first match counts. Positions differ between
 * versions and environments and are not used. The title of the app (`api_v202`) is not confirmed by
 * public documentation.
 */
const usualPrompts: readonly (readonly [PromptName, readonly string[]])[] = [
  ['offersCodes', ['vchoice']],
  ['confirmsMessage', ['confirmmessage', 'confirm message']],
  ['clientId', ['clientid', 'client id']],
  ['relatedParty', ['related party', 'relatedparty']],
  ['appTitle', ['title', 'titil', 'heiti']],
  ['hash', ['hash']],
  ['user', ['símanúmer', 'kennitöl', 'phone number', 'national']],
  ['method', ['auðkenningarleið', 'authentication method']],
  ['message', ['skilaboð', 'message']],
];

const MOST_CALLBACKS = 32;
const what = 'the call-backs';

/** Reads the call-backs of a response. @throws EidError `invalidResponse` */
export function readCallbacks(body: ResponseObject): readonly Callback[] {
  const list = Object.hasOwn(body, 'callbacks') ? body['callbacks'] : undefined;
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_CALLBACKS) {
    throw responseFault(`${what}: expected 1 to ${MOST_CALLBACKS}`);
  }
  return list.map(readCallback);
}

function readCallback(value: unknown): Callback {
  if (!isRecord(value)) throw responseFault(`${what}: expected objects`);
  const type = findText(value, 'type', 64);
  if (type === undefined) throw responseFault(`${what}: expected a type`);
  const { _id, input } = value;
  return defined({
    type,
    output: readFields(value['output']),
    input: input === undefined ? undefined : readFields(input),
    _id: typeof _id === 'number' ? _id : undefined,
  });
}

function readFields(value: unknown): Callback['output'] {
  if (!Array.isArray(value) || value.length > MOST_CALLBACKS) {
    throw responseFault(`${what}: expected lists of fields`);
  }
  return value.map((field: unknown) => {
    const name = isRecord(field) ? findText(field, 'name', 64) : undefined;
    const content = isRecord(field) ? field['value'] : undefined;
    if (name !== undefined && isFieldValue(content)) return { name, value: content };
    throw responseFault(`${what}: expected fields with name and value`);
  });
}

function isFieldValue(value: unknown): value is CallbackValue {
  if (Array.isArray(value)) {
    return value.length <= MOST_CALLBACKS && value.every((each) => typeof each === 'string');
  }
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Prompts that the provider may omit. */
const optionalPrompts: readonly PromptName[] = [
  'relatedParty',
  'appTitle',
  'offersCodes',
  'confirmsMessage',
  'hash',
];

/**
 * Fills in the call-backs. Each is identified by its prompt, and the authentication method by its
 * name in the list of choices. An unrecognised call-back stays unchanged.
 *
 * @param answers text for each prompt; `method` is `sim` or `app`
 * @param own prompt texts set by the operator, which take precedence
 * @throws EidError `invalidResponse` if a prompt is missing or appears twice
 */
export function fillCallbacks(
  callbacks: readonly Callback[],
  answers: Readonly<Record<PromptName, string>>,
  own: Partial<Readonly<Record<PromptName, string>>> = {},
): readonly Callback[] {
  const filled = new Set<PromptName>();
  const result = callbacks.map((callback) => {
    const name = promptNameOf(callback, own);
    if (name === undefined) return callback;
    if (filled.has(name)) throw responseFault(`${what}: two prompts for ${name}`);
    filled.add(name);
    const answer = answers[name];
    return withInput(callback, name === 'method' ? choiceOf(callback, answer) : answer);
  });
  for (const name of Object.keys(answers) as PromptName[]) {
    if (filled.has(name) || optionalPrompts.includes(name)) continue;
    throw responseFault(`${what}: expected a prompt for ${name}`);
  }
  return result;
}

function promptNameOf(
  { output }: Callback,
  own: Partial<Readonly<Record<PromptName, string>>>,
): PromptName | undefined {
  const prompt = output.find(({ name }) => name === 'prompt')?.value;
  if (typeof prompt !== 'string') return undefined;
  const text = prompt.normalize('NFC').toLowerCase();
  const named = usualPrompts.find(([name]) => {
    const words = own[name]?.normalize('NFC').toLowerCase();
    return words !== undefined && text.includes(words);
  });
  const [name] =
    named ?? usualPrompts.find(([, words]) => words.some((w) => text.includes(w))) ?? [];
  return name;
}

/** Index of a choice, looked up by name: the order of the list differs between environments. */
function choiceOf({ output }: Callback, wanted: string): number {
  const choices = output.find(({ name }) => name === 'choices')?.value;
  const index = Array.isArray(choices)
    ? choices.findIndex((choice: string) => choice.toLowerCase() === wanted)
    : -1;
  if (index < 0) throw responseFault(`${what}: expected the choice ${wanted}`);
  return index;
}

function withInput(callback: Callback, value: string | number): Callback {
  const [first, ...others] = callback.input ?? [];
  if (first === undefined) throw responseFault(`${what}: expected an input`);
  return { ...callback, input: [{ ...first, value }, ...others] };
}

/** Minimum, maximum and default time between two polls. */
const paceMs = { least: 1_000, most: 30_000, usual: 5_000 } as const;

/** The call-back that requests polling, with the interval; undefined unless it is the only one. */
export function findWait(
  callbacks: readonly Callback[],
): { readonly callback: Callback; readonly waitMs: number } | undefined {
  const [callback, ...others] = callbacks;
  if (callback?.type !== 'PollingWaitCallback' || others.length > 0) return undefined;
  const said = Number(callback.output.find(({ name }) => name === 'waitTime')?.value);
  const waitMs = Number.isFinite(said) ? said : paceMs.usual;
  return { callback, waitMs: Math.min(Math.max(waitMs, paceMs.least), paceMs.most) };
}
