import { expect, test } from 'vitest';
import { openVault } from '../../../../src/adapters/vault/index.ts';
import { planJobs } from '../../../../src/app/webhook/plan.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import { testCompany, testFlow, testProcess, testSignee } from '../../../support/store.ts';
import { execute, type NewPlace, openStoreAt, withStore } from './store-place.ts';

const companyKey = testCompany.key;
const ssn = '1201743399';
const key = testProcess(1).key;
const other = { ...testCompany, key: asKey('company', 'b'), ssn, createdAtMs: 1 };
const message = (id: string) =>
  ({
    id,
    companyKey,
    processKey: key,
    template: 'OneTimeCode',
    channel: 'Email',
    to: 'a@b.is',
    attempts: 0,
    values: { code: '123456' },
    state: 'waiting',
    includeUnsubscribe: false,
    createdAtMs: 5,
  }) as const;
const webhook = {
  companyKey,
  flowKey: testFlow.key,
  type: 'Created',
  url: 'https://receiver.test/',
  isActive: true,
  isOrdered: false,
  secrets: ['whsec_c2VjcmV0'],
  createdAtMs: 1,
} as never;
const event = (id: string, seq: number) => ({
  id,
  companyKey,
  flowKey: testFlow.key,
  processKey: key,
  seq,
  type: 'Created' as const,
  body: ['{}', ''] as const,
  createdAtMs: 1,
});
const delivery = (id: string, eventId: string, webhookId: number) =>
  ({
    id,
    eventId,
    webhookId,
    processKey: key,
    state: 'waiting',
    attempts: 0,
    createdAtMs: 1,
    updatedAtMs: 1,
  }) as never;

/** Rows encrypted with a different key, as by a host with its own key. */
export function unreadableCases(newPlace: NewPlace): void {
  test('an unreadable row does not prevent others from being listed', () =>
    withStore(newPlace, async (store, place) => {
      await store.write(async ({ processes, messages, webhooks }) => {
        await processes.add(testProcess(1, { signees: [testSignee(1, { ssn })] }));
        await messages.add(message('ms1'));
        await webhooks.add(webhook);
      });
      const stranger = await openStoreAt(place, openVault(Buffer.alloc(32, 8)));
      const strange = await stranger.write(async ({ companies, processes, messages, webhooks }) => {
        await companies.add(other);
        await processes.add(testProcess(2, { signees: [testSignee(2, { ssn })] }));
        await messages.add(message('ms2'));
        return webhooks.add(webhook);
      });
      await stranger.close();
      await store.read(async ({ companies, processes, messages, webhooks }) => {
        const listed = await processes.list({ companyKey, skip: 0, take: 9 });
        expect(listed.map(({ signees }) => signees[0]?.ssn)).toEqual([undefined, ssn]);
        expect(listed[0]?.signees[0]?.name).toBe(testSignee(2).name);
        const search = { companyKey, search: 'agreement', skip: 0, take: 9 };
        expect(await processes.list(search)).toHaveLength(2);
        const { ssn: _, ...rest } = other;
        expect(await companies.list()).toEqual([rest, testCompany]);
        const filter = { companyKey, states: ['waiting'], take: 9 } as const;
        for (const list of [await messages.list(filter), await messages.ofProcess(key)]) {
          const values = new Map(list.map((each) => [each.id, each.values]));
          expect(values).toEqual(
            new Map<string, object>([
              ['ms1', { code: '123456' }],
              ['ms2', {}],
            ]),
          );
        }
        const secrets = (await webhooks.forFlow(testFlow.key)).map((each) => each.secrets);
        expect(secrets).toEqual([['whsec_c2VjcmV0'], []]);
      });
      const unreadable = { code: 'vault.invalid' };
      await store.read(async ({ companies, processes, messages, webhooks }) => {
        await expect(companies.find(other.key)).rejects.toMatchObject(unreadable);
        await expect(processes.find(testProcess(2).key)).rejects.toMatchObject(unreadable);
        await expect(messages.find('ms2')).rejects.toMatchObject(unreadable);
        await expect(webhooks.find(strange)).rejects.toMatchObject(unreadable);
      });
      await store.write(({ messages }) => messages.eraseOf(key));
      const states = await store.read(({ messages }) => messages.ofProcess(key));
      expect(states.map(({ state, to }) => [state, to])).toEqual([
        ['canceled', ''],
        ['canceled', ''],
      ]);
    }));

  test.each(['Nonsense', 'constructor'])(
    'a process with the status %s is listed and rejects every command',
    (status) =>
      withStore(newPlace, async (store, place) => {
        await store.write(({ processes }) => processes.add(testProcess(1)));
        await execute(place, `UPDATE process SET status = '${status}'`);
        const filter = { companyKey, skip: 0, take: 9 };
        const listed = await store.read(({ processes }) => processes.list(filter));
        expect(listed.map((each) => each.status)).toEqual([status]);
        const message = `process ${key}: expected a process status, found "${status}"`;
        const damaged = { code: 'store.corrupt', message };
        const find = store.read(({ processes }) => processes.find(key));
        await expect(find).rejects.toMatchObject(damaged);
        const lock = store.write(({ processes }) => processes.lock(key));
        await expect(lock).rejects.toMatchObject(damaged);
      }),
  );

  test('an unreadable event or webhook ends only its own deliveries', () =>
    withStore(newPlace, async (store, place) => {
      const known = await store.write(async ({ processes, webhooks }) => {
        await processes.add(testProcess(1));
        const id = await webhooks.add(webhook);
        await webhooks.addEvent(event('e1', 1));
        await webhooks.addDelivery(delivery('d1', 'e1', id));
        return id;
      });
      const stranger = await openStoreAt(place, openVault(Buffer.alloc(32, 8)));
      const strange = await stranger.write(async ({ webhooks }) => {
        await webhooks.addEvent(event('e2', 2));
        return webhooks.add(webhook);
      });
      await stranger.close();
      await store.write(async ({ webhooks }) => {
        await webhooks.addDelivery(delivery('d2', 'e2', known));
        await webhooks.addDelivery(delivery('d3', 'e1', strange));
      });
      const jobs = ['d1', 'd2', 'd3'].map((ref) => {
        return { kind: 'webhook', ref, runAtMs: 1, attempts: 1, owner: 'o' } as const;
      });
      const plans = await planJobs(store, jobs, 9);
      const sent = plans.map((plan) => 'webhook' in plan);
      expect(sent).toEqual([true, false, false]);
      expect(plans.map(({ delivery }) => [delivery?.state, delivery?.lastErrorCode])).toEqual([
        ['waiting', undefined],
        ['dead', 'vault.invalid'],
        ['dead', 'vault.invalid'],
      ]);
    }));
}
