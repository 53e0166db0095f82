import { describe, expect, test } from 'vitest';
import type { AuthPorts } from '../../../../src/app/auth/ports.ts';
import { hintFor, matchingPerson } from '../../../../src/app/auth/sequence/sequence-persons.ts';
import type { Store, StoreUnit } from '../../../../src/app/ports/index.ts';
import type { Identity } from '../../../../src/domain/person/index.ts';
import type { Sequence } from '../../../../src/domain/sequence.ts';

const DOCUMENTS = 20;
const PERSONS = 10;

/** A sequence in which all persons sign every document, with the number of documents read. */
function largeSequence(tallied: readonly number[] = [], passcodeHash?: string) {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  const signees = (document: number) =>
    numbers(PERSONS).map((person) => ({
      ...{ key: `si${document}-${person}`, name: `Person ${person}` },
      phoneNumber: `58123${10 + person}`,
    }));
  const processes = numbers(DOCUMENTS).map((at) => {
    return { key: `sp${at}`, signees: signees(at), requiresAuth: false, policy: {} };
  });
  const persons = numbers(PERSONS).map((person) => ({
    key: `gs${person}`,
    ...(passcodeHash === undefined ? {} : { passcodeHash }),
    signingKeys: numbers(DOCUMENTS).map((at) => {
      return { processKey: `sp${at}`, signeeKey: `si${at}-${person}` };
    }),
  }));
  const processKeys = processes.map(({ key }) => key);
  const sequence = { key: 'pg1', processKeys, persons, requiresAuth: false };
  let read = 0;
  const find = (key: string) => {
    read += 1;
    return processes.find((each) => each.key === key);
  };
  const unit = {
    sequences: { lock: async () => sequence },
    processes: {
      find: async (key: string) => find(key),
      findAll: async (keys: readonly string[]) => keys.flatMap((key) => find(key) ?? []),
    },
    tallies: {
      removeForgotten: async () => undefined,
      lock: async () => ({ timesMs: tallied, open: [] }),
      save: async () => undefined,
    },
  } as unknown as StoreUnit;
  const work = <T>(todo: (given: StoreUnit) => Promise<T>) => todo(unit);
  const store = { read: work, write: work } as unknown as Store;
  const ports: Pick<AuthPorts, 'store' | 'now'> = { store, now: () => 1_000_000 };
  return {
    ports,
    unit,
    sequence: sequence as unknown as Sequence,
    read: () => read,
  };
}

const request = {
  scheme: 'sim-app',
  channel: 'Sim',
  circumstances: { ip: '203.0.113.7' },
} as const;

describe('a login to a large sequence', () => {
  test.each([
    ['the number of a signee', '5812314', undefined, 'own'],
    ['the number of no signee', '5999999', undefined, 'authentication.error.signee.logon.mismatch'],
    ['persons with passcodes', '5812314', 'hash', 'authentication.credentials.invalid'],
    ['no number', '', undefined, 'own'],
  ])(
    'reads each document once to find the number to send: %s',
    async (_, loginHint, passcodeHash, outcome) => {
      const { ports, sequence, read } = largeSequence([], passcodeHash);
      const found = { sequence, person: undefined };
      const answer = await hintFor(ports, found, { ...request, loginHint }).then(
        ({ number }) => (number === 'known' ? 'own' : number),
        (error: { readonly code: string }) => error.code,
      );
      expect([read(), outcome === 'own' ? 'own' : answer]).toEqual([DOCUMENTS, outcome]);
    },
  );

  test('reads each document once to find the person of the identity', async () => {
    const { unit, sequence, read } = largeSequence();
    const identity = { name: 'Person 7', phoneNumber: '5812317' } as unknown as Identity;
    const person = await matchingPerson(unit, sequence, identity, undefined);
    expect([person?.key, read()]).toEqual(['gs7', DOCUMENTS]);
  });

  test('reads no document after too many numbers were entered', async () => {
    const { ports, sequence, read } = largeSequence(new Array(50).fill(999_999));
    const found = { sequence, person: undefined };
    await expect(hintFor(ports, found, { ...request, loginHint: '5812314' })).rejects.toMatchObject(
      {
        code: 'authentication.start.too_frequent',
      },
    );
    expect(read()).toBe(0);
  });
});
