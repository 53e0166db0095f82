import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const DAY = 86_400_000;
const anna = {
  name: 'Anna Þórðardóttir',
  ssn: '6000101994',
  phoneNumber: '6666666',
  email: 'anna@example.test',
  signatureType: 'Qualified',
  delivery: 'Email',
} as const;
const bjorn = {
  name: 'Björn Čeněk',
  phoneNumber: '+11111111111',
  email: 'bjorn@example.test',
  signatureType: 'Simple',
  delivery: 'Email',
} as const;
const carl = {
  name: 'Łucja Ödön',
  email: 'carl@example.test',
  signatureType: 'ClickToSign',
  delivery: 'Email',
} as const;

describe('a document with a signee of each type, in order', () => {
  let it: TestService;
  let key = '';
  let signees: readonly { readonly key: string }[] = [];
  const place = (at: number) => ({ processKey: key, signeeKey: signees[at]?.key ?? '' });
  const statuses = async () => {
    const [log] = await it.toolkit.activity.list({
      fromMs: 0,
      toMs: it.nowMs() + DAY,
      take: 10,
      skip: 0,
    });
    return log?.activityLog.map(({ status }) => status) ?? [];
  };
  const mails = () => {
    const folder = join(it.folder, 'data', 'outbox', 'mail');
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  };

  beforeAll(async () => {
    it = await openTestService();
    const process = await it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      fileName: 'agreement.pdf',
      signees: [anna, bjorn, carl],
      signInOrder: true,
      user: 'owner@example.test',
      reminderRule: '1:3',
    });
    key = process.key;
    signees = process.signees;
  }, 60_000);
  afterAll(() => it?.close());

  test('first only the first signee is invited', async () => {
    await it.toolkit.runDueJobs();
    expect(mails().length).toBe(1);
    expect(mails()[0]).toContain('anna@example.test');
    expect(await statuses()).toContain('SignupSent');
  });

  test('the order of signees is enforced', async () => {
    await expect(it.toolkit.signing.signByClick(place(2))).rejects.toMatchObject({
      code: 'signing.forbidden.order',
    });
  });

  test('a reminder is sent after a day', async () => {
    it.pass(DAY + 1000);
    await it.toolkit.runDueJobs();
    await it.toolkit.runDueJobs();
    expect(mails().length).toBe(2);
    expect(await statuses()).toContain('ReminderSent');
  });

  test('the first signee signs with an e-ID', async () => {
    const session = await it.toolkit.signing.startQualified(place(0), {
      channel: 'Sim',
      loginHint: '6666666',
    });
    await expect(it.toolkit.signing.signByClick(place(2))).rejects.toThrow();
    it.pass(5000);
    const answer = await it.toolkit.signing.pollQualified(place(0), session.token);
    expect(answer.state).toBe('signed');
    const partial = await it.toolkit.processes.document(key);
    expect(Buffer.compare(partial.subarray(0, agreement.length), agreement)).toBe(0);
  });

  test('the second signee signs with a code, the third with a click', async () => {
    const { token } = await it.toolkit.signing.sendCode(place(1));
    await it.toolkit.signing.signByCode(place(1), token, '123456');
    await it.toolkit.signing.signByClick(place(2));
    expect((await it.toolkit.processes.show({ key })).phase).toBe('Finalizing');
  });

  test('the worker seals the document, and everything verifies', async () => {
    const report = await it.toolkit.runDueJobs();
    expect(report.failed).toEqual([]);
    const process = await it.toolkit.processes.show({ key });
    expect(process).toMatchObject({ status: 'Completed', finalization: { level: 'B-LTA' } });
    const link = /\/s\/verify\?lng=(?:3D)?(\w\w)/;
    const languages = mails().flatMap((mail) => link.exec(mail.replaceAll('=\r\n', ''))?.[1] ?? []);
    expect(languages.length).toBeGreaterThan(0);
    expect(mails().length).toBe(2 + languages.length);
    expect(process.attachments.map(({ type }) => type)).toContain('EvidencePage');
    const pdf = await it.toolkit.processes.document(key);
    const { openToolkit } = await import('../../src/wire/toolkit.ts');
    const { resolveConfig } = await import('../../src/wire/config/resolve.ts');
    const { config } = resolveConfig({
      flags: {},
      env: { HOME: it.folder, INNSIGLI_HOME: join(it.folder, 'data') },
      cwd: it.folder,
    });
    const kit = openToolkit(config, { now: it.nowMs, random: () => new Uint8Array(8), warn() {} });
    const verdict = await kit.verify(memorySource(pdf));
    expect(verdict.indication).toBe('TOTAL-PASSED');
    expect(verdict.signatures.length).toBeGreaterThanOrEqual(4);
    const names = verdict.signatures.map((each) => ('name' in each ? each.name : undefined));
    expect(names.slice(1, 3)).toEqual(['Björn Čeněk', 'Łucja Ödön']);
    const told = (name: string) => mails().filter((mail) => mail.includes(name));
    expect(told('agreement-evidence.pdf')).toHaveLength(1);
    expect(told('agreement-evidence-masked.pdf')).toHaveLength(3);
  }, 60_000);

  test('the log records it all, and its chain verifies', async () => {
    const told = await statuses();
    for (const status of ['Created', 'SigneeAdded', 'Started', 'SigneeSigned', 'Completed']) {
      expect(told).toContain(status);
    }
    const verification = await it.toolkit.activity.verify();
    expect(verification).toMatchObject({ isIntact: true });
  });
});
