import { expect, test } from 'vitest';
import type { SigneeIdentity } from '../../src/domain/person/index.ts';
import { describeOnEngines } from './on-engines.ts';
import { agreement, type TestService } from './open-service.ts';

const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
const mismatch = { code: 'authentication.error.signee.logon.mismatch' };

/** One who is known by name and address only. */
const mailed = (name: string, more: object = {}) => ({
  name,
  email: `${Buffer.from(name).toString('hex')}@example.test`,
  signatureType: 'ClickToSign' as const,
  ...more,
});
const victor = mailed('Victor Victim');
const wanda = mailed('Wanda Victim');

/** Test persons of the simulator: by SIM and by app. */
const odon = { channel: 'Sim', loginHint: '6666666' } as const;
const odonNumber = '6000101994';
const lucja = { channel: 'App', loginHint: '6000101992' } as const;

type Choice = { readonly channel: 'Sim' | 'App'; readonly loginHint: string };

/** Signees of one document, who log in and click. */
async function opened(
  { toolkit, service, flowKey, pass }: TestService,
  signees: readonly object[],
  signeeIdentity?: SigneeIdentity,
) {
  const { key: own } =
    signeeIdentity === undefined
      ? { key: flowKey }
      : await toolkit.flows.create({
          ...{ name: signeeIdentity, type: 'DropAndSign' },
          settings: { signeeIdentity },
        });
  const wish = { flowKey: own, pdf: agreement, signees, requiresAuth: true };
  const made = await toolkit.processes.create(wish as never);
  const { key: processKey } = made;
  const place = (at: number) => ({
    ...{ processKey, signeeKey: made.signees[at]?.key ?? '', circumstances },
  });
  const start = (at: number, choice: Choice) =>
    service.identity.startSigneeLogin({ ...place(at), ...choice });
  const logIn = async (at: number, choice: Choice) => {
    const { token } = await start(at, choice);
    pass(2_000);
    const answer = await service.identity.pollSigneeLogin({ ...place(at), token });
    if (answer.state !== 'done') throw new Error(answer.state);
    return answer.accessToken;
  };
  const click = (at: number, accessToken?: string) =>
    service.identity.click({ ...place(at), ...(accessToken && { accessToken }) });
  const show = () => toolkit.processes.show(processKey);
  return { key: processKey, place, start, logIn, click, show };
}

describeOnEngines('one person is one signee', (service) => {
  test('who logs in as somebody of another name is refused, and cannot sign', async () => {
    const { logIn, click, show } = await opened(service(), [victor, wanda]);
    await expect(logIn(0, odon)).rejects.toMatchObject(mismatch);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    const missing = { code: 'signing.forbidden.verification.missing' };
    await expect(click(0)).rejects.toMatchObject(missing);
    expect((await show()).status).toBe('Active');
  });

  test('a login is kept beside what the sender said, and never becomes part of it', async () => {
    const { logIn, show } = await opened(service(), [mailed('Ödön Kőrösi')]);
    await logIn(0, odon);
    const [signee] = (await show()).signees;
    expect(signee).not.toHaveProperty('ssn');
    expect(signee?.login).toMatchObject({ ssn: odonNumber, name: 'Ödön Kőrösi' });
  });

  test('nobody is two signees, even where a signee can be anybody', async () => {
    const { logIn } = await opened(service(), [victor, wanda], 'anybody');
    await logIn(0, odon);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    await logIn(1, lucja);
    await expect(logIn(0, lucja)).rejects.toMatchObject(mismatch);
  });

  test('nobody logs in as one signee who is another one by number', async () => {
    const known = mailed('Somebody Else', { ssn: odonNumber });
    const { logIn } = await opened(service(), [victor, known], 'anybody');
    await expect(logIn(0, odon)).rejects.toMatchObject(mismatch);
    await logIn(1, odon);
  });

  test('a stranger who comes first keeps nobody out, and loses the place', async () => {
    const { service: whole } = service();
    const { logIn, click, place, show } = await opened(service(), [victor, wanda], 'anybody');
    const stranger = await logIn(0, odon);
    const own = await logIn(0, lucja);
    expect(await whole.identity.judge(stranger, place(0))).toBe('unknown');
    await expect(click(0, stranger)).rejects.toMatchObject(mismatch);
    await click(0, own);
    const [signee] = (await show()).signees;
    expect(signee).toMatchObject({ state: 'Signed', login: { name: 'Łucja Żółkiewska' } });
    // The stranger is nobody here any more, and may be the other one.
    await logIn(1, odon);
  });

  test('who has signed stays, whoever logs in at the same place later', async () => {
    const { logIn, click, show } = await opened(service(), [victor, wanda], 'anybody');
    await click(0, await logIn(0, odon));
    await expect(logIn(0, lucja)).rejects.toMatchObject(mismatch);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    const again = await logIn(0, odon);
    expect((await show()).signees[0]?.login?.name).toBe('Ödön Kőrösi');
    expect(again).toEqual(expect.any(String));
  });

  test('of two who log in as two signees at once with one identity, one succeeds', async () => {
    const { service: whole, pass } = service();
    const { start, place } = await opened(service(), [victor, wanda], 'anybody');
    const started = [await start(0, odon), await start(1, odon)];
    pass(2_000);
    const answers = await Promise.allSettled(
      started.map(({ token }, at) => whole.identity.pollSigneeLogin({ ...place(at), token })),
    );
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ reason: mismatch });
  });
});
