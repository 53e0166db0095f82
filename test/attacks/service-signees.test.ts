import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainText } from '../../src/domain/signing/index.ts';
import { agreement, openTestService, type TestService } from '../service/open-service.ts';

let test: TestService;
const owner = 'owner@example.test';
const day = 86_400_000;
const anna = {
  name: 'Anna',
  email: 'anna@example.test',
  delivery: 'Email',
  signatureType: 'ClickToSign',
} as const;
const app = { channel: 'App', loginHint: '6000101994' } as const;

beforeAll(async () => {
  test = await openTestService();
}, 60_000);
afterAll(() => test.close());

function mails(to: string): number {
  const folder = join(test.folder, 'data', 'outbox', 'mail');
  const all = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return all.filter((mail) => mail.includes(`To: ${to}`)).length;
}

async function created(more: object = {}) {
  const { toolkit, flowKey } = test;
  const request = { flowKey, pdf: agreement, signees: [anna], ...more };
  const { key, signees } = await toolkit.processes.create(request);
  const update = (change: object) =>
    toolkit.processes.updateSignee({ key, signeeKey: signees[0]?.key ?? '', change, by: owner });
  return { key, signees, update, place: { processKey: key, signeeKey: signees[0]?.key ?? '' } };
}

describe('a change of a signee', () => {
  it('ignores members that cannot be changed', async () => {
    const { update, key } = await created();
    const before = await test.toolkit.processes.show({ key });
    await update({ state: 'Signed', key: 'si1', order: 9, ssn: '6000101994' });
    expect(await test.toolkit.processes.show({ key })).toEqual(before);
  });

  it.each([
    ['email', { email: 'a@example.test\r\nBcc: b@example.test' }],
    ['email', { email: '' }],
    ['city', { city: '\u001b[2J' }],
    ['reason', { reason: 'x'.repeat(100_000) }],
    ['reason', { reason: 7 }],
  ])('rejects an invalid %s', async (_name, change) => {
    const { update, key } = await created();
    const before = await test.toolkit.processes.show({ key });
    await expect(update(change)).rejects.toMatchObject({ code: 'validation.error' });
    expect(await test.toolkit.processes.show({ key })).toEqual(before);
  });

  it('a pending reminder is not sent to the former address', async () => {
    const { update, place } = await created();
    const { toolkit } = test;
    await toolkit.runDueJobs();
    await toolkit.reminders.remind(place, { delivery: 'Email' });
    const count = mails('anna@example.test');
    await update({ email: 'new@example.test' });
    await toolkit.runDueJobs();
    expect(mails('anna@example.test')).toBe(count);
    expect(mails('new@example.test')).toBeGreaterThan(0);
  });
});

describe('values that only a program can send', () => {
  it.each([
    ['signatureType', { signees: [{ ...anna, signatureType: 'Foo' }] }],
    ['delivery', { signees: [{ ...anna, delivery: 'Pigeon' }] }],
    ['signatureLocation', { signatureLocation: 'Nowhere' }],
  ])('an unknown %s is rejected', async (_name, request) => {
    await expect(created(request)).rejects.toMatchObject({ code: 'validation.error' });
  });

  it('texts for the log must be short and free of control characters', async () => {
    const { key } = await created();
    const { processes } = test.toolkit;
    const refused = { code: 'validation.error' };
    await expect(
      processes.block({ key, by: owner, reason: 'y'.repeat(100_000) }),
    ).rejects.toMatchObject(refused);
    await expect(processes.block({ key, by: '\u001b]0;x\u0007' })).rejects.toMatchObject(refused);
    expect((await processes.show({ key })).status).toBe('Active');
  });

  it('client data are shortened to one line', async () => {
    const { place, key } = await created();
    const circumstances = { ip: 'x'.repeat(1_000_000), userAgent: `\u001b[2J${'y'.repeat(9999)}` };
    await test.toolkit.signing.signByClick({ ...place, circumstances });
    const [signee] = (await test.toolkit.processes.show({ key })).signees;
    expect(signee?.proof?.ip?.length).toBe(64);
    expect(signee?.proof?.userAgent).toMatch(/^\[2Jy{1,400}$/);
  });

  it('bidirectional control characters are removed from text', () => {
    expect(plainText('Anna \u202Enitram\u2066')).toBe('Anna  nitram');
  });

  it('C0 and C1 control characters are rejected in names', async () => {
    const refused = { code: 'validation.error' };
    await expect(created({ fileName: 'a\u009b31m.pdf' })).rejects.toMatchObject(refused);
    await expect(created({ signees: [{ ...anna, name: '\u0085' }] })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('signees added to a process', () => {
  it('cannot exceed the limit of a new process', async () => {
    const many = Array.from({ length: 200 }, (_, at) => ({
      ...anna,
      delivery: 'None' as const,
      email: `a${at}@example.test`,
    }));
    const { key } = await created({ signees: many });
    const one = { ...anna, email: 'last@example.test' };
    await expect(
      test.toolkit.processes.addSignee({ key, signee: one, by: owner }),
    ).rejects.toMatchObject({
      code: 'validation.error',
    });
  });
});

describe('one-time codes', () => {
  it('are limited, so that guessing does not pay', async () => {
    const simple = { ...anna, phoneNumber: '+12125550100', signatureType: 'Simple' as const };
    const { place } = await created({ signees: [simple] });
    const { signing } = test.toolkit;
    let count = 0;
    for (let hour = 0; hour < 12; hour++) {
      for (let each = 0; each < 5; each++) {
        const sent = await signing.sendCode(place).catch(() => undefined);
        if (sent !== undefined) count += 1;
      }
      test.pass(3_600_000);
    }
    expect(count).toBeLessThanOrEqual(20);
    test.pass(day);
    await signing.sendCode(place);
  });
});

describe('the expiry of a process', () => {
  it('is not deferred by signatures that are started repeatedly', async () => {
    const qualified = { ...anna, ssn: '6000101994', signatureType: 'Qualified' as const };
    const { place } = await created({ signees: [qualified] });
    const { signing } = test.toolkit;
    test.pass(30 * day - 60_000);
    await signing.startQualified(place, app);
    test.pass(120_000);
    await expect(signing.startQualified(place, app)).rejects.toMatchObject({
      code: 'signing.forbidden.expired',
    });
  });
});
