import { describe, expect, test } from 'vitest';
import { appVerificationCode } from '../../../../src/adapters/eid/audkenni/login-content.ts';
import {
  birthDateOf,
  nationalNumber,
} from '../../../../src/adapters/eid/audkenni/person/user-info.ts';
import {
  fillCallbacks,
  findWait,
  type PromptName,
  readCallbacks,
} from '../../../../src/adapters/eid/audkenni/rest/callbacks.ts';

const answers: Record<PromptName, string> = {
  clientId: 'client',
  relatedParty: 'party',
  appTitle: 'title',
  user: '6111234',
  message: 'Log in',
  offersCodes: 'false',
  confirmsMessage: 'true',
  hash: 'AAAA',
  method: 'app',
};

const prompt = (text: string, index = 0) => ({
  type: 'NameCallback',
  output: [{ name: 'prompt', value: text }],
  input: [{ name: `IDToken${index}`, value: '' }],
});
const choice = (...choices: string[]) => ({
  type: 'ChoiceCallback',
  output: [
    { name: 'prompt', value: 'Veldu auðkenningarleið' },
    { name: 'choices', value: choices },
  ],
  input: [{ name: 'IDToken9', value: 0 }],
});
const needed = [
  prompt('Sláðu inn clientId'),
  prompt('Sláðu inn símanúmer eða kennitölu'),
  prompt('Sláðu inn skilaboð til notanda'),
  choice('cards', 'sim', 'app'),
];

const filled = (callbacks: readonly object[], own = {}) =>
  fillCallbacks(readCallbacks({ callbacks }), answers, own).map(({ input }) => input?.[0]?.value);

describe('callbacks', () => {
  test('are filled by their prompts, in any order and spelling', () => {
    expect(filled(needed)).toEqual(['client', '6111234', 'Log in', 2]);
    expect(filled([...needed].reverse())).toEqual([2, 'Log in', '6111234', 'client']);
    const decomposed = prompt('Sláðu inn símanúmer'.normalize('NFD'));
    expect(filled([needed[0], decomposed, needed[2], needed[3]] as object[])[1]).toBe('6111234');
  });

  test('that are unknown keep their value, unless the operator configured their prompts', () => {
    const unknown = prompt('Nota annað');
    expect(filled([...needed, unknown])).toEqual(['client', '6111234', 'Log in', 2, '']);
    expect(filled([...needed, unknown], { appTitle: 'ANNAÐ' }).at(-1)).toBe('title');
  });

  test.each([
    ['a prompt is missing', needed.slice(1)],
    ['a prompt occurs twice', [...needed, prompt('Sláðu inn clientId', 2)]],
    ['the method is not offered', [...needed.slice(0, 3), choice('sim', 'cards')]],
    ['an input is missing', [...needed.slice(1), { ...needed[0], input: [] }]],
    ['the list is empty', []],
    ['the list is too long', Array.from({ length: 40 }, (_, i) => prompt(`x${i}`))],
    ['an entry is not an object', [1]],
    ['a field is an object', [{ type: 'x', output: [{ name: 'prompt', value: {} }] }]],
    ['a type is missing', [{ output: [] }]],
    ['output is not an array', [{ type: 'x', output: {} }]],
  ])('are rejected if %s', (_, callbacks) => {
    expect(() => filled(callbacks as object[])).toThrow(/call-backs/);
  });

  test.each([
    ['5000', 5_000],
    ['1', 1_000],
    ['999999999', 30_000],
    ['soon', 5_000],
  ])('specify a wait time, limited to 30 s: %s', (value, waitMs) => {
    const wait = { type: 'PollingWaitCallback', output: [{ name: 'waitTime', value }] };
    expect(findWait(readCallbacks({ callbacks: [wait] }))?.waitMs).toBe(waitMs);
    expect(findWait(readCallbacks({ callbacks: [wait, wait] }))).toBeUndefined();
  });
});

test('appVerificationCode returns the code of the documented hash', () => {
  const hash =
    'n/kRNhXaZ2jFKv8KlQX7ydgedXUmVy8b2O4xNq2ZxHteG7wOvCa0Kg3rY1JLOrOBXYQm+z2FRVwIv47w8gUb5g==';
  expect(appVerificationCode(Buffer.from(hash, 'base64'))).toBe('4141');
});

test.each([
  ['120160-3389', '1201603389', '1960-01-12'],
  ['PNOIS-0101002080', '0101002080', '2000-01-01'],
  ['IS1201743399', '1201743399', '1974-01-12'],
  ['6010100890', '6010100890', undefined],
  ['3102603389', '3102603389', undefined],
  ['1201603387', '1201603387', undefined],
])('recognises the national number %s', (text, number, birthDate) => {
  expect(nationalNumber(text)).toBe(number);
  expect(birthDateOf(number)).toBe(birthDate);
});

test.each(['12016-3389', '120160-338X', 'PNOSE-1201603389', '', '12016033890'])(
  'rejects «%s» as a national number',
  (text) => {
    expect(nationalNumber(text)).toBeUndefined();
  },
);
