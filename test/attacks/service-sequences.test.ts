import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agreement, openTestService, type TestService } from '../service/open-service.ts';

let test: TestService;
const owner = 'owner@example.test';
const [anna, bjorn] = ['anna', 'bjorn'].map((name) => ({
  name,
  email: `${name}@example.test`,
  delivery: 'Email' as const,
  signatureType: 'ClickToSign' as const,
}));
const persons = [anna, bjorn] as [NonNullable<typeof anna>, NonNullable<typeof bjorn>];

beforeAll(async () => {
  test = await openTestService();
}, 60_000);
afterAll(() => test.close());

async function ordered() {
  const { toolkit, flowKey } = test;
  const document = { flowKey, pdf: agreement, signees: persons };
  const { sequence, processes } = await toolkit.processes.createSequence({
    user: owner,
    signInOrder: true,
    processes: [document, document],
  });
  const place = (document: number, signee: number) => ({
    processKey: processes[document]?.key ?? '',
    signeeKey: processes[document]?.signees[signee]?.key ?? '',
  });
  const states = async () =>
    (await toolkit.processes.showSequence({ key: sequence.key })).processes.map(
      ({ status, signees }) => [status, ...signees.map(({ state }) => state)],
    );
  return { key: sequence.key, place, states, keys: processes.map(({ key }) => key) };
}

describe('an ordered sequence continues when one of its documents ends early', () => {
  it('by cancellation: the next person is invited to the remaining documents', async () => {
    const { toolkit } = test;
    const { place, states, keys } = await ordered();
    await toolkit.signing.signByClick(place(0, 0));
    await toolkit.processes.cancel({ key: keys[1] ?? '', by: owner });
    expect(await states()).toEqual([
      ['Active', 'Signed', 'Invited'],
      ['Canceled', 'Invited', 'Pending'],
    ]);
    await toolkit.signing.signByClick(place(0, 1));
  });

  it('by the expiry job: the next person is invited to the remaining documents', async () => {
    const { toolkit } = test;
    const { place, states, keys } = await ordered();
    await toolkit.signing.signByClick(place(0, 0));
    await toolkit.processes.extend({
      key: keys[0] ?? '',
      expiresAtMs: test.nowMs() + 40 * 86_400_000,
      by: owner,
    });
    test.pass(31 * 86_400_000);
    await toolkit.runDueJobs(['expire']);
    expect(await states()).toEqual([
      ['Active', 'Signed', 'Invited'],
      ['Expired', 'Invited', 'Pending'],
    ]);
    await toolkit.signing.signByClick(place(0, 1));
  });

  it('by expiry found on access: the next person is invited to the remaining documents', async () => {
    const { toolkit } = test;
    const { place, states, keys } = await ordered();
    await toolkit.signing.signByClick(place(0, 0));
    await toolkit.processes.extend({
      key: keys[0] ?? '',
      expiresAtMs: test.nowMs() + 40 * 86_400_000,
      by: owner,
    });
    test.pass(31 * 86_400_000);
    await expect(toolkit.processes.block({ key: keys[1] ?? '', by: owner })).rejects.toMatchObject({
      code: 'signing.forbidden.expired',
    });
    expect(await states()).toEqual([
      ['Active', 'Signed', 'Invited'],
      ['Expired', 'Invited', 'Pending'],
    ]);
  });

  it('but not when the whole sequence is cancelled: no one else is invited', async () => {
    const { toolkit } = test;
    const { key, states } = await ordered();
    await toolkit.processes.cancelSequence({ key, by: owner });
    expect(await states()).toEqual([
      ['Canceled', 'Invited', 'Pending'],
      ['Canceled', 'Invited', 'Pending'],
    ]);
  });
});

describe('notifications for a sequence that is only partly completed', () => {
  const mailsTo = (address: string) => {
    const folder = join(test.folder, 'data', 'outbox', 'mail');
    const all = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return all.filter(
      (mail) => mail.includes(`To: ${address}`) && mail.includes('application/pdf'),
    );
  };
  const made = async (address: string) => {
    const { toolkit, flowKey } = test;
    const jon = { ...persons[0], email: address };
    const document = { flowKey, pdf: agreement, signees: [jon] };
    const { sequence, processes } = await toolkit.processes.createSequence({
      user: owner,
      processes: [document, document],
    });
    const [first, second] = processes.map(({ key, signees }) => ({
      processKey: key as string,
      signeeKey: (signees[0]?.key ?? '') as string,
    }));
    return { key: sequence.key, first: first as Place, second: second as Place };
  };
  type Place = { readonly processKey: string; readonly signeeKey: string };

  it.each([
    ['before the other is completed', 0],
    ['after the other is completed', 1],
    ['with the whole sequence', 2],
  ])('one document cancelled %s: the signee receives the other one once', async (_when, order) => {
    const { toolkit } = test;
    const address = `jon${order}@example.test`;
    const { key, first, second } = await made(address);
    const cancel = () => toolkit.processes.cancel({ key: second.processKey, by: owner });
    if (order === 0) await cancel();
    await toolkit.signing.signByClick(first);
    await toolkit.runDueJobs();
    if (order === 1) await cancel();
    if (order === 2) await toolkit.processes.cancelSequence({ key, by: owner });
    await toolkit.runDueJobs();
    await toolkit.runDueJobs();
    expect(mailsTo(address).length).toBe(1);
  });

  it('a repeated purge reports removed personal data only once', async () => {
    const { toolkit } = test;
    const { key, first } = await made('twice@example.test');
    await toolkit.processes.cancelSequence({ key, by: owner });
    for (let time = 0; time < 3; time++)
      await toolkit.processes.purge({ key: first.processKey, by: owner });
    const range = { fromMs: 0, toMs: test.nowMs() + 1, take: 1, skip: 0 };
    const query = { ...range, processKey: first.processKey } as never;
    const [found] = await toolkit.activity.list(query);
    const rows = found?.activityLog.filter(({ status }) => status === 'Purged');
    expect(rows?.length).toBe(1);
  });
});
