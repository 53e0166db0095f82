import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompanyService } from '../../src/app/company-service.ts';
import { asKey } from '../../src/domain/keys.ts';
import { agreement, openTestService, type TestService } from '../service/open-service.ts';

// Two companies in one store: every use case of the second is called with the keys of the first.
let test: TestService;
let other: CompanyService;
const keys = {
  process: '',
  signee: '',
  sequence: '',
  person: '',
  flow: '',
  webhook: 0,
  template: 0,
  message: '',
  apiKey: '',
  delivery: '',
  attachment: '',
};

const jon = {
  name: 'Jón',
  email: 'jon@example.test',
  delivery: 'Email',
  signatureType: 'ClickToSign',
} as const;
const anna = { name: 'Anna', ssn: '6000101994', signatureType: 'Qualified' } as const;
const bjorn = {
  name: 'Björn',
  phoneNumber: '+11111111111',
  email: 'bjorn@example.test',
  signatureType: 'Simple',
} as const;

beforeAll(async () => {
  test = await openTestService();
  const { toolkit, flowKey, service } = test;
  const { webhook } = await toolkit.webhooks.create({
    flowKey: asKey('flow', flowKey),
    type: 'Created',
    url: 'https://receiver.example/hook',
  });
  const process = await toolkit.processes.create({
    flowKey,
    pdf: agreement,
    signees: [jon, anna, bjorn],
    attachments: [{ fileName: 'terms.txt', content: Buffer.from('terms') }],
    reminderRule: '1:1',
  });
  const { sequence } = await toolkit.processes.createSequence({
    user: 'owner@example.test',
    processes: [{ flowKey, pdf: agreement, signees: [jon] }],
  });
  const [delivery] = await toolkit.webhooks.deliveries({ processKey: process.key });
  const template = await toolkit.templates.create({
    flowKey,
    templateType: 'Signup',
    language: 'NotSet',
    to: '{{customer.email}}',
    subject: 'Sign',
    message: '<p>{{link}}</p>',
  });
  const [message] = await toolkit.messages.list({ processKey: process.key });
  const [apiKey] = (await toolkit.access()).apiKeys;
  Object.assign(keys, {
    template: template.id,
    message: message?.id,
    apiKey: apiKey?.id,
    process: process.key,
    signee: process.signees[0]?.key,
    sequence: sequence.key,
    person: sequence.persons[0]?.key,
    flow: flowKey,
    webhook: webhook.id,
    delivery: delivery?.id,
    attachment: process.attachments[0]?.key,
  });
  const made = await service.createCompany({ name: 'Other ehf.' });
  other = await service.open(made.company.key);
}, 60_000);

afterAll(() => test.close());

const place = () => ({ processKey: keys.process, signeeKey: keys.signee });
const person = () => ({ sequenceKey: keys.sequence, personKey: keys.person });
const by = 'owner@example.test';
const app = { channel: 'App', loginHint: '6000101994' } as const;
const nothing = { search: '', skip: 0, take: 10 };

const refused: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['show', () => other.processes.show({ key: keys.process })],
  ['showSequence', () => other.processes.showSequence({ key: keys.sequence })],
  ['cancel', () => other.processes.cancel({ key: keys.process, by })],
  ['cancelSequence', () => other.processes.cancelSequence({ key: keys.sequence, by })],
  ['block', () => other.processes.block({ key: keys.process, by })],
  ['unblock', () => other.processes.unblock({ key: keys.process, by })],
  [
    'extend',
    () => other.processes.extend({ key: keys.process, expiresAtMs: test.nowMs() + 86_400_000, by }),
  ],
  ['retryFinalize', () => other.processes.retryFinalize({ key: keys.process, by })],
  [
    'addSignee',
    () =>
      other.processes.addSignee({ key: keys.process, signee: { ...jon, email: 'x@y.test' }, by }),
  ],
  [
    'updateSignee',
    () =>
      other.processes.updateSignee({
        key: keys.process,
        signeeKey: keys.signee,
        change: { city: 'X' },
        by,
      }),
  ],
  [
    'deleteAttachment',
    () =>
      other.processes.deleteAttachment({ key: keys.process, attachmentKey: keys.attachment, by }),
  ],
  ['purge', () => other.processes.purge({ key: keys.process, by })],
  ['document', () => other.processes.document(keys.process)],
  ['attachment', () => other.processes.attachment(keys.process, keys.attachment)],
  ['create', () => other.processes.create({ flowKey: keys.flow, pdf: agreement, signees: [jon] })],
  ['view', () => other.signing.view(place())],
  ['decline', () => other.signing.decline(place(), 'no')],
  ['click', () => other.signing.signByClick(place())],
  ['startCode', () => other.signing.sendCode(place())],
  ['confirmCode', () => other.signing.signByCode(place(), 'a', '1')],
  ['startQualified', () => other.signing.startQualified(place(), app)],
  ['pollQualified', () => other.signing.pollQualified(place(), 'a')],
  ['startAuth', () => other.signing.startAuth(place(), app)],
  ['pollAuth', () => other.signing.pollAuth(place(), 'a')],
  ['remind', () => other.reminders.remind(place(), { delivery: 'Email' })],
  ['remind of a person', () => other.reminders.remind(person(), { delivery: 'Email' })],
  ['cancelReminders', () => other.reminders.cancelReminders(place())],
  ['unsubscribe', () => other.reminders.unsubscribe(place())],
  ['unsubscribe of a person', () => other.reminders.unsubscribe(person())],
  ['activity.erase', () => other.activity.erase(asKey('process', keys.process))],
  ['activity.verify', () => other.activity.verify({ processKey: asKey('process', keys.process) })],
  [
    'webhooks.create',
    () =>
      other.webhooks.create({
        flowKey: asKey('flow', keys.flow),
        type: 'Created',
        url: 'https://a.example/',
      }),
  ],
  ['webhooks.list', () => other.webhooks.list({ flowKey: asKey('flow', keys.flow) })],
  ['webhooks.find', () => other.webhooks.find(keys.webhook)],
  ['webhooks.update', () => other.webhooks.update(keys.webhook, { isActive: false })],
  ['webhooks.rotateSecret', () => other.webhooks.rotateSecret(keys.webhook)],
  ['webhooks.dropOldSecrets', () => other.webhooks.dropOldSecrets(keys.webhook)],
  ['webhooks.secrets', () => other.webhooks.secrets(keys.webhook)],
  ['webhooks.delete', () => other.webhooks.delete(keys.webhook)],
  ['webhooks.deliveries', () => other.webhooks.deliveries({ webhookId: keys.webhook })],
  ['webhooks.delivery', () => other.webhooks.delivery(keys.delivery)],
  ['webhooks.deliveryBody', () => other.webhooks.deliveryBody(keys.delivery)],
  ['webhooks.replay', () => other.webhooks.replay({ deliveryId: keys.delivery })],
  ['webhooks.replay all', () => other.webhooks.replay({ webhookId: keys.webhook })],
  [
    'webhooks.trigger',
    () => other.webhooks.trigger({ flowKey: asKey('flow', keys.flow), type: 'Created' }),
  ],
  ['webhooks.ping', () => other.webhooks.ping(keys.webhook)],
  ['flows.show', () => other.flows.show(keys.flow)],
  ['flows.update', () => other.flows.update(keys.flow, { name: 'x' })],
  ['flows.css', () => other.flows.css(keys.flow)],
  ['flows.putSchema', () => other.flows.putSchema(keys.flow, { version: '1', schema: '{}' })],
  ['flows.schemas', () => other.flows.schemas(keys.flow)],
  ['flows.schema', () => other.flows.schema(keys.flow, '1')],
  ['flows.publish', () => other.flows.publish(keys.flow, '1')],
  ['flows.requireValues', () => other.flows.requireValues(keys.flow, {})],
  ['templates.list', () => other.templates.list(keys.flow)],
  ['templates.find', () => other.templates.find(keys.template)],
  ['templates.update', () => other.templates.update(keys.template, { subject: 'x' })],
  ['templates.delete', () => other.templates.delete(keys.template)],
  ['messages.list', () => other.messages.list({ processKey: keys.process })],
  ['messages.retry', () => other.messages.retry(keys.message)],
  ['invite', () => other.processes.invite({ key: keys.process, signeeKey: keys.signee, by })],
  ['revokeApiKey', () => other.revokeApiKey(keys.apiKey)],
  ['flows.preview', () => other.flows.preview(keys.flow, {})],
];

describe('calls with the keys of another company', () => {
  it.each(refused)('%s finds nothing and changes nothing', async (_name, act) => {
    const before = await state();
    await expect(act()).rejects.toMatchObject({ code: expect.stringMatching(/not_found$/) });
    expect(await state()).toBe(before);
  });

  it('lists contain nothing of the other company', async () => {
    expect(await other.processes.list({ ...nothing, search: 'jon@example' })).toEqual([]);
    expect(await other.processes.count({ processKey: asKey('process', keys.process) })).toBe(0);
    expect(await other.webhooks.list()).toEqual([]);
    expect(await other.messages.list()).toEqual([]);
    expect(await other.processes.listSequences({ skip: 0, take: 10 })).toEqual([]);
    expect(await other.webhooks.deliveries({ processKey: asKey('process', keys.process) })).toEqual(
      [],
    );
    const range = { fromMs: 0, toMs: test.nowMs() + 1, take: 10, skip: 0 };
    expect(
      await other.activity.list({ ...range, processKey: asKey('process', keys.process) }),
    ).toEqual([]);
    const lines: string[] = [];
    const request = { filter: range, format: 'jsonl', isAnonymous: false, by } as const;
    for await (const line of other.activity.export(request)) lines.push(line);
    expect(lines.join('')).not.toContain(keys.process);
  });

  it('a webhook update cannot change its company or its ID', async () => {
    const flow = (await other.flows.list())[0]?.flowKey ?? '';
    const own = await other.webhooks.create({
      flowKey: asKey('flow', flow),
      type: 'Created',
      url: 'https://other.example/',
    });
    const before = await state();
    const smuggled = { id: keys.webhook, companyKey: test.toolkit.company.key, flowKey: keys.flow };
    await other.webhooks.update(own.webhook.id, { ...smuggled, isActive: true } as object);
    expect(await state()).toBe(before);
    expect(await other.webhooks.find(own.webhook.id)).toMatchObject({ flowKey: flow });
  });

  it('a companyKey smuggled into a query is ignored', async () => {
    const companyKey = test.toolkit.company.key;
    const smuggled = { companyKey } as object;
    expect(await other.processes.list({ ...nothing, ...smuggled })).toEqual([]);
    expect(await other.webhooks.deliveries({ ...smuggled })).toEqual([]);
  });
});

async function state(): Promise<string> {
  const { toolkit } = test;
  const range = { fromMs: 0, toMs: test.nowMs() + 1, take: 100, skip: 0 };
  return JSON.stringify([
    await toolkit.processes.show({ key: keys.process }),
    await toolkit.processes.showSequence({ key: keys.sequence }),
    await toolkit.webhooks.find(keys.webhook),
    await toolkit.webhooks.secrets(keys.webhook),
    await toolkit.webhooks.delivery(keys.delivery),
    await toolkit.flows.show(keys.flow),
    await toolkit.templates.find(keys.template),
    (await toolkit.activity.list(range)).map(({ activityLog }) => activityLog.length),
    (await toolkit.webhooks.list()).length,
    await toolkit.messages.list({ processKey: keys.process }),
    await toolkit.access(),
  ]);
}
