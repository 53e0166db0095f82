import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agreement, openTestService, type TestService } from './open-service.ts';

const DAY = 86_400_000;
const owner = 'owner@example.test';
const person = (name: string) =>
  ({
    name,
    email: `${name}@example.test`,
    signatureType: 'ClickToSign',
    delivery: 'Email',
  }) as const;

let it: TestService;
beforeAll(async () => {
  it = await openTestService();
}, 60_000);
afterAll(() => it?.close());

const outbox = () => join(it.folder, 'data', 'outbox', 'mail');
const recipients = () =>
  readdirSync(outbox()).map(
    (name) => /^To: (.*)$/m.exec(readFileSync(join(outbox(), name), 'utf8'))?.[1]?.trim() ?? '',
  );
const create = (more: object = {}) =>
  it.toolkit.processes.create({
    flowKey: it.flowKey,
    pdf: agreement,
    signees: [person('anna')],
    user: owner,
    ...more,
  });

describe('concurrent additions of signees', () => {
  test('give each signee a different position', async () => {
    const { processes } = it.toolkit;
    const { key } = await create();
    const names = ['bjorn', 'carl', 'dora', 'eva'];
    await Promise.all(
      names.map((name) => processes.addSignee({ key, signee: person(name), by: owner })),
    );
    const { signees } = await processes.show({ key });
    expect(signees.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4]);
  });

  test('do not exceed the limit of a process', async () => {
    const { processes } = it.toolkit;
    const silent = (at: number) => ({ ...person(`p${at}`), delivery: 'None' as const });
    const { key } = await create({ signees: Array.from({ length: 198 }, (_, at) => silent(at)) });
    const answers = await Promise.allSettled(
      [198, 199, 200, 201].map((at) => processes.addSignee({ key, signee: silent(at), by: owner })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    const refused = answers.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'validation.error' } });
    expect((await processes.show({ key })).signees.length).toBe(200);
  });
});

describe('reminders of a process whose deadline is extended', () => {
  const nextAt = async (key: string) => {
    const { signees } = await it.toolkit.processes.show({ key });
    return signees[0]?.reminder?.nextAtMs;
  };
  /**
   * After 15 days, and every 15 days: the second reminder would come after the end of the process.
   */
  const untilThePlanEnds = async () => {
    const { key } = await create({ reminderRule: '15:15' });
    it.pass(15 * DAY + 1000);
    await it.toolkit.runDueJobs();
    expect(await nextAt(key)).toBeUndefined();
    return key;
  };
  const longer = (key: string) =>
    it.toolkit.processes.extend({ key, expiresAtMs: it.nowMs() + 60 * DAY, by: owner });

  test('continue', async () => {
    const key = await untilThePlanEnds();
    await longer(key);
    expect(await nextAt(key)).toBeGreaterThan(it.nowMs());
    it.pass(15 * DAY);
    await it.toolkit.runDueJobs();
    const { signees } = await it.toolkit.processes.show({ key });
    expect(signees[0]?.reminder?.sentCount).toBe(2);
  });

  test('stay off if they were cancelled', async () => {
    const { processes, reminders } = it.toolkit;
    const key = await untilThePlanEnds();
    const [signee] = (await processes.show({ key })).signees;
    await reminders.cancelReminders({ processKey: key, signeeKey: signee?.key ?? '' }, owner);
    await longer(key);
    expect(await nextAt(key)).toBeUndefined();
  });
});

describe('a new e-mail address of a person who signs several documents', () => {
  beforeEach(async () => {
    await it.toolkit.runDueJobs();
  });
  const sequence = async () => {
    const document = { flowKey: it.flowKey, pdf: agreement, signees: [person('jona')] };
    const { processes } = await it.toolkit.processes.createSequence({
      user: owner,
      processes: [document, { ...document, reminderRule: '1:1' }],
    });
    return processes.map(({ key, signees }) => ({
      processKey: key,
      signeeKey: signees[0]?.key ?? '',
    }));
  };
  const rename = (place: { processKey: string; signeeKey: string }, email: string) =>
    it.toolkit.processes.updateSignee({
      key: place.processKey,
      signeeKey: place.signeeKey,
      change: { email },
      by: owner,
    });
  const countOf = (address: string) => recipients().filter((to) => to === address).length;

  test('receives every unsent message once, and the old address receives no more', async () => {
    const places = await sequence();
    const before = countOf('jona@example.test');
    await rename(places[1] as (typeof places)[0], 'jona.new@example.test');
    await it.toolkit.runDueJobs();
    it.pass(DAY + 1000);
    await it.toolkit.runDueJobs();
    expect(countOf('jona@example.test')).toBe(before);
    // The invitation and one reminder.
    expect(countOf('jona.new@example.test')).toBe(2);
    for (const { processKey } of places) {
      const { signees } = await it.toolkit.processes.show({ key: processKey });
      expect(signees[0]?.email).toBe('jona.new@example.test');
    }
  });

  test('does not change what is already signed', async () => {
    const places = await sequence();
    const [first, second] = places as [(typeof places)[0], (typeof places)[0]];
    await it.toolkit.signing.signByClick(first);
    await it.toolkit.runDueJobs();
    const before = countOf('jona@example.test');
    await rename(second, 'jona.late@example.test');
    await it.toolkit.signing.signByClick(second);
    await it.toolkit.runDueJobs();
    expect(countOf('jona@example.test')).toBe(before);
    expect(countOf('jona.late@example.test')).toBeGreaterThan(0);
    const { signees } = await it.toolkit.processes.show({ key: first.processKey });
    expect(signees[0]?.email).toBe('jona@example.test');
  });
});

test('an address that one document of a sequence rejects is changed in none of them', async () => {
  const signees = [person('jona')];
  const taken = { ...person('jona'), email: 'taken@example.test' };
  const { processes } = await it.toolkit.processes.createSequence({
    user: owner,
    processes: [
      { flowKey: it.flowKey, pdf: agreement, signees },
      { flowKey: it.flowKey, pdf: agreement, signees: [...signees, taken] },
    ],
  });
  const [first, second] = processes;
  const change = { email: 'taken@example.test' };
  const asked = it.toolkit.processes.updateSignee({
    key: first?.key ?? '',
    signeeKey: first?.signees[0]?.key ?? '',
    change,
    by: owner,
  });
  await expect(asked).rejects.toMatchObject({ code: 'error.signee.add.exists' });
  for (const each of [first, second]) {
    const { rev, signees: now } = await it.toolkit.processes.show({ key: each?.key ?? '' });
    expect([rev, now[0]?.email]).toEqual([each?.rev, 'jona@example.test']);
  }
});

describe('line breaks in values that become headers', () => {
  const split = 'a\r\nX-Evil: yes';
  test.each([
    ['in the type of an attachment', { attachments: [{ fileName: 'a', contentType: split }] }],
    ['an invalid media type', { attachments: [{ fileName: 'a', contentType: 'nonsense' }] }],
    ['in the name of an attachment', { attachments: [{ fileName: split }] }],
    ['in the file name of the document', { fileName: 'a\nb.pdf' }],
    ['half of a surrogate pair in a name', { fileName: 'a\ud800.pdf' }],
    ['in the name of a signee', { signees: [{ ...person('x'), name: split }] }],
    ['in the display name of the process', { activityDisplayName: split }],
  ])('are rejected: %s', async (_what, more) => {
    const { attachments = [], ...rest } = more as { attachments?: object[] };
    const files = attachments.map((each) => ({ content: Buffer.from('x'), ...each }));
    await expect(create({ ...rest, attachments: files })).rejects.toMatchObject({
      code: 'validation.error',
    });
  });

  test('media types with parameters are accepted', async () => {
    const types = ['text/plain; charset=utf-8', 'application/vnd.x+json', 'a/b;c="d e"'];
    const attachments = types.map((contentType) => ({
      fileName: 'a',
      content: Buffer.from('x'),
      contentType,
    }));
    const made = await create({ attachments });
    expect(made.attachments.map(({ contentType }) => contentType)).toEqual(types);
  });
});

describe('jobs of a process that has ended', () => {
  const jobsOf = (key: string) => {
    const db = new Sqlite(join(it.folder, 'data', 'innsigli.db'), { readonly: true });
    const rows = db.prepare('SELECT kind FROM job WHERE ref = ? ORDER BY kind').all(key);
    db.close();
    return rows.map((row) => (row as { kind: string }).kind);
  };

  test('after cancellation only the purge remains', async () => {
    const { key } = await create({ reminderRule: '1:1' });
    expect(jobsOf(key)).toEqual(['expire', 'remind']);
    await it.toolkit.processes.cancel({ key, by: owner });
    expect(jobsOf(key)).toEqual(['purge']);
  });

  test('after the last signature only the sealing remains', async () => {
    const { key, signees } = await create({ reminderRule: '1:1' });
    await it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
    expect(jobsOf(key)).toEqual(['finalize']);
  });
});
