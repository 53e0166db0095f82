import { expect, test } from 'vitest';
import type { Activity } from '../../../../src/domain/activity/activity.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import type { Sequence } from '../../../../src/domain/sequence.ts';
import {
  testCompany,
  testFlow,
  testNowMs,
  testProcess,
  testSignee,
} from '../../../support/store.ts';
import { type NewPlace, withStore } from './store-place.ts';

/** Every collection returns what was stored in it. */
export function collectionCases(newPlace: NewPlace): void {
  test('origins are stored per company', () =>
    withStore(newPlace, async (store) => {
      const page = 'https://app.example.com';
      const other = { ...testCompany, key: asKey('company', 'b') };
      await store.write(async ({ companies, origins }) => {
        await companies.add(other);
        await origins.put(testCompany.key, page, 2);
        await origins.put(testCompany.key, page, 3);
        await origins.put(testCompany.key, 'https://a.example.com', 1);
      });
      await store.read(async ({ origins }) => {
        expect(await origins.list(testCompany.key)).toEqual(['https://a.example.com', page]);
        expect(await origins.list(other.key)).toEqual([]);
        expect(await origins.has(page)).toBe(true);
        expect(await origins.has(page, testCompany.key)).toBe(true);
        expect(await origins.has(page, other.key)).toBe(false);
        expect(await origins.has(page.toUpperCase())).toBe(false);
      });
      await store.write(async ({ origins }) => {
        expect(await origins.remove(other.key, page)).toBe(false);
        expect(await origins.remove(testCompany.key, page)).toBe(true);
        expect(await origins.has(page)).toBe(false);
      });
    }));

  test('companies, users and API keys are stored', () =>
    withStore(newPlace, async (store) => {
      const other = {
        ...testCompany,
        key: asKey('company', 'b'),
        ssn: '5501119999',
        createdAtMs: 1,
      };
      const keyOf = (id: string) => ({
        id,
        companyKey: other.key,
        sha256: id.repeat(8),
        label: 'CI',
        createdAtMs: 5,
      });
      const user = { companyKey: other.key, email: 'a@b.is', name: 'A', createdAtMs: 3 };
      await store.write(async ({ companies }) => {
        await companies.add(other);
        await companies.addApiKey(keyOf('k1'));
        await companies.addApiKey(keyOf('k2'));
        await companies.addUser(user);
        await companies.addUser({ ...user, name: 'Anna', createdAtMs: 9 });
        expect(await companies.revokeApiKey('k1', 7)).toBe(true);
        expect(await companies.revokeApiKey('k1', 8)).toBe(false);
        expect(await companies.revokeApiKey('none', 8)).toBe(false);
        expect(await companies.webhookSignatureKey(other.key)).toBeUndefined();
        await companies.setWebhookSignatureKey(other.key, 'secret-1');
        await companies.save({ ...other, name: 'Renamed', trialEndsAtMs: 77 });
      });
      await store.read(async ({ companies }) => {
        expect(await companies.list()).toEqual([
          { ...other, name: 'Renamed', trialEndsAtMs: 77 },
          testCompany,
        ]);
        expect(await companies.find(asKey('company', 'none'))).toBeUndefined();
        expect(await companies.apiKeys(other.key)).toEqual([keyOf('k2')]);
        expect(await companies.findApiKey('k1'.repeat(8))).toEqual({
          ...keyOf('k1'),
          revokedAtMs: 7,
        });
        expect(await companies.findApiKey('')).toBeUndefined();
        expect(await companies.users(other.key)).toEqual([{ ...user, name: 'Anna' }]);
        expect(await companies.webhookSignatureKey(other.key)).toBe('secret-1');
      });
    }));

  test('flows and schemas are stored', () =>
    withStore(newPlace, async (store) => {
      const form = { ...testFlow, key: asKey('flow', 'f2'), type: 'FillAndSign' as const };
      const schema = {
        flowKey: form.key,
        version: 'v1',
        schema: '{}',
        createdAtMs: 1,
        updatedAtMs: 1,
      };
      await store.write(async ({ flows }) => {
        await flows.add({ ...form, templateSha256: 'ab'.repeat(32) });
        await flows.save({ ...form, name: 'Form', publishedVersion: 'v1' });
        await flows.putSchema(schema);
        await flows.putSchema({ ...schema, version: 'v2', createdAtMs: 2 });
        await flows.putSchema({ ...schema, schema: '{"a":1}', updatedAtMs: 5 });
      });
      await store.read(async ({ flows }) => {
        const saved = { ...form, name: 'Form', publishedVersion: 'v1' };
        expect(await flows.find(form.key)).toEqual(saved);
        expect(await flows.list(testCompany.key)).toEqual([testFlow, saved]);
        expect(await flows.list(testCompany.key, 'FillAndSign')).toEqual([saved]);
        expect(await flows.list(asKey('company', 'none'))).toEqual([]);
        expect((await flows.schemas(form.key)).map(({ version }) => version)).toEqual(['v1', 'v2']);
        const changed = { ...schema, schema: '{"a":1}', updatedAtMs: 5 };
        expect(await flows.findSchema(form.key, 'v1')).toEqual(changed);
        expect(await flows.findSchema(form.key, 'v9')).toBeUndefined();
      });
    }));

  test('processes are stored with all optional members', () =>
    withStore(newPlace, async (store) => {
      const document = { sha256: 'cd'.repeat(32), lengthBytes: 13 };
      const process = testProcess(1, {
        original: document,
        signees: [testSignee(1, { ssn: '120174-3399' }), testSignee(2, { order: 1 })],
        sequenceKey: asKey('sequence', 'pg1'),
        lease: { signeeKey: testSignee(1).key, token: 3, untilMs: 9 },
        meta: { emoji: '🖋', nul: 'a\u0000b', half: '\ud800' },
        purgedAtMs: 5,
      });
      const { user: _, ...nobody } = testProcess(2);
      await store.write(async ({ processes }) => {
        await processes.add(process);
        await processes.add(nobody);
      });
      await store.read(async ({ processes }) => {
        expect(await processes.find(process.key)).toEqual(process);
        expect(await processes.find(nobody.key)).toEqual(nobody);
        expect(await processes.find(asKey('process', 'none'))).toBeUndefined();
      });
    }));

  test('a process is saved only over its previous revision', () =>
    withStore(newPlace, async (store) => {
      const first = testProcess(1);
      await store.write(async ({ processes }) => {
        await processes.add(first);
        const locked = await processes.lock(first.key);
        expect(locked).toEqual(first);
        expect(await processes.save({ ...first, rev: 2, status: 'Canceled' })).toBe(true);
        expect(await processes.save({ ...first, rev: 2, status: 'Completed' })).toBe(false);
        expect(await processes.save({ ...first, rev: 4, status: 'Completed' })).toBe(false);
        expect(await processes.save(testProcess(9, { rev: 2 }))).toBe(false);
      });
      const found = await store.read(({ processes }) => processes.find(first.key));
      expect(found).toEqual({ ...first, rev: 2, status: 'Canceled' });
    }));

  test('sequences are stored and locked', () =>
    withStore(newPlace, async (store) => {
      const sequence: Sequence = {
        key: asKey('sequence', 'pg1'),
        companyKey: testCompany.key,
        rev: 1,
        user: 'a@b.is',
        requiresAuth: false,
        signInOrder: true,
        processKeys: [testProcess(1).key],
        persons: [],
        createdAtMs: testNowMs,
        isEndTold: false,
      };
      await store.write(async ({ sequences }) => {
        await sequences.add(sequence);
        expect(await sequences.lock(sequence.key)).toEqual(sequence);
        expect(await sequences.save({ ...sequence, rev: 2, canceledAtMs: 7 })).toBe(true);
        expect(await sequences.save({ ...sequence, rev: 2 })).toBe(false);
      });
      const found = await store.read(({ sequences }) => sequences.find(sequence.key));
      expect(found).toEqual({ ...sequence, rev: 2, canceledAtMs: 7 });
      expect(
        await store.read((unit) => unit.sequences.lock(sequence.key)).catch(String),
      ).toBeDefined();
    }));

  test('the activity log is stored with personal values and daily roots', () =>
    withStore(newPlace, async (store) => {
      const [one, two] = [testProcess(1), testProcess(2)];
      const row = (process: typeof one, seq: number): Activity => ({
        processKey: process.key,
        seq,
        companyKey: testCompany.key,
        flowKey: testFlow.key,
        status: 'Created',
        createdAtMs: testNowMs + seq,
        createdBy: 'System',
        commitments: { ip: 'c0' },
        hash: `${process === one ? 'one' : 'two'}-${seq}`,
      });
      const ip = { name: 'ip', salt: '00', value: '192.0.2.1' };
      const token = Uint8Array.of(1, 2, 255);
      const later = Uint8Array.of(9);
      const root = {
        companyKey: testCompany.key,
        day: '2026-01-02',
        version: 2,
        count: 3,
        root: 'r',
        createdAtMs: 1,
      } as const;
      await store.write(async ({ processes, activity }) => {
        for (const process of [two, one]) await processes.add(process);
        await activity.append([{ row: row(two, 1), personal: [ip] }]);
        await activity.append([
          { row: row(one, 1), personal: [ip, { ...ip, name: 'userAgent' }] },
          { row: row(one, 2), personal: [] },
        ]);
        await activity.append([]);
        const others = [two.key, testProcess(3).key, one.key];
        expect(await processes.findAll(others)).toEqual([two, one]);
        expect(await processes.lockAll(others)).toEqual([one, two]);
        const owners = await processes.lockOwners([two.key, testProcess(3).key, one.key]);
        expect(owners).toEqual(
          [one, two].map(({ key, companyKey, flowKey }) => ({ key, companyKey, flowKey })),
        );
        expect(await activity.addDailyRoot(root)).toBe(true);
        expect(await activity.addDailyRoot({ ...root, root: 's' })).toBe(false);
        expect(await activity.stampDailyRoot(root, token)).toBe(true);
        expect(await activity.stampDailyRoot(root, later)).toBe(false);
      });
      await store.write(async ({ processes }) => {
        expect(await processes.lockAll([two.key, one.key])).toEqual([one, two]);
        expect(await processes.findAll([])).toEqual([]);
      });
      await store.read(async ({ activity, processes }) => {
        expect(await processes.findAll([two.key, one.key])).toEqual([two, one]);
        expect(await activity.head(one.key)).toEqual({
          seq: 2,
          hash: 'one-2',
          createdAtMs: testNowMs + 2,
        });
        expect(await activity.head(testProcess(3).key)).toBeUndefined();
        const heads = await activity.heads([two.key, testProcess(3).key, one.key]);
        expect(heads.size).toBe(2);
        for (const { key } of [one, two]) {
          expect(heads.get(key)).toEqual(await activity.head(key));
        }
        expect(await activity.rows(one.key)).toEqual([row(one, 1), row(one, 2)]);
        expect([...(await activity.rowsOf([two.key, one.key, testProcess(3).key]))]).toEqual([
          [one.key, [row(one, 1), row(one, 2)]],
          [two.key, [row(two, 1)]],
        ]);
        expect((await activity.rowsOf([])).size).toBe(0);
        const personal = await activity.personalOf([one.key, two.key]);
        expect(personal.get(one.key)?.get(1)).toEqual([ip, { ...ip, name: 'userAgent' }]);
        expect(personal.get(two.key)).toEqual(await activity.personal(two.key));
        const hashes = (fromMs: number, toMs: number) =>
          activity.hashesBetween(testCompany.key, testNowMs + fromMs, testNowMs + toMs);
        expect(await hashes(0, 9)).toEqual(['one-1', 'one-2', 'two-1']);
        expect(await hashes(1, 2)).toEqual(['one-1', 'two-1']);
        expect(await activity.dailyRoots(testCompany.key)).toEqual([{ ...root, token }]);
        expect(await activity.dailyRoots(testCompany.key, 'none')).toEqual([root]);
        expect(await activity.nextRowMs(testCompany.key, testNowMs + 2)).toBe(testNowMs + 2);
        expect(await activity.nextRowMs(testCompany.key, testNowMs + 9)).toBeUndefined();
        const audit = (after?: string) => processes.auditAfter(testCompany.key, after, 1);
        expect((await audit()).map(({ key }) => key)).toEqual([one.key]);
        expect((await audit(one.key)).map(({ process }) => process?.key)).toEqual([two.key]);
        expect(await processes.audit(testCompany.key, testProcess(3).key)).toEqual([]);
        expect(await activity.rootsFromMs(testCompany.key)).toBe(testNowMs);
      });
      await store.write(({ activity }) => activity.erasePersonal(one.key));
      await store.read(async ({ activity }) => {
        expect((await activity.personal(one.key)).size).toBe(0);
        expect((await activity.personal(two.key)).size).toBe(1);
        expect(await activity.rows(one.key)).toHaveLength(2);
      });
      const again = store.write(({ activity }) =>
        activity.append([{ row: row(one, 2), personal: [] }]),
      );
      await expect(again).rejects.toMatchObject({ code: 'internal.unexpected' });
    }));
}
