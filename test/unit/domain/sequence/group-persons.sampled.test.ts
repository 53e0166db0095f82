import { describe, expect, test } from 'vitest';
import { asKey } from '../../../../src/domain/keys.ts';
import { type Contact, isSamePerson } from '../../../../src/domain/person/index.ts';
import { groupPersons } from '../../../../src/domain/sequence.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { fc } from '../../../support/property.ts';
import { costlyTest } from '../../../support/sample.ts';
import { testSignee } from '../../../support/store.ts';

const documents = (contacts: readonly (readonly Contact[])[]) =>
  contacts.map((document, at) => ({
    key: asKey('process', `sp${at}`),
    signees: document.map((contact, index) => {
      const { email: _email, ...rest } = testSignee(at * 1000 + index);
      return { ...rest, ...contact };
    }),
  }));
const group = (contacts: readonly (readonly Contact[])[]) => {
  let count = 0;
  return groupPersons(documents(contacts), () => asKey('person', `pe${count++}`));
};

/** The same by comparing each with all, without the index. */
function slowly(contacts: readonly (readonly Contact[])[]): readonly (readonly string[])[] {
  const groups: { all: Contact[]; keys: { processKey: string; signeeKey: string }[] }[] = [];
  for (const { key, signees } of documents(contacts)) {
    for (const signee of signees) {
      const known = groups.find(
        ({ all, keys }) =>
          all.every((each) => isSamePerson(each, signee)) &&
          keys.every(({ processKey }) => processKey !== key),
      );
      const place = { processKey: key, signeeKey: signee.key };
      if (known === undefined) groups.push({ all: [signee], keys: [place] });
      else {
        known.keys.push(place);
        known.all.push(signee);
      }
    }
  }
  return groups.map(({ keys }) => keys.map(({ signeeKey }) => signeeKey));
}

const few = (...values: string[]) => fc.constantFrom(undefined, ...values);
const contact = fc
  .record({
    name: fc.constantFrom('Jón', 'jón ', 'Anna'),
    ssn: few('6000101991', '6000101992'),
    phoneNumber: few('5550101', '+354 555 0101', '5550102'),
    email: few('a@example.test', 'A@example.test', 'b@example.test'),
  })
  .map((one) => {
    const known = Object.entries(one).filter(([, value]) => value !== undefined);
    return Object.fromEntries(known) as unknown as Contact;
  });

describe('the persons of a sequence', () => {
  const odon = { name: 'Ödön Kőrösi', email: 'odon@example.test' };
  test.each([
    ['a phone in the second document', [odon, { ...odon, phoneNumber: '6666666' }], 1],
    ['a phone in the first document', [{ ...odon, phoneNumber: '6666666' }, odon], 1],
    [
      'two national numbers, and one signee without between them',
      [{ ...odon, ssn: '6000101991' }, odon, { ...odon, ssn: '6000101992' }],
      2,
    ],
    [
      'two phone numbers, and one signee without before them',
      [odon, { ...odon, phoneNumber: '6666666' }, { ...odon, phoneNumber: '7777777' }],
      2,
    ],
    [
      'a different name at the same address',
      [odon, { ...odon, name: 'Anna', phoneNumber: '7777777' }],
      2,
    ],
  ])('are merged or kept apart: %s', (_what, contacts, count) => {
    expect(group(contacts.map((each) => [each]))).toHaveLength(count);
  });

  test('are those found by comparing every signee with every other', () => {
    const lists = fc.array(fc.array(contact, { maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(lists, (contacts) => {
        const found = group(contacts);
        const keys = found.map(({ signingKeys }) => signingKeys.map(({ signeeKey }) => signeeKey));
        expect(keys).toEqual(slowly(contacts));
        expect(found.map(({ order }) => order)).toEqual(found.map((_, at) => at));
      }),
    );
  });

  costlyTest.each([
    ['addresses of their own', (at: number) => ({ email: `p${at}@example.test` })],
    ['numbers of their own and one address', numbered],
  ])('20,000 with %s are found in no time', (_what, make) => {
    const contacts = Array.from({ length: 100 }, (_, document) =>
      Array.from({ length: 200 }, (_one, at) => {
        const number = document * 200 + at;
        return { name: `P ${number}`, ...make(number) };
      }),
    );
    const startedAtMs = cpuMs();
    expect(group(contacts).length).toBe(20_000);
    expect(cpuMs() - startedAtMs).toBeLessThan(5000);
  });
});

function numbered(at: number) {
  return { ssn: String(6_000_000_000 + at), email: 'all@example.test', phoneNumber: '5550101' };
}
