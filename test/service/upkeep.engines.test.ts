import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';
import { agreement, type TestService } from './open-service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const click = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' } as const;

const contentsOf = ({ folder }: TestService) => {
  const objects = join(folder, 'data', 'objects');
  if (!existsSync(objects)) return [];
  const names = readdirSync(objects, { recursive: true }).map(String);
  return names.filter((name) => /[0-9a-f]{64}$/.test(name));
};

describeOnEngines('upkeep of the service', (service) => {
  test('blobs of rejected requests are removed after 30 days, without a purge', async () => {
    const it = service();
    const before = contentsOf(it).length;
    const attachments = [
      { fileName: 'a.txt', content: Buffer.from('nobody will need this') },
      { fileName: 'bad/name', content: Buffer.from('nor this') },
    ];
    const refused = it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: [click],
      attachments,
    });
    await expect(refused).rejects.toMatchObject({ code: 'validation.error' });
    expect(contentsOf(it).length).toBeGreaterThan(before);
    it.pass(DAY + 2 * HOUR);
    await it.toolkit.runDueJobs();
    expect(contentsOf(it).length).toBeGreaterThan(before);
    it.pass(30 * DAY);
    await it.toolkit.runDueJobs();
    expect(contentsOf(it)).toHaveLength(before);
  });

  test('jobs scheduled before the clock was set back are still done', async () => {
    const it = service();
    const { processes, signing, runDueJobs: work, messages } = it.toolkit;
    it.pass(36 * HOUR);
    const delivery = 'Email' as const;
    const signees = [{ ...click, delivery }];
    const { key, signees: made } = await processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees,
    });
    const signeeKey = made[0]?.key as never;
    await signing.signByClick({ processKey: key, signeeKey, circumstances: {} });
    // The clock may be at most a day behind the rows of the log.
    it.pass(-(24 * HOUR - 60_000));
    await work(['finalize']);
    expect((await processes.show({ key })).status).toBe('Completed');
    it.pass(-12 * HOUR);
    expect((await work(['message'])).failed).toMatchObject([{ code: 'clock.back' }]);
    it.pass(13 * HOUR);
    await work(['message']);
    expect(await messages.list({ states: ['waiting'] })).toEqual([]);
  });
});
