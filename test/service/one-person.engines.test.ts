import { expect, test } from 'vitest';
import type { SigneeIdentity } from '../../src/domain/person/index.ts';
import { describeOnEngines } from './on-engines.ts';
import { agreement, type TestService } from './open-service.ts';

const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
const mismatch = { code: 'authentication.error.signee.logon.mismatch' };

/** A signee known by name and address only. */
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

/** Signees of one document, with functions to log in and click. */
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
  const request = { flowKey: own, pdf: agreement, signees, requiresAuth: true };
  const made = await toolkit.processes.create(request as never);
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
    service.identity.signByClick({ ...place(at), ...(accessToken && { accessToken }) });
  const show = () => toolkit.processes.show({ key: processKey });
  return { key: processKey, place, start, logIn, click, show };
}

describeOnEngines('one person cannot be two signees', (service) => {
  test('a login with a different name is rejected, and the person cannot sign', async () => {
    const { logIn, click, show } = await opened(service(), [victor, wanda]);
    await expect(logIn(0, odon)).rejects.toMatchObject(mismatch);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    const missing = { code: 'signing.forbidden.verification.missing' };
    await expect(click(0)).rejects.toMatchObject(missing);
    expect((await show()).status).toBe('Active');
  });

  test('a login is stored separately from what the sender stated', async () => {
    const { logIn, show } = await opened(service(), [mailed('Ödön Kőrösi')]);
    await logIn(0, odon);
    const [signee] = (await show()).signees;
    expect(signee).not.toHaveProperty('ssn');
    expect(signee?.login).toMatchObject({ ssn: odonNumber, name: 'Ödön Kőrösi' });
  });

  test('one person cannot be two signees, even if signees may be anybody', async () => {
    const { logIn } = await opened(service(), [victor, wanda], 'anybody');
    await logIn(0, odon);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    await logIn(1, lucja);
    await expect(logIn(0, lucja)).rejects.toMatchObject(mismatch);
  });

  test('a person known by number as one signee cannot log in as another', async () => {
    const known = mailed('Somebody Else', { ssn: odonNumber });
    const { logIn } = await opened(service(), [victor, known], 'anybody');
    await expect(logIn(0, odon)).rejects.toMatchObject(mismatch);
    await logIn(1, odon);
  });

  test('a stranger who logs in first blocks no one, and is replaced', async () => {
    const { service: whole } = service();
    const { logIn, click, place, show } = await opened(service(), [victor, wanda], 'anybody');
    const stranger = await logIn(0, odon);
    const own = await logIn(0, lucja);
    expect(await whole.identity.check(stranger, place(0))).toEqual({ state: 'unknown' });
    await expect(click(0, stranger)).rejects.toMatchObject(mismatch);
    await click(0, own);
    const [signee] = (await show()).signees;
    expect(signee).toMatchObject({ state: 'Signed', login: { name: 'Łucja Żółkiewska' } });
    // The stranger has lost this place, and may become the other signee.
    await logIn(1, odon);
  });

  test('a person who has signed stays the signee, whoever logs in later', async () => {
    const { logIn, click, show } = await opened(service(), [victor, wanda], 'anybody');
    await click(0, await logIn(0, odon));
    await expect(logIn(0, lucja)).rejects.toMatchObject(mismatch);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    const again = await logIn(0, odon);
    expect((await show()).signees[0]?.login?.name).toBe('Ödön Kőrösi');
    expect(again).toEqual(expect.any(String));
  });

  test('of concurrent logins as two signees with one identity one succeeds', async () => {
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

  test("the company's rule on signee identity applies to new processes, and is fixed at creation", async () => {
    const { toolkit, flowKey } = service();
    const request = { flowKey, pdf: agreement, signees: [victor], requiresAuth: true };
    const before = await toolkit.processes.create(request);
    const numberless = { code: 'validation.error', details: { field: 'signees[0]' } };
    await toolkit.change({ signeeIdentity: 'number' });
    await expect(toolkit.processes.create(request)).rejects.toMatchObject(numberless);
    const known = { ...victor, ssn: odonNumber };
    const made = await toolkit.processes.create({ ...request, signees: [known] });
    const adding = toolkit.processes.addSignee({
      key: made.key,
      signee: wanda,
      by: 'owner@example.test',
    });
    await expect(adding).rejects.toMatchObject({ code: 'validation.error' });
    const { show } = await opened(service(), [victor], 'anybody');
    await toolkit.change({ signeeIdentity: null });
    const policies = [before, made, await show()].map(({ policy }) => policy.signeeIdentity);
    expect(policies).toEqual(['name', 'number', 'anybody']);
    await expect(toolkit.change({ signeeIdentity: 'nobody' })).rejects.toMatchObject({
      code: 'validation.error',
    });
  });

  test('a login that can never match is not started', async () => {
    const { service: whole, toolkit, flowKey } = service();
    const never = { code: 'authentication.error.signee.unprovable' };
    const phoneOnly = { name: 'Ödön Kőrösi', phoneNumber: '6666666', signatureType: 'Qualified' };
    const { start, place, logIn } = await opened(service(), [phoneOnly]);
    const byApp = { channel: 'App', loginHint: odonNumber } as const;
    await expect(start(0, byApp)).rejects.toMatchObject(never);
    await logIn(0, odon);
    await expect(whole.identity.startQualified(place(0), byApp)).rejects.toMatchObject(never);
    for (const scheme of ['eid-se', 'eid-dk'] as const) {
      const foreign = whole.identity.startForeign(place(0), scheme, {});
      await expect(foreign).rejects.toMatchObject(never);
    }
    const made = await toolkit.processes.createSequence({
      user: 'owner@example.test',
      processes: [{ flowKey, pdf: agreement, signees: [phoneOnly] } as never],
    });
    const sequence = whole.identity.startSequenceLogin({
      ...{ scheme: 'eid-se', sequenceKey: made.sequence.key, channel: 'App', loginHint: '' },
      ...{ personKey: made.sequence.persons[0]?.key ?? '', includeVerificationCode: false },
    } as never);
    await expect(sequence).rejects.toMatchObject(never);
  });

  test('a signature records its certificate, which must match the login', async () => {
    const { service: whole, pass } = service();
    const named = { name: 'Allt Annað Nafn', phoneNumber: '6666666', signatureType: 'Qualified' };
    const { logIn, place, show } = await opened(service(), [named]);
    await logIn(0, odon);
    const sign = async (loginHint: string) => {
      const { token } = await whole.identity.startQualified(place(0), {
        ...{ channel: 'Sim', loginHint },
      });
      pass(2_000);
      return whole.identity.pollSigning(place(0), token);
    };
    await expect(sign('3333333')).rejects.toMatchObject(mismatch);
    expect(await sign('6666666')).toMatchObject({ state: 'signed' });
    const [signee] = (await show()).signees;
    const login = { ssn: odonNumber, phoneNumber: '6666666', isSimulated: true };
    expect(signee?.login).toMatchObject(login);
  });

  test('log and evidence name the person and whom the sender had named', async () => {
    const { toolkit, flowKey, pass, service: whole, nowMs } = service();
    const made = await toolkit.processes.create({
      ...{ flowKey, pdf: agreement, requiresAuth: true },
      signees: [mailed('Allt Annað Nafn', { ssn: odonNumber })],
    });
    const place = { processKey: made.key, signeeKey: made.signees[0]?.key ?? '', circumstances };
    const { token } = await whole.identity.startSigneeLogin({ ...place, ...odon });
    pass(2_000);
    await whole.identity.pollSigneeLogin({ ...place, token });
    await whole.identity.signByClick(place);
    await toolkit.runDueJobs();
    const query = { fromMs: 0, toMs: nowMs() + 1, processKey: made.key, take: 1, skip: 0 };
    const [log] = await toolkit.activity.list(query);
    const told = log?.activityLog.filter(({ description = '' }) => description.includes('Ödön'));
    const who = 'Ödön Kőrösi, …94; the sender named Allt Annað Nafn';
    expect(told?.map(({ status, description }) => [status, description])).toEqual([
      ['Authenticated', `simulator: ${who}`],
      ['SigneeSigned', `click: ${who}`],
    ]);
    const { attachments } = await toolkit.processes.show({ key: made.key });
    const json = attachments.find(({ contentType }) => contentType === 'application/json');
    const file = await toolkit.processes.attachment(made.key, json?.key ?? '');
    const [signee] = JSON.parse(Buffer.from(file).toString('utf8')).signees;
    expect(signee).toMatchObject({
      name: 'Allt Annað Nafn',
      isSimulated: true,
      identity: { name: 'Ödön Kőrösi', personalCode: odonNumber, isOtherName: true },
    });
    const verified = await toolkit.activity.verify({ processKey: made.key });
    expect(verified).toMatchObject({ isIntact: true, chainFindings: [] });
  });
});

describeOnEngines('a person of a sequence', (service) => {
  const sequence = async (persons: readonly object[], signeeIdentity: SigneeIdentity) => {
    const { toolkit, service: whole, pass } = service();
    const flow = await toolkit.flows.create({
      ...{ name: 'Sequence', type: 'DropAndSign', settings: { signeeIdentity } },
    });
    const request = { flowKey: flow.key, pdf: agreement, requiresAuth: true };
    const made = await toolkit.processes.createSequence({
      user: 'owner@example.test',
      processes: [
        { ...request, signees: persons },
        { ...request, signees: persons },
      ] as never,
    });
    const base = { scheme: 'sim-app', sequenceKey: made.sequence.key } as const;
    const personKey = (at: number) => made.sequence.persons[at]?.key ?? '';
    const logIn = async (at: number | undefined, choice: Choice) => {
      const who = at === undefined ? {} : { personKey: personKey(at) };
      const started = await whole.identity.startSequenceLogin({
        ...{ ...base, ...who, ...choice, includeVerificationCode: false },
      });
      pass(2_000);
      const answer = await whole.identity.pollSequenceLogin({
        ...{ ...base, ...who, token: started.token, circumstances },
      });
      if (answer.state !== 'done') throw new Error(answer.state);
      return answer.accessToken ?? '';
    };
    const place = (document: number, at: number) => {
      const { key = '', signees } = made.processes[document] ?? { signees: [] };
      return { processKey: key, signeeKey: signees[at]?.key ?? '', circumstances };
    };
    const click = (document: number, at: number, accessToken: string) =>
      whole.identity.signByClick({ ...place(document, at), accessToken });
    const logInAt = async (document: number, at: number, choice: Choice) => {
      const { token } = await whole.identity.startSigneeLogin({
        ...place(document, at),
        ...choice,
      });
      pass(2_000);
      await whole.identity.pollSigneeLogin({ ...place(document, at), token });
    };
    const check = (token: string) =>
      whole.identity.check(token, { sequenceKey: made.sequence.key });
    return { logIn, logInAt, click, check };
  };

  test('a login is valid for all documents of one person', async () => {
    const { logIn, logInAt, click } = await sequence([victor, wanda], 'anybody');
    const token = await logIn(0, odon);
    await click(0, 0, token);
    await click(1, 0, token);
    await expect(logIn(1, odon)).rejects.toMatchObject(mismatch);
    await expect(logInAt(1, 1, odon)).rejects.toMatchObject(mismatch);
  });

  test('a person who has signed one document signs the others', async () => {
    const { logIn, logInAt, click } = await sequence([victor, wanda], 'anybody');
    const token = await logIn(0, odon);
    await click(0, 0, token);
    await expect(logInAt(1, 0, lucja)).rejects.toMatchObject(mismatch);
    await click(1, 0, token);
  });

  test('a later login that fits replaces the earlier one in all documents', async () => {
    const { logIn, click, check } = await sequence([victor, wanda], 'anybody');
    const stranger = await logIn(0, odon);
    const own = await logIn(0, lucja);
    expect(await check(stranger)).toEqual({ state: 'unknown' });
    await expect(click(1, 0, stranger)).rejects.toMatchObject(mismatch);
    await click(0, 0, own);
    await click(1, 0, own);
  });

  test('a login without a signee key finds its person by a unique name', async () => {
    const names = [mailed('Ödön Kőrösi'), mailed('Odon Korosi'), wanda];
    const { logIn } = await sequence(names.slice(1), 'name');
    await logIn(undefined, odon);
    await expect(logIn(undefined, lucja)).rejects.toMatchObject(mismatch);
    const { logIn: ofTwo } = await sequence(names, 'name');
    await expect(ofTwo(undefined, odon)).rejects.toMatchObject(mismatch);
  });
});
