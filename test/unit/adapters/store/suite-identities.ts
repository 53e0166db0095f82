import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Store, StoreUnit } from '../../../../src/app/ports/index.ts';
import type { AccessToken, LoginSession } from '../../../../src/domain/auth/index.ts';
import type { ComplianceKey, ComplianceRecord } from '../../../../src/domain/compliance/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import { testCompany, testFlow, testNowMs } from '../../../support/store.ts';
import { type NewPlace, openStoreAt, rowsOf, withLeases, withStore } from './store-place.ts';

const STEP_MS = 20 * 86_400_000;

const login: LoginSession = {
  key: 'login1',
  scheme: 'sim-app',
  place: { kind: 'flow', flowKey: testFlow.key },
  providerRef: 'ref',
  pollingMs: 2000,
  createdAtMs: testNowMs,
  state: 'waiting',
  customers: {},
};

const token: AccessToken = {
  sha256: 'aa',
  companyKey: testCompany.key,
  scope: {
    kind: 'process',
    processKey: asKey('process', 'sp1'),
    signeeKey: asKey('signee', 'si1'),
  },
  createdAtMs: testNowMs,
  expiresAtMs: testNowMs + 1000,
};

const record: ComplianceRecord = {
  id: 'r1',
  companyKey: testCompany.key,
  kind: 'person',
  name: 'Þórður',
  ssn: '1201743399',
  email: 'A@example.is',
  phoneNumber: '+354 888 1234',
  contactKey: 'a@example.is 8881234',
  emailKey: 'a@example.is',
  phoneKey: '8881234',
  nameKey: 'þórður',
  pepFound: false,
  isRiskEvaluated: true,
  requirements: [{ type: 'PEP', answeredDate: '2026-01-01' }],
  updatedAtMs: testNowMs,
};

/** Logins, tokens, poll times, compliance records and lists. */
export function identityCases(newPlace: NewPlace): void {
  test('form drafts are stored until they expire, and the oldest are evicted', () =>
    withStore(newPlace, async (store, place) => {
      const draft = (key: string, forgottenAtMs: number) => ({
        ...{ key, flowKey: testFlow.key, forgottenAtMs, text: `Þórður ${key}` },
      });
      await store.write(async ({ formDrafts }) => {
        expect(await formDrafts.lock('a', testFlow.key, 1)).toBeUndefined();
        for (const [at, key] of ['a', 'b', 'c'].entries()) {
          await formDrafts.save(draft(key, 10 + at));
        }
        await formDrafts.save(draft('a', 20));
        expect(await formDrafts.lock('a', testFlow.key, 1)).toEqual(draft('a', 20));
      });
      expect(JSON.stringify(await rowsOf(place, 'SELECT * FROM form_draft'))).not.toContain(
        'Þórður',
      );
      await store.read(async ({ formDrafts }) => {
        expect(await formDrafts.find('b', 10)).toEqual(draft('b', 11));
        expect(await formDrafts.find('b', 11)).toBeUndefined();
        expect(await formDrafts.find('none', 1)).toBeUndefined();
      });
      await store.write(async ({ formDrafts }) => {
        expect(await formDrafts.removeBeyond(testFlow.key, 3)).toBe(0);
        expect(await formDrafts.removeBeyond(testFlow.key, 2)).toBe(1);
        expect(await formDrafts.find('b', 1)).toBeUndefined();
        expect(await formDrafts.removeForgotten(12)).toBe(1);
        await formDrafts.remove('a');
        expect(await formDrafts.find('a', 1)).toBeUndefined();
      });
    }));

  test('of drafts saved in the same millisecond no more than necessary are evicted', () =>
    withStore(newPlace, async (store) => {
      await store.write(async ({ formDrafts }) => {
        const { key: flowKey } = testFlow;
        for (const [key, forgottenAtMs] of Object.entries({ a: 10, b: 11, c: 11, d: 11, e: 12 })) {
          await formDrafts.save({ key, flowKey, forgottenAtMs, text: key });
        }
        const kept = async () => {
          const found = await Promise.all(
            ['a', 'b', 'c', 'd', 'e'].map((key) => formDrafts.find(key, 1)),
          );
          return found.flatMap((each) => each?.key ?? []).join('');
        };
        expect([await formDrafts.removeBeyond(flowKey, 3), await kept()]).toEqual([2, 'cde']);
        expect([await formDrafts.removeBeyond(flowKey, 2), await kept()]).toEqual([1, 'de']);
        expect([await formDrafts.removeBeyond(flowKey, 2), await kept()]).toEqual([0, 'de']);
        expect([await formDrafts.removeBeyond(flowKey, 0), await kept()]).toEqual([2, '']);
      });
    }));

  test('logins are stored with the person who answered', () =>
    withStore(newPlace, async (store) => {
      const identity = { ssn: '1201743399', name: 'Þórður' };
      const done: LoginSession = { ...login, state: 'done', identity };
      await store.write(({ logins }) => logins.add(login));
      await store.write(async ({ logins }) => {
        expect(await logins.lock('login1')).toEqual(login);
        await logins.save(done);
      });
      expect(await store.read(({ logins }) => logins.find('login1'))).toEqual(done);
      expect(await store.read(({ logins }) => logins.find('none'))).toBeUndefined();
      expect(await store.write(({ logins }) => logins.removeOld(testNowMs))).toBe(0);
      expect(await store.write(({ logins }) => logins.removeOld(testNowMs + 1))).toBe(1);
    }));

  test('tokens: the first one of a digest is kept', () =>
    withStore(newPlace, async (store) => {
      await store.write(async ({ accessTokens }) => {
        await accessTokens.put(token);
        await accessTokens.put({ ...token, expiresAtMs: token.expiresAtMs + 9 });
      });
      expect(await store.read(({ accessTokens }) => accessTokens.find('aa'))).toEqual(token);
      const remove = (nowMs: number) =>
        store.write(({ accessTokens }) => accessTokens.removeExpired(nowMs));
      expect(await remove(token.expiresAtMs - 1)).toBe(0);
      expect(await remove(token.expiresAtMs)).toBe(1);
    }));

  test('polls: one concurrent caller gets the poll, the others learn how long to wait', () =>
    withLeases(newPlace, async (store, clock) => {
      const take = (atMs: number) => {
        clock.ms = atMs;
        return store.write(({ polls }) => polls.take('k', 2000));
      };
      const waits = await Promise.all([1, 2, 3, 4].map(() => take(testNowMs)));
      expect([...waits].sort((a, b) => a - b)).toEqual([0, 2000, 2000, 2000]);
      expect(await take(testNowMs + 1500)).toBe(500);
      expect(await take(testNowMs + 2000)).toBe(0);
      expect(await take(testNowMs + 2001)).toBe(1999);
      // Before the clock of the store went back.
      expect(await take(5000)).toBe(0);
      clock.ms = 5999;
      expect(await store.write(({ polls }) => polls.removeOld(1000))).toBe(0);
      clock.ms = 6000;
      expect(await store.write(({ polls }) => polls.removeOld(1000))).toBe(1);
    }));

  test('polls: only one host polls, regardless of their clocks', () =>
    withStore(newPlace, async (store, place) => {
      const other = await openStoreAt(place);
      const take = (from: typeof store) => from.write(({ polls }) => polls.take('flight', 5000));
      expect(await take(store)).toBe(0);
      expect(await take(other)).toBeGreaterThan(4000);
      await store.write(({ polls }) => polls.release('flight'));
      expect(await take(other)).toBe(0);
      await other.close();
    }));

  test('polls: the time since the last poll is reported', () =>
    withLeases(newPlace, async (store, clock) => {
      await store.write(({ polls }) => polls.take('k', 2000));
      clock.ms += 77;
      expect(await store.read(({ polls }) => polls.ageMs('k'))).toBe(77);
      expect(await store.read(({ polls }) => polls.ageMs('other'))).toBeUndefined();
    }));

  test('tallies: concurrent increments are not lost, and no subject is stored in clear', () =>
    withStore(newPlace, async (store, place) => {
      const others = await Promise.all([1, 2].map(() => openStoreAt(place)));
      const subject = 'login of number 5812345';
      const count = (one: Store, atMs: number) =>
        one.write(async ({ tallies }) => {
          const { timesMs, open } = await tallies.lock(subject);
          await tallies.save(subject, { timesMs: [...timesMs, atMs], open }, testNowMs + 1000);
        });
      const all = [store, ...others].flatMap((one) => [1, 2, 3, 4].map((at) => count(one, at)));
      await Promise.all(all);
      const found = await store.read(({ tallies }) => tallies.find(subject));
      expect([...found.timesMs].sort()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
      await Promise.all(others.map((one) => one.close()));
      expect(await store.read(({ tallies }) => tallies.find('other'))).toEqual({
        timesMs: [],
        open: [],
      });
      const rows = await rowsOf(place, 'SELECT key, data FROM tally');
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toMatch(/5812345|login|timesMs/);
      const forget = (nowMs: number) =>
        store.write(({ tallies }) => tallies.removeForgotten(nowMs));
      expect(await forget(testNowMs + 999)).toBe(0);
      expect(await forget(testNowMs + 1000)).toBe(1);
    }));

  test('compliance records are found by number, contact and name within their company', () =>
    withStore(newPlace, async (store) => {
      const next = { ...record, pepFound: true, updatedAtMs: testNowMs + 1 };
      await store.write(async ({ compliance }) => {
        await compliance.put(record);
        await compliance.put(next);
        await compliance.put({ ...record, id: 'r2', kind: 'business' });
      });
      const find = (by: Parameters<typeof findBy>[1]) => findBy('person', by);
      const findBy = (kind: 'person' | 'business', by: ComplianceKey) =>
        store.read(({ compliance }) => compliance.find(testCompany.key, kind, by));
      expect(await find({ ssn: '1201743399' })).toEqual([next]);
      expect(await find({ contact: 'a@example.is 8881234' })).toEqual([next]);
      expect(await find({ name: 'þórður' })).toEqual([next]);
      expect(await find({ name: '1201743399' })).toEqual([]);
      expect(await find({ email: 'a@example.is' })).toEqual([next]);
      expect(await find({ phone: '8881234' })).toEqual([next]);
      expect(await find({ email: '8881234' })).toEqual([]);
      expect(await findBy('business', { ssn: '1201743399' })).toHaveLength(1);
      const other = await store.read(({ compliance }) =>
        compliance.find(asKey('company', 'other'), 'person', { ssn: '1201743399' }),
      );
      expect(other).toEqual([]);
    }));

  test('lists: the newest version and those in force within 90 days are returned', () =>
    withStore(newPlace, async (store) => {
      const content = (list: string, at: number) =>
        createHash('sha256').update(`${list} ${at}`).digest('hex');
      const stored = (list: string, at: number) => ({
        version: {
          ...{
            list,
            format: 'csv',
            importedAtMs: at * STEP_MS,
            sha256: '',
            persons: at,
            names: 1,
            others: 0,
          },
        },
        contentSha256: content(list, at),
      });
      const add = (list: string, at: number) =>
        store.write(({ watchlists }) => watchlists.add(testCompany.key, stored(list, at)));
      for (let at = 1; at <= 12; at++) await add('b', at);
      await add('a', 3);
      await add('a', 3);
      const read = <T>(ask: (unit: StoreUnit) => Promise<T>) => store.read(ask);
      const current = await read(({ watchlists }) => watchlists.current(testCompany.key));
      expect(current).toEqual([stored('a', 3), stored('b', 12)]);
      const versions = await read(({ watchlists }) => watchlists.versions(testCompany.key, 'b'));
      const steps = versions.map(({ version }) => version.importedAtMs / STEP_MS);
      expect(steps).toEqual([12, 11, 10, 9, 8, 7]);
      const named = [content('b', 1), content('b', 12)];
      expect(await read(({ processes }) => processes.referenced(named))).toEqual([named[1]]);
      const other = asKey('company', 'other');
      expect(await read(({ watchlists }) => watchlists.current(other))).toEqual([]);
      const later = { ...testCompany, key: other };
      await store.write(({ companies }) => companies.add(later));
      await store.write(({ watchlists }) => watchlists.add(other, stored('c', 13)));
      const companiesOf = (take: number) => read(({ watchlists }) => watchlists.companies(take));
      expect(await companiesOf(9)).toEqual([other, testCompany.key]);
      expect(await companiesOf(1)).toEqual([other]);
      const remove = () => store.write(({ watchlists }) => watchlists.remove(testCompany.key, 'b'));
      expect([await remove(), await remove()]).toEqual([6, 0]);
    }));
}
