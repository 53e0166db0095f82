import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agreement, openTestService, type TestService } from '../service/open-service.ts';

let test: TestService;
const owner = 'owner@example.test';
const anna = {
  name: 'Anna',
  ssn: '6000101994',
  email: 'anna@example.test',
  signatureType: 'Qualified',
} as const;
const carl = { name: 'Carl', email: 'carl@example.test', signatureType: 'ClickToSign' } as const;
const simple = (at: number) =>
  ({
    name: `S${at}`,
    email: `s${at}@example.test`,
    phoneNumber: `+1212555010${at}`,
    signatureType: 'Simple',
  }) as const;
const app = { channel: 'App', loginHint: '6000101994' } as const;
const answerMs = 2_000;

beforeAll(async () => {
  test = await openTestService();
}, 60_000);
afterAll(() => test.close());

async function created(signees: readonly object[], more: object = {}) {
  const { flowKey, toolkit } = test;
  const request = { flowKey, pdf: agreement, signees, ...more };
  const process = await toolkit.processes.create(request as never);
  const place = (at: number) => ({
    processKey: process.key,
    signeeKey: process.signees[at]?.key ?? '',
  });
  return { key: process.key, place };
}

describe('a session belongs to one signee of one process', () => {
  it('the token of a signature is rejected everywhere else', async () => {
    const { signing } = test.toolkit;
    const one = await created([anna, carl]);
    const two = await created([anna, carl]);
    const { token } = await signing.startQualified(one.place(0), app);
    const login = await signing.startAuth(two.place(0), app);
    test.pass(answerMs);
    const refused = { code: 'authentication.token.invalid' };
    for (const place of [one.place(1), two.place(0), two.place(1)]) {
      await expect(signing.pollQualified(place, token)).rejects.toMatchObject(refused);
      await expect(signing.pollAuth(place, token)).rejects.toMatchObject(refused);
    }
    await expect(signing.pollQualified(two.place(0), login.token)).rejects.toMatchObject(refused);
    expect(await signing.pollQualified(one.place(0), token)).toMatchObject({ state: 'signed' });
    // A repeated poll returns the same result, and signs nothing.
    expect(await signing.pollQualified(one.place(0), token)).toMatchObject({ state: 'signed' });
    expect((await test.toolkit.processes.show({ key: one.key })).documentRev).toBe(1);
  });

  it('a code of one signee or process is rejected for another', async () => {
    const { signing } = test.toolkit;
    const one = await created([simple(1), simple(2)]);
    const two = await created([simple(1)]);
    const { token } = await signing.sendCode(one.place(0));
    for (const place of [one.place(1), two.place(0)]) {
      await expect(signing.signByCode(place, token, '000000')).rejects.toMatchObject({
        code: '1122',
      });
    }
  });

  it('of twenty concurrent wrong codes five are checked', async () => {
    const { signing } = test.toolkit;
    const { place } = await created([simple(1)]);
    const { token } = await signing.sendCode(place(0));
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => signing.signByCode(place(0), token, 'wrong')),
    );
    const codes = answers.map((each) => (each.status === 'rejected' ? each.reason.code : 'ok'));
    expect(codes.filter((code) => code === '1120').length).toBe(5);
    expect(codes.filter((code) => code === '1121').length).toBe(15);
  });
});

describe('the lease of a signing session', () => {
  it('replaced by a newer session no longer allows the older one to sign', async () => {
    const { signing } = test.toolkit;
    const { place, key } = await created([anna]);
    const first = await signing.startQualified(place(0), app);
    const second = await signing.startQualified(place(0), app);
    test.pass(answerMs);
    await expect(signing.pollQualified(place(0), first.token)).rejects.toMatchObject({
      code: 'process.conflict',
    });
    expect(await signing.pollQualified(place(0), first.token)).toMatchObject({ state: 'failed' });
    expect(await signing.pollQualified(place(0), second.token)).toMatchObject({ state: 'signed' });
    expect((await test.toolkit.processes.show({ key })).documentRev).toBe(1);
  });

  it('survives a new signee and a new address, but not a block', async () => {
    const { signing, processes } = test.toolkit;
    const { place, key } = await created([anna, carl]);
    const { token } = await signing.startQualified(place(0), app);
    await processes.addSignee({
      key,
      signee: { ...carl, name: 'D', email: 'd@example.test' },
      by: owner,
    });
    await processes.updateSignee({
      key,
      signeeKey: place(1).signeeKey,
      change: { email: 'new@example.test' },
      by: owner,
    });
    test.pass(answerMs);
    expect(await signing.pollQualified(place(0), token)).toMatchObject({ state: 'signed' });
    const other = await created([anna]);
    const session = await signing.startQualified(other.place(0), app);
    await processes.block({ key: other.key, by: owner });
    await processes.unblock({ key: other.key, by: owner });
    test.pass(answerMs);
    await expect(signing.pollQualified(other.place(0), session.token)).rejects.toMatchObject({
      code: 'process.conflict',
    });
    const again = await signing.startQualified(other.place(0), app);
    test.pass(answerMs);
    expect(await signing.pollQualified(other.place(0), again.token)).toMatchObject({
      state: 'signed',
    });
  });
});

describe('a purge', () => {
  it('leaves no data behind for late responses', async () => {
    const { toolkit } = test;
    const { place, key } = await created([{ ...carl, delivery: 'Email' }, anna]);
    const { token } = await toolkit.signing.startQualified(place(1), app);
    await toolkit.processes.cancel({ key, by: owner });
    await toolkit.processes.purge({ key, by: owner });
    test.pass(answerMs);
    const canceled = { code: 'signing.forbidden.canceled' };
    await expect(toolkit.signing.pollQualified(place(1), token)).rejects.toMatchObject(canceled);
    await expect(toolkit.signing.view(place(0))).rejects.toMatchObject(canceled);
    await expect(toolkit.signing.startAuth(place(1), app)).rejects.toMatchObject(canceled);
    await expect(toolkit.processes.document(key)).rejects.toMatchObject({
      code: 'process.file.not_found',
    });
    const report = await toolkit.runDueJobs();
    expect(report.failed).toEqual([]);
    expect(await toolkit.processes.show({ key })).toMatchObject({
      status: 'Canceled',
      fileName: '',
    });
    expect((await toolkit.activity.verify({ processKey: key as never })).isIntact).toBe(true);
  });
});
