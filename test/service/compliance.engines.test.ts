import { expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';
import { agreement, type TestService } from './open-service.ts';

const DAY_MS = 86_400_000;
const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
/** A test person of the simulator. */
const odon = { channel: 'Sim', loginHint: '6666666' } as const;
const anna = {
  name: 'Anna Þórðardóttir',
  ssn: '6000101994',
  email: 'anna@example.test',
  signatureType: 'ClickToSign',
  delivery: 'None',
} as const;

async function complete({ toolkit }: TestService, flowKey: string, request: object = {}) {
  const made = await toolkit.processes.create({
    ...{ flowKey, pdf: agreement, signees: [anna], user: 'owner@example.test' },
    ...request,
  });
  const signing = { processKey: made.key, signeeKey: made.signees[0]?.key ?? '' };
  return {
    key: made.key,
    sign: async () => {
      await toolkit.signing.signByClick(signing);
      await toolkit.runDueJobs();
    },
  };
}

const flowOf = async ({ toolkit }: TestService, type: 'PEP' | 'Compliance', settings = {}) =>
  (await toolkit.flows.create({ name: type, type, settings: { sealLevel: 'B-B', ...settings } }))
    .key;

describeOnEngines('the compliance register of a company', (service) => {
  const who = { ssn: anna.ssn };
  const status = () => service().toolkit.compliance.status('person', who);
  const dayAfter = (days: number) =>
    new Date(service().nowMs() + days * DAY_MS).toISOString().slice(0, 10);

  test('a person passes every state from registration by a flow to an accepted match', async () => {
    const { toolkit, pass } = service();
    await expect(status()).rejects.toMatchObject({ code: 'compliance.not_found' });
    await toolkit.change({ compliance: { person: { required: ['PEP'] } } });
    const flowKey = await flowOf(service(), 'PEP');
    const first = await complete(service(), flowKey);
    const asked = { type: 'PEP', flowKey };
    expect(await status()).toMatchObject({
      isCompliant: false,
      messages: ['has not been risk evaluated', 'does not meet all requirements'],
      requirements: [asked],
    });
    await first.sign();
    expect(await status()).toMatchObject({
      messages: ['has not been risk evaluated'],
      requirements: [],
    });
    await toolkit.compliance.evaluate('person', who, 'medium');
    expect(await status()).toMatchObject({ isCompliant: true, riskLevel: 'medium' });
    expect(await toolkit.compliance.due()).toEqual([]);
    pass(740 * DAY_MS);
    await toolkit.compliance.evaluate('person', who, 'medium');
    expect(await status()).toMatchObject({
      messages: ['missed due dates'],
      requirements: [{ ...asked, processKey: first.key }],
    });
    expect(await toolkit.compliance.due({ withinDays: 0 })).toMatchObject([{ name: anna.name }]);
    await (await complete(service(), flowKey)).sign();
    expect((await status()).isCompliant).toBe(true);
    await expect(toolkit.compliance.accept(who, 'known')).rejects.toMatchObject({
      code: 'compliance.pep.absent',
    });
    await toolkit.compliance.record({ kind: 'person', ...anna, pepFound: true });
    expect((await status()).messages).toEqual(['pep found']);
    await toolkit.compliance.accept(who, 'source of funds documented', dayAfter(30));
    expect(await status()).toMatchObject({ isCompliant: true, pepFound: true, riskLevel: 'high' });
    // Lists that match the person every night neither end an acceptance nor start a new evaluation.
    const csv = `name,ssn,pep_found,risk_evaluated\n${anna.name},${anna.ssn},yes,yes\n`;
    pass(20 * DAY_MS);
    await toolkit.compliance.import(csv);
    expect((await status()).isCompliant).toBe(true);
    pass(11 * DAY_MS);
    expect((await status()).messages).toEqual(['pep found']);
    const { changes = [] } = await toolkit.compliance.show('person', who);
    expect(changes.map(({ source }) => source)).toEqual([
      ...['flow', 'flow', 'evaluate', 'evaluate', 'flow', 'record', 'accept'],
    ]);
  });

  test('a business named in the values is recorded, together with its owners', async () => {
    const { toolkit } = service();
    const flowKey = await flowOf(service(), 'Compliance');
    const company = JSON.stringify({ company: { name: 'Dæmi ehf.', ssn: '5000101886' } });
    await (await complete(service(), flowKey, { meta: { pdfFieldData: company } })).sign();
    const business = { ssn: '5000101886' };
    const { requirements } = await toolkit.compliance.show('business', business);
    expect(requirements).toMatchObject([{ type: 'AML', answeredDate: dayAfter(0), flowKey }]);
    await toolkit.compliance.evaluate('business', business, 'low');
    const messages = async () => (await toolkit.compliance.status('business', business)).messages;
    expect(await messages()).toEqual([]);
    const owners = ['5000101994'];
    await toolkit.compliance.record({ kind: 'business', name: 'Dæmi', ...business, owners });
    expect(await messages()).toEqual(['does not meet all requirements']);
    const owner = { kind: 'person', name: 'Eva', ssn: '5000101994' } as const;
    await toolkit.compliance.record(owner);
    expect(await messages()).toEqual([]);
    await toolkit.compliance.record({ ...owner, pepFound: true });
    expect(await messages()).toEqual(['does not meet all requirements']);
    await toolkit.compliance.accept({ ssn: '5000101994' }, 'known');
    expect(await messages()).toEqual([]);
  });

  test('a signee added by a link gets no compliance record', async () => {
    const it = service();
    const flowKey = await flowOf(it, 'PEP', { maxAdditionalSignees: 2, openLinks: true });
    const { key, signees } = await it.toolkit.processes.create({
      ...{ flowKey, pdf: agreement, signees: [anna], user: 'owner@example.test' },
    });
    const victim = { ...anna, name: 'Eva', ssn: '6000101995', email: 'eva@example.test' };
    const after = await it.toolkit.processes.addSignee({
      ...{ key, signee: victim, by: anna.email, from: 'place' },
    });
    expect(after.signees.at(-1)).toMatchObject({ ssn: '6000101995' });
    for (const { key: signeeKey } of [...signees, ...after.signees.slice(1)]) {
      await it.toolkit.signing.signByClick({ processKey: key, signeeKey });
    }
    await it.toolkit.runDueJobs();
    expect(await it.toolkit.compliance.show('person', { ssn: anna.ssn })).toMatchObject({
      requirements: expect.arrayContaining([expect.objectContaining({ processKey: key })]),
    });
    await expect(it.toolkit.compliance.show('person', { ssn: victim.ssn })).rejects.toMatchObject({
      code: 'compliance.not_found',
    });
  });

  const openForm = async (settings: object) => {
    const template = {
      ...{ v: 1, title: 'Questions' },
      blocks: [{ type: 'paragraph', text: '{{pepFound?}} {{company.name?}}' }],
    };
    const request = { name: 'Questions', type: 'PEP' };
    const open = { initiationMethod: 'Customer', sealLevel: 'B-B', ...settings };
    const bytes = Buffer.from(JSON.stringify(template));
    return (await service().toolkit.flows.create({ ...request, settings: open }, bytes)).key;
  };

  test('a customer without a login creates no record of a person or business', async () => {
    const { toolkit } = service();
    const flowKey = await openForm({ signatureType: 'ClickToSign' });
    const business = { company: { name: 'Victim ehf.', ssn: '5000101994' } };
    for (const values of [{ pepFound: 'yes' }, business]) {
      const { process, signee } = await toolkit.processes.startByForm({
        ...{ flowKey, values, persons: [{ name: 'Eva', email: 'eva@example.test' }] },
      });
      await toolkit.signing.signByClick({ processKey: process.key, signeeKey: signee.key });
      await toolkit.runDueJobs();
      expect((await toolkit.processes.show({ key: process.key })).status).toBe('Completed');
    }
    const missing = { code: 'compliance.not_found' };
    await expect(
      toolkit.compliance.show('person', { email: 'eva@example.test' }),
    ).rejects.toMatchObject(missing);
    await expect(toolkit.compliance.show('business', { ssn: '5000101994' })).rejects.toMatchObject(
      missing,
    );
  });

  test('an answer extends the record known by e-mail address, which is then found by number', async () => {
    const { toolkit } = service();
    const record = { kind: 'person', name: 'Jón', email: 'jon@example.test' } as const;
    await toolkit.compliance.record({ ...record, phoneNumber: '5551234', riskLevel: 'low' });
    const flowKey = await flowOf(service(), 'PEP');
    const jon = { ...anna, name: 'Jón', email: 'jon@example.test', phoneNumber: '5551234' };
    await (await complete(service(), flowKey, { signees: [{ ...jon, ssn: '0303901239' }] })).sign();
    const found = await toolkit.compliance.show('person', { ssn: '0303901239' });
    expect(found).toMatchObject({ risk: { level: 'low' }, requirements: [{ type: 'PEP' }] });
    expect(await toolkit.compliance.show('person', { email: 'jon@example.test' })).toEqual(found);
  });

  test('a logged-in customer answers only for the person of the login', async () => {
    const { toolkit, service: all, pass } = service();
    const victim = { kind: 'person', name: 'Jóna', email: 'jona@example.test' } as const;
    await toolkit.compliance.record({ ...victim, riskLevel: 'high' });
    const flowKey = await openForm({ signatureType: 'ClickToSign', requiresAuth: true });
    const { process, signee, isLinkSent } = await toolkit.processes.startByForm({
      ...{ flowKey, values: { pepFound: 'yes' } },
      persons: [{ name: 'Ödön Kőrösi', email: 'jona@example.test' }],
    });
    expect(isLinkSent).toBe(false);
    const place = { processKey: process.key, signeeKey: signee.key };
    const { token } = await all.identity.startSigneeLogin({ ...place, ...odon, circumstances });
    pass(2_000);
    const answer = await all.identity.pollSigneeLogin({ ...place, token, circumstances });
    if (answer.state !== 'done') throw new Error(answer.state);
    const { accessToken } = answer;
    await all.identity.signByClick({ ...place, accessToken, circumstances });
    await toolkit.runDueJobs();
    const { login } = (await toolkit.processes.show({ key: process.key })).signees[0] ?? {};
    const found = await toolkit.compliance.show('person', { ssn: login?.ssn ?? '' });
    expect(found).toMatchObject({ pepFound: true, email: anna.email });
    const other = await toolkit.compliance.show('person', { email: 'jona@example.test' });
    expect(other).toMatchObject({ name: 'Jóna', risk: { level: 'high' } });
  });
});
