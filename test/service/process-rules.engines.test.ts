import { describe, expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';
import { agreement } from './open-service.ts';

const DAY = 86_400_000;
const owner = 'owner@example.test';
const person = (name: string | number) => ({
  name: `P ${name}`,
  email: `p${name}@example.test`,
  signatureType: 'ClickToSign' as const,
  delivery: 'Email' as const,
});
const qualified = {
  name: 'Q',
  ssn: '6000101994',
  phoneNumber: '6666666',
  signatureType: 'Qualified' as const,
};

describeOnEngines('rules of processes', (it) => {
  const create = (more: object = {}) =>
    it().toolkit.processes.create({
      flowKey: it().flowKey,
      pdf: agreement,
      signees: [person(1), person(2)],
      user: owner,
      ...more,
    });
  type Process = Awaited<ReturnType<typeof create>>;
  const flow = (settings: object) =>
    it().toolkit.flows.create({ name: 'F', type: 'DropAndSign', settings: settings as never });
  const place = ({ key, signees }: Process, at = 0) => ({
    processKey: key,
    signeeKey: signees[at]?.key ?? '',
  });
  const rowsOf = async (key: string) => {
    const [log] = await it().toolkit.activity.list({
      fromMs: 0,
      toMs: it().nowMs() + DAY,
      take: 1,
      skip: 0,
      processKey: key as never,
    });
    return log?.activityLog ?? [];
  };
  const statusesOf = async (key: string) => (await rowsOf(key)).map(({ status }) => status);

  describe('a signee added later', () => {
    test('counts towards the limit of the flow', async () => {
      const { key: flowKey } = await flow({
        minAdditionalSignees: 0,
        maxAdditionalSignees: 1,
        defaultSignees: [person('default')],
      });
      const { processes } = it().toolkit;
      const { key } = await create({ flowKey, signees: [person(1)] });
      const both = [person(2), person(3)].map((each) =>
        processes.addSignee({ key, signee: each, by: owner }),
      );
      const answers = await Promise.allSettled(both);
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = answers.find(({ status }) => status === 'rejected');
      expect(refused).toMatchObject({ reason: { code: 'validation.error' } });
      expect((await processes.show({ key })).signees.length).toBe(3);
    });

    test('is accepted although the flow is no longer active', async () => {
      const { key: flowKey } = await flow({});
      const { key } = await create({ flowKey });
      await it().toolkit.flows.update(flowKey, { isActive: false });
      const { signees } = await it().toolkit.processes.addSignee({
        key,
        signee: person(3),
        by: owner,
      });
      expect(signees.length).toBe(3);
      await expect(create({ flowKey })).rejects.toMatchObject({ code: 'flow.not_found' });
    });
  });

  test('a change cannot make two signees the same person', async () => {
    const { processes } = it().toolkit;
    const same = { ...person(2), name: person(1).name };
    const { key, signees } = await create({ signees: [person(1), same] });
    const change = { email: ' P1@example.test'.trim() };
    const twin = processes.updateSignee({
      key,
      signeeKey: signees[1]?.key ?? '',
      change,
      by: owner,
    });
    await expect(twin).rejects.toMatchObject({ code: 'error.signee.add.exists' });
    const city = await processes.updateSignee({
      key,
      signeeKey: signees[1]?.key ?? '',
      change: { city: 'Vík' },
      by: owner,
    });
    expect(city.signees[1]).toMatchObject({ city: 'Vík', email: 'p2@example.test' });
  });

  test('ending a lease ends its signing session', async () => {
    const { processes, signing } = it().toolkit;
    const made = await create({ signees: [person(1), qualified] });
    await signing.startQualified(place(made, 1), { channel: 'App' });
    await processes.block({ key: made.key, by: owner });
    const { lease, signees } = await processes.unblock({ key: made.key, by: owner });
    expect(lease).toBeUndefined();
    expect(signees[1]?.state).toBe('Invited');
  });

  test('signing after a lease has expired also ends its session', async () => {
    const { processes, signing } = it().toolkit;
    const made = await create({ signees: [person(1), qualified] });
    await signing.startQualified(place(made, 1), { channel: 'App' });
    it().pass(300_000);
    await signing.signByClick(place(made));
    expect((await processes.show({ key: made.key })).signees[1]?.state).toBe('Invited');
  });

  test('declining is logged with its circumstances, and ends all reminders', async () => {
    const { key: flowKey } = await flow({ mayDecline: true });
    const made = await create({ flowKey, reminderRule: '1:3' });
    expect(made.signees[1]?.reminder?.nextAtMs).toBeGreaterThan(it().nowMs());
    const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
    const after = await it().toolkit.signing.decline({ ...place(made), circumstances }, 'no');
    expect(after.signees.map(({ reminder }) => reminder)).toEqual([undefined, undefined]);
    const row = (await rowsOf(made.key)).find(({ status }) => status === 'SigneeDeclined');
    expect(row).toMatchObject({ description: 'no', userAgent: 'Vafri/1.0' });
  });

  test('the proof names the document shown last', async () => {
    const { signing } = it().toolkit;
    const made = await create();
    const first = await signing.view(place(made, 1));
    await signing.view(place(made, 1));
    await signing.signByClick(place(made));
    const second = await signing.view(place(made, 1));
    expect(second.sha256).not.toBe(first.sha256);
    const { signees } = await signing.signByClick(place(made, 1));
    expect(signees[1]).toMatchObject({
      viewedSha256: first.sha256,
      proof: { shownSha256: second.sha256, signedSha256: second.sha256 },
    });
    const views = (await statusesOf(made.key)).filter((status) => status === 'DocumentViewed');
    expect(views.length).toBe(2);
  });

  test.each([`a\nb@example.test`, 'x'.repeat(100_000), ''])(
    'the user who requests a reminder must be a single short line',
    async (user) => {
      const { reminders } = it().toolkit;
      const made = await create({ reminderRule: '1:3' });
      const refused = { code: 'validation.error' };
      await expect(reminders.remind(place(made), { user })).rejects.toMatchObject(refused);
      await expect(reminders.cancelReminders(place(made), user)).rejects.toMatchObject(refused);
      const rows = await statusesOf(made.key);
      expect(rows).not.toContain('ReminderRequested');
      expect(rows).not.toContain('RemindersCanceled');
    },
  );

  test('a login polled after its time limit did not happen', async () => {
    const { signing } = it().toolkit;
    const made = await create({ signees: [qualified], requiresAuth: true });
    const { token } = await signing.startAuth(place(made), { channel: 'App' });
    it().pass(3 * 3_600_000);
    const late = await signing.pollAuth(place(made), token);
    expect(late).toEqual({ state: 'failed', hint: 'expiredTransaction' });
    const { signees } = await it().toolkit.processes.show({ key: made.key });
    expect(signees[0]?.authenticatedAtMs).toBeUndefined();
    expect(await statusesOf(made.key)).not.toContain('Authenticated');
  });

  describe('a sequence', () => {
    const sequence = (count: number, document: object = {}) =>
      it().toolkit.processes.createSequence({
        user: owner,
        processes: Array.from({ length: count }, () => ({
          flowKey: it().flowKey,
          pdf: agreement,
          signees: [person('s')],
          ...document,
        })),
      });

    test('whose documents have all expired cannot be cancelled, and they become Expired', async () => {
      const made = await sequence(2);
      it().pass(31 * DAY);
      const { processes } = it().toolkit;
      const asked = processes.cancelSequence({ key: made.sequence.key, by: owner });
      await expect(asked).rejects.toMatchObject({ code: 'signing.forbidden.expired' });
      const after = await processes.showSequence({ key: made.sequence.key });
      expect(after.processes.map(({ status }) => status)).toEqual(['Expired', 'Expired']);
      expect(after.sequence.canceledAtMs).toBeUndefined();
      for (const { key } of made.processes) expect(await statusesOf(key)).toContain('Expired');
    });

    test('is cancelled as a whole: every person is notified once', async () => {
      const made = await sequence(3, { signees: [person('x'), person('y')] });
      await it().toolkit.runDueJobs();
      const { processes, messages } = it().toolkit;
      const after = await processes.cancelSequence({ key: made.sequence.key, by: owner });
      expect(after.processes.map(({ status }) => status)).toEqual(Array(3).fill('Canceled'));
      expect(after.sequence).toMatchObject({ rev: 2, canceledAtMs: expect.any(Number) });
      const lists = made.processes.map(({ key }) => messages.list({ processKey: key }));
      const told = (await Promise.all(lists)).flat();
      const canceled = told.filter(({ template }) => template === 'Canceled');
      expect(canceled.map(({ to }) => to).sort()).toEqual([person('x').email, person('y').email]);
      const again = await processes.cancelSequence({ key: made.sequence.key, by: owner });
      expect(again.sequence.rev).toBe(2);
    });
  });
});
