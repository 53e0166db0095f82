import fs, { existsSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asKey } from '../../src/domain/keys.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const person = {
  name: 'Sólveig Purgesdóttir',
  ssn: '1203851234',
  email: 'solveig.purge@example.test',
  signatureType: 'ClickToSign',
  delivery: 'Email',
} as const;

const filesIn = (it: TestService, ...path: string[]) => {
  const folder = join(it.folder, 'data', ...path);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => /([0-9a-f]{64}|\.eml|\.txt)$/.test(name));
};

test('no revision of a signed document, evidence or message survives a purge', async () => {
  const it = await openTestService();
  try {
    const { processes, signing, flows } = it.toolkit;
    await flows.update(it.flowKey, { settings: { evidencePage: true, confirmSignees: true } });
    const code = { ...person, ssn: '', email: 'b@example.test', phoneNumber: '+11111111111' };
    const { key, signees } = await processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: [person, { ...code, signatureType: 'Simple' }],
      attachments: [{ fileName: 'a.txt', content: Buffer.from('a') }],
    });
    const [first, second] = signees.map((each) => ({ processKey: key, signeeKey: each.key }));
    await it.toolkit.runDueJobs();
    await signing.signByClick(first as NonNullable<typeof first>);
    const place = second as NonNullable<typeof second>;
    const { token } = await signing.sendCode(place);
    await signing.signByCode(place, token, '123456');
    await it.toolkit.runDueJobs();
    expect((await processes.show({ key })).status).toBe('Completed');
    expect(filesIn(it, 'objects').length).toBeGreaterThan(5);
    expect(filesIn(it, 'outbox').length).toBeGreaterThan(3);
    it.pass(HOUR + 60_000);
    await processes.purge({ key, by: 'System' });
    expect(filesIn(it, 'objects')).toEqual([]);
    expect(filesIn(it, 'outbox')).toEqual([]);
  } finally {
    await it.close();
  }
}, 60_000);

test('the user of a sequence is removed with its last document', async () => {
  const it = await openTestService();
  try {
    const { processes } = it.toolkit;
    const document = { flowKey: it.flowKey, pdf: agreement, signees: [person] };
    const user = 'sequence.owner@example.test';
    const { sequence } = await processes.createSequence({ user, processes: [document, document] });
    const { key, processKeys } = sequence;
    await processes.cancelSequence({ key, by: user });
    const starter = async () => (await processes.showSequence({ key })).sequence.user;
    for (const each of processKeys) {
      expect(await starter()).toBe(user);
      await processes.purge({ key: each, by: 'System' });
    }
    expect(await starter()).toBe('System');
    await it.service.close();
    const file = readFileSync(join(it.folder, 'data', 'innsigli.db'), 'latin1');
    expect(file.includes('sequence.owner')).toBe(false);
  } finally {
    await it.close();
  }
}, 60_000);

test('a purge interrupted before any removal is completed by a worker', async () => {
  const it = await openTestService();
  try {
    const { processes, signing } = it.toolkit;
    const { key, signees } = await processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: [person],
    });
    const signeeKey = signees[0]?.key as never;
    await signing.signByClick({ processKey: key, signeeKey, circumstances: {} });
    await it.toolkit.runDueJobs();
    expect(filesIn(it, 'objects').length).toBeGreaterThan(2);
    it.pass(HOUR + 60_000);
    // A folder that does not permit renaming blocks the removal, as a crash would.
    const died = vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw Object.assign(new Error('died'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
    await expect(processes.purge({ key, by: 'System' })).rejects.toMatchObject({
      code: 'store.unavailable',
    });
    died.mockRestore();
    syncBuiltinESMExports();
    expect(filesIn(it, 'objects').length).toBeGreaterThan(2);
    await it.toolkit.runDueJobs(['purge']);
    expect(filesIn(it, 'objects')).toEqual([]);
  } finally {
    await it.close();
  }
}, 60_000);

describe('a purged process', () => {
  let it: TestService;
  let key = '';
  let delivery = '';
  beforeAll(async () => {
    it = await openTestService();
    const flowKey = asKey('flow', it.flowKey);
    const { webhooks, processes } = it.toolkit;
    await webhooks.create({ flowKey, type: 'Created', url: 'http://127.0.0.1:59321/hook' });
    const process = await processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      fileName: 'secret-plan.pdf',
      signees: [person],
    });
    key = process.key;
    await it.toolkit.runDueJobs();
    delivery = (await webhooks.deliveries())[0]?.id ?? '';
    await processes.cancel({ key, by: 'System' });
    await processes.purge({ key, by: 'System' });
  }, 60_000);
  afterAll(() => it?.close());

  test('has neither contents nor persons', async () => {
    const process = await it.toolkit.processes.show({ key });
    expect(process).toMatchObject({ status: 'Canceled', fileName: '', meta: {} });
    expect(JSON.stringify(process)).not.toMatch(/Purgesd|solveig|1203851234|secret-plan/);
    await expect(it.toolkit.processes.document(key)).rejects.toMatchObject({
      code: 'process.file.not_found',
    });
    // Recently stored contents may just have been referenced by another process.
    expect(filesIn(it, 'objects')).toHaveLength(1);
    it.pass(HOUR + 60_000);
    await it.toolkit.runDueJobs();
    expect(filesIn(it, 'objects')).toEqual([]);
  });

  test('sends and replays nothing', async () => {
    it.pass(2 * DAY);
    const before = readdirSync(join(it.folder, 'data', 'outbox', 'mail')).length;
    await it.toolkit.runDueJobs();
    expect(readdirSync(join(it.folder, 'data', 'outbox', 'mail')).length).toBe(before);
    const { webhooks } = it.toolkit;
    await expect(webhooks.replay({ deliveryId: delivery })).rejects.toMatchObject({
      code: 'process.file.not_found',
    });
    await expect(webhooks.deliveryBody(delivery)).rejects.toMatchObject({
      code: 'process.file.not_found',
    });
    expect((await webhooks.delivery(delivery)).delivery.state).toBe('canceled');
  });

  test('keeps a log that verifies, without persons', async () => {
    const { activity } = it.toolkit;
    expect(await activity.verify({ processKey: asKey('process', key) })).toMatchObject({
      isIntact: true,
    });
    const [log] = await activity.list({ fromMs: 0, toMs: it.nowMs() + DAY, take: 9, skip: 0 });
    expect(JSON.stringify(log)).not.toMatch(/Purgesd|solveig|1203851234/);
    expect(log?.activityLog.at(-1)?.status).toBe('Purged');
  });

  test('leaves nothing readable in the database file', async () => {
    await it.service.close();
    const file = readFileSync(join(it.folder, 'data', 'innsigli.db'), 'latin1');
    for (const secret of ['Purgesd', 'solveig.purge', '1203851234', 'secret-plan']) {
      expect(file.includes(secret), secret).toBe(false);
    }
  });
});
