import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agreement, openTestService, type TestService } from './open-service.ts';

const email = 'anna@example.test';
const signees = [{ name: 'Anna', email, signatureType: 'ClickToSign' }] as const;

let own: TestService;
beforeEach(async () => {
  own = await openTestService();
});
afterEach(() => own.close());

const place = (name: string) => join(own.folder, 'data', name);
const mails = () => (existsSync(place('outbox/mail')) ? readdirSync(place('outbox/mail')) : []);
const signed = async () => {
  const { flowKey, toolkit } = own;
  const { key, signees: made } = await toolkit.processes.create({
    flowKey,
    pdf: agreement,
    signees,
  });
  await toolkit.signing.signByClick({ processKey: key, signeeKey: made[0]?.key ?? '' });
  return key;
};

test('a worker stops if the database is not its own, and continues once it is', async () => {
  const key = await signed();
  const id = `${'ab'.repeat(16)}\n`;
  const mark = place('objects/.store');
  renameSync(mark, `${mark}.kept`);
  writeFileSync(mark, id);
  for (let turn = 0; turn < 3; turn++) {
    await expect(own.service.work()).rejects.toMatchObject({ code: 'store.mismatch' });
    own.pass(60_000);
  }
  await expect(own.service.health()).rejects.toMatchObject({ code: 'store.mismatch' });
  expect(mails()).toEqual([]);
  renameSync(`${mark}.kept`, mark);
  const { failed } = await own.service.work();
  expect(failed).toEqual([]);
  expect((await own.toolkit.processes.show({ key })).status).toBe('Completed');
});

test('a database replaced under a running worker is detected within seconds', async () => {
  await own.service.work();
  await signed();
  writeFileSync(place('objects/.store'), `${'ab'.repeat(16)}\n`);
  own.pass(6000);
  await expect(own.service.work()).rejects.toMatchObject({ code: 'store.mismatch' });
});

test('a missing content folder does not count as a failure of processes', async () => {
  const key = await signed();
  await own.service.work(['expire']);
  renameSync(place('objects'), place('gone'));
  const { failed } = await own.service.work(['finalize']);
  expect(failed).toMatchObject([{ kind: 'finalize', code: 'store.mismatch' }]);
  expect((await own.toolkit.processes.show({ key })).finalization?.attempts ?? 0).toBe(0);
  renameSync(place('gone'), place('objects'));
  own.pass(3_600_000);
  await own.service.work();
  expect((await own.toolkit.processes.show({ key })).status).toBe('Completed');
});
