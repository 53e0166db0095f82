import { expect, test } from 'vitest';
import type { ProcessPage, Store } from '../../../../src/app/ports/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import {
  testCompany,
  testFlow,
  testNowMs,
  testProcess,
  testSignee,
} from '../../../support/store.ts';
import { type NewPlace, withStore } from './store-place.ts';

const tower = { ...testFlow, key: asKey('flow', 'f2'), type: 'PEP' as const };
const stranger = { ...testCompany, key: asKey('company', 'other') };
const strangerFlow = { ...testFlow, key: asKey('flow', 'f3'), companyKey: stranger.key };

async function fill(store: Store): Promise<void> {
  await store.write(async ({ companies, flows, processes }) => {
    await companies.add(stranger);
    await flows.add(tower);
    await flows.add(strangerFlow);
    await processes.add(testProcess(1, { fileName: '50% Kaup_samningur.PDF' }));
    await processes.add(testProcess(2, { status: 'Completed', user: 'anna@example.is' }));
    await processes.add(testProcess(3, { flowKey: tower.key, flowType: 'PEP' }));
    const signees = [testSignee(40, { ssn: '120174-3399', phoneNumber: '+354 555 0147' })];
    await processes.add(testProcess(4, { signees, createdAtMs: testNowMs + 3 }));
    const of = { companyKey: stranger.key, flowKey: strangerFlow.key };
    await processes.add(testProcess(5, of));
  });
}

const place = (number: number) => ({
  createdAtMs: testNowMs + Math.min(number, 3),
  key: testProcess(number).key,
});

const cases: readonly (readonly [name: string, filter: Partial<ProcessPage>, numbers: number[]])[] =
  [
    ['all of the company, newest first', {}, [4, 3, 2, 1]],
    ['a page', { skip: 1, take: 2 }, [3, 2]],
    ['from a time on', { createdFromMs: testNowMs + 2 }, [4, 3, 2]],
    ['before a time', { createdToMs: testNowMs + 2 }, [1]],
    ['of a status', { status: 'Completed' }, [2]],
    ['of a user', { user: 'anna@example.is' }, [2]],
    ['of a key', { processKey: testProcess(3).key }, [3]],
    ['of a flow', { flowKey: tower.key }, [3]],
    ['of a type', { flowType: 'DropAndSign' }, [4, 2, 1]],
    ['with a part of the file name in another case', { search: 'kaup_SAMN' }, [1]],
    ['with signs that mean something in patterns', { search: '50%' }, [1]],
    ['where an underscore is no wildcard', { search: 'kaup-samn' }, []],
    ['with a part of a name', { search: 'ðAGNÝjarson 2' }, [2]],
    ['with accents that are not composed', { search: 'ÞO\u0301RÐUR' }, [4, 3, 2, 1]],
    ['with a part of an e-mail', { search: 'dur40@' }, [4]],
    ['with a part of a phone number', { search: '555 01' }, [4]],
    ['with a whole national number', { search: '1201743399' }, [4]],
    ['with a national number as people write it', { search: '120174-3399' }, [4]],
    ['with a part of a national number', { search: '120174' }, []],
    ['with a key', { search: testProcess(2).key.toUpperCase() }, [2]],
    ['with two letters', { search: '4@' }, []],
    ['with one letter', { search: 'ý' }, [4, 3, 2, 1]],
    ['with nothing but spaces', { search: '  ' }, [4, 3, 2, 1]],
    ['with quotes', { search: '"a" OR "b"' }, []],
    ['with NUL', { search: 'kaup\u0000' }, [1]],
    ['of another company', { companyKey: stranger.key, search: 'agreement' }, [5]],
    ['behind one made at once', { behind: place(4) }, [3, 2, 1]],
    ['behind one, and of a type', { behind: place(3), flowType: 'DropAndSign' }, [2, 1]],
    ['with two filters', { status: 'Active', search: 'agreement' }, [4, 3]],
  ];

/** Lists, search and the blobs that are still referenced. */
export function listCases(newPlace: NewPlace): void {
  test('lists and counts apply the same filters', () =>
    withStore(newPlace, async (store) => {
      await fill(store);
      for (const [name, filter, numbers] of cases) {
        const whole = { companyKey: testCompany.key, skip: 0, take: 50, ...filter };
        await store.read(async ({ processes }) => {
          const found = await processes.list(whole);
          const keys = numbers.map((number) => testProcess(number).key);
          expect([name, found.map(({ key }) => key)]).toEqual([name, keys]);
          const { skip: _, take, ...counted } = whole;
          const count = take === 2 ? 4 : numbers.length;
          expect([name, await processes.count(counted)]).toEqual([name, count]);
        });
      }
    }));

  test('search follows every save', () =>
    withStore(newPlace, async (store) => {
      const first = testProcess(1, { signees: [testSignee(1, { ssn: '1201743399' })] });
      const find = (search: string) =>
        store.read(({ processes }) => processes.count({ companyKey: testCompany.key, search }));
      await store.write(({ processes }) => processes.add(first));
      expect([await find('dagnýjarson'), await find('1201743399')]).toEqual([0, 1]);
      const erased = {
        ...first,
        rev: 2,
        fileName: 'gone.pdf',
        signees: [testSignee(1, { name: 'X' })],
      };
      await store.write(async ({ processes }) => {
        await processes.lock(first.key);
        await processes.save(erased);
      });
      expect([await find('ðagný'), await find('1201743399'), await find('gone')]).toEqual([
        0, 0, 1,
      ]);
      // Saved without reading it first.
      const back = { ...first, rev: 3 };
      await store.write(({ processes }) => processes.save(back));
      expect([await find('ðagný'), await find('1201743399'), await find('gone')]).toEqual([
        1, 1, 0,
      ]);
    }));

  test('search finds terms that nearly every process contains', () =>
    withStore(newPlace, async (store) => {
      await store.write(async ({ processes }) => {
        for (let number = 1; number <= 2100; number++) await processes.add(testProcess(number));
      });
      const filter = { companyKey: testCompany.key, search: '.pdf' };
      await store.read(async ({ processes }) => {
        expect(await processes.count(filter)).toBe(2100);
        const [newest] = await processes.list({ ...filter, skip: 0, take: 1 });
        expect(newest?.key).toBe(testProcess(2100).key);
      });
    }));

  test('blobs that are still referenced are listed', () =>
    withStore(newPlace, async (store) => {
      const sha = (digit: string) => digit.repeat(64);
      const ref = (digit: string) => ({ sha256: sha(digit), lengthBytes: 1 });
      const attachment = {
        key: asKey('attachment', 'at1'),
        fileName: 'a',
        contentType: 'application/pdf',
        document: ref('3'),
        type: 'Unspecified' as const,
      };
      const first = testProcess(1, {
        original: ref('1'),
        document: ref('2'),
        attachments: [attachment],
      });
      const event = {
        id: 'e1',
        companyKey: testCompany.key,
        flowKey: testFlow.key,
        processKey: first.key,
        seq: 1,
        type: 'Completed' as const,
        body: ['', ''] as const,
        documentSha256: sha('4'),
        createdAtMs: 1,
      };
      const asked = ['5', '4', '3', '2', '1', '0'].map(sha);
      const needed = () => store.read(({ processes }) => processes.referenced(asked));
      await store.write(async ({ processes, webhooks, flows }) => {
        await processes.add(first);
        await webhooks.addEvent(event);
        await flows.save({ ...testFlow, templateSha256: sha('5') });
      });
      expect(await needed()).toEqual(['5', '4', '3', '2', '1'].map(sha));
      const { original: _, document: __, ...purged } = first;
      await store.write(({ processes }) =>
        processes.save({ ...purged, rev: 2, attachments: [], purgedAtMs: 9 }),
      );
      expect(await needed()).toEqual([sha('5')]);
      expect(await store.read(({ processes }) => processes.referenced([]))).toEqual([]);
    }));
}
