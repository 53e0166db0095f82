import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteFacts } from '../../src/api/index.ts';
import { agreement } from '../api/support/open-api.ts';
import { openWorld, type Place, type World } from '../api/support/world.ts';

// Another company has valid credentials and every key of the first one. Its responses must equal
// those for made-up keys.

type Keys = Readonly<Record<string, string>>;

const pdf64 = agreement.toString('base64');
const madeUp: Keys = {
  ProcessKey: 'sp00000000000000000000000000000000',
  SigneeKey: 'si00000000000000000000000000000000',
  SequenceKey: 'pg000000000000000000',
  SequenceSigneeKey: 'gs0000000000',
  SequentialSigneeKey: 'gs0000000000',
  FlowKey: '000000000000',
  Version: '1',
  Webhook: '9',
  Template: '9',
  Attachment: 'at0000',
  FileName: 'terms%20of%20use.txt',
  Token: '0',
};

const mailText = {
  templateType: 'Signup',
  to: '{{customer.email}}',
  bcc: '',
  subject: 'Hello',
  message: '<p>Hello</p>',
  includeFiles: false,
  language: 'Is',
};

let world: World;
let own: Keys;
beforeAll(async () => {
  world = await openWorld();
  const closed = await openClosed();
  const sequence = await openSequence();
  const hook = { flowKey: world.flowKey, type: 'Created', url: 'https://receiver.example/' };
  const mail = { ...mailText, flowKey: world.flowKey };
  const [webhook, template] = await Promise.all([
    call('POST', '/api/management/webhook', world.basic, hook),
    call('POST', '/api/management/emailtemplate', world.basic, mail),
  ]);
  const version = `/api/management/smartflows/${world.flowKey}/1`;
  await call('PUT', version, world.basic, { schema: '{"fields":[]}' });
  own = {
    ...madeUp,
    ProcessKey: closed.key,
    SigneeKey: closed.signee,
    Attachment: closed.attachment,
    SequenceKey: sequence.key,
    SequenceSigneeKey: sequence.person,
    SequentialSigneeKey: sequence.person,
    FlowKey: world.flowKey,
    Webhook: String(webhook.json().id),
    Template: String(template.json().id),
  };
  for (const [name, value] of Object.entries(own)) expect(`${name}=${value}`).toMatch(/=[^u]/);
}, 120_000);
afterAll(() => world.close());

async function openClosed(): Promise<Place> {
  const { key, signees, attachments } = await world.toolkit.processes.create({
    flowKey: world.flowKey,
    pdf: agreement,
    signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
    attachments: [{ fileName: 'terms of use.txt', content: Buffer.from('Terms') }],
    requiresAuth: true,
    reminderRule: '1:1',
  });
  const [signee] = signees;
  return {
    ...{ key, signee: signee?.key ?? '', other: '', third: '' },
    attachment: attachments[0]?.key ?? '',
  };
}

async function openSequence() {
  const { sequence } = await world.toolkit.processes.createSequence({
    user: 'owner@example.test',
    requiresAuth: true,
    processes: [
      {
        flowKey: world.flowKey,
        pdf: agreement,
        signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      },
    ],
  });
  return { key: sequence.key, person: sequence.persons[0]?.key ?? '' };
}

function call(method: string, url: string, authorization: string, payload?: object) {
  const given = payload === undefined ? {} : { payload };
  return world.app.inject({ method: method as 'GET', url, headers: { authorization }, ...given });
}

/** Bodies with keys, and bodies without which a route would not check the keys. */
const bodies: Readonly<Record<string, (keys: Keys) => object>> = {
  'POST /management/signing': ({ FlowKey }) => ({
    flowKey: FlowKey,
    pdfDocument: pdf64,
    pdfFileName: 'a.pdf',
    createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
  }),
  'POST /management/signing/sequential': (keys) => ({
    createSigningProcesses: [bodies['POST /management/signing']?.(keys)],
    user: 'x@example.test',
  }),
  'POST /management/signing/block': () => ({}),
  'POST /management/signing/{ProcessKey}/signee/{SigneeKey}/remind': () => ({
    CommunicationDeliveryType: 'None',
  }),
  'POST /management/sealing': ({ FlowKey }) => ({ flowKey: FlowKey, pdfDocument: pdf64 }),
  'POST /management/sealing/xml': ({ FlowKey }) => ({ flowKey: FlowKey, xmlDocument: 'PGEvPg==' }),
  'PUT /management/smartflows/{FlowKey}/{Version}': () => ({ schema: '{"fields":[]}' }),
  'POST /management/webhook': ({ FlowKey }) => ({
    ...{ flowKey: FlowKey, type: 'Created', url: 'https://receiver.example/' },
  }),
  'PUT /management/webhook/{Id}': () => ({ active: false }),
  'POST /management/emailtemplate': ({ FlowKey }) => ({ ...mailText, flowKey: FlowKey }),
  'PUT /management/emailtemplate/{Id}': () => ({ subject: 'Mine' }),
  'POST /auth/devicelink/start': ({ FlowKey }) => ({ flowKey: FlowKey }),
  'POST /watchlist/person': ({ FlowKey }) => ({
    ...{ flowKey: FlowKey, countryCode: 'IS', firstName: 'A', lastName: 'B' },
  }),
  'POST /signing/{ProcessKey}/signee': () => ({
    ...{ name: 'Mallory', email: 'm@example.test', signatureType: 'ClickToSign' },
  }),
  'PUT /signing/{ProcessKey}/signee/{SigneeKey}': (keys) => ({
    ...{ processKey: keys['ProcessKey'], signeeKey: keys['SigneeKey'], email: 'm@example.test' },
  }),
  'POST /signing/sign/{ProcessKey}/signee/{SigneeKey}': () => ({
    ...{ loginHint: '6666666', authenticationContextType: 'Sim' },
  }),
  'POST /signing/sign/{ProcessKey}/signee/{SigneeKey}/otp/confirm': () => ({
    ...{ token: '0', code: '000000' },
  }),
};

/** Expected statuses other than 404: these routes reject differently, or return nothing. */
const others: Readonly<Record<string, number>> = {
  'POST /watchlist/person': 400,
  'GET /signing/activity': 200,
  'GET /signing/activity/{ProcessKey}': 200,
  'GET /signing/activity/company': 200,
  'GET /signing/activity/user': 200,
  'GET /signing/activity/total': 200,
};

/** Company routes without any key. */
const keyless: readonly string[] = [
  'POST /management/archive',
  'POST /verify',
  'GET /management/flow',
  'POST /auth/devicelink/poll',
  'POST /auth/result',
  'GET /management/compliances/individuals/status',
  'GET /management/compliances/businesses/status',
];

const nameOf = ({ method, path }: RouteFacts) => `${method} ${path}`;

function urlOf(facts: RouteFacts, keys: Keys): string {
  const path = facts.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const area = /attachment|webhook|emailtemplate/.exec(facts.path)?.[0];
    const ids: Keys = { attachment: 'Attachment', webhook: 'Webhook', emailtemplate: 'Template' };
    return keys[name === 'Id' ? (ids[area ?? ''] ?? '') : name] ?? '';
  });
  const properties: object = facts.query?.['properties'] ?? {};
  const query = Object.keys(properties).flatMap((name) => {
    if (name === 'User') return ['User=owner%40example.test'];
    if (name === 'StartDate') return ['StartDate=2020-01-01'];
    if (name === 'EndDate') return ['EndDate=2100-01-01'];
    return keys[name] === undefined ? [] : [`${name}=${keys[name]}`];
  });
  return `/api${path}?${query.join('&')}`;
}

function ask(facts: RouteFacts, keys: Keys, authorization: string) {
  const payload = bodies[nameOf(facts)]?.(keys);
  return call(facts.method, urlOf(facts, keys), authorization, payload);
}

/** A response without the members that differ between requests. */
function bare(body: string, keys: Keys): string {
  const named = Object.entries(keys).reduce(
    (text, [name, key]) => (key.length > 5 ? text.replaceAll(key, name) : text),
    body,
  );
  // IDs of webhooks and mail texts are numbers of any length.
  return named.replaceAll(/\b\d+\b|\b(Webhook|Template)\b/g, 'N');
}

const routesOf = (access: string) =>
  world.app.routeFacts.filter(
    (facts) => facts.access === access && !/health|ready/.test(facts.path),
  );

describe('API keys of another company', () => {
  test('receive nothing from any route for companies', async () => {
    const seen: string[] = [];
    for (const facts of routesOf('company')) {
      const name = nameOf(facts);
      if (keyless.includes(name)) continue;
      const answer = await ask(facts, own, world.foreign);
      const expected = others[name] ?? 404;
      expect(`${name} ${answer.statusCode} ${answer.body.slice(0, 200)}`).toMatch(
        new RegExp(`^${name.replace(/[{}]/g, '.')} ${expected} `),
      );
      const same = await ask(facts, madeUp, world.foreign);
      expect(`${name} ${bare(answer.body, own)}`).toBe(`${name} ${bare(same.body, madeUp)}`);
      if (expected === 200) expect(['[]', '{"total":0}']).toContain(answer.body);
      seen.push(name);
    }
    expect(seen.length).toBeGreaterThan(30);
  });

  test('receive nothing from routes of a process that requires a login', async () => {
    const seen: string[] = [];
    for (const facts of routesOf('process')) {
      const answer = await ask(facts, own, world.foreign);
      expect(`${nameOf(facts)} ${answer.statusCode}`).toBe(`${nameOf(facts)} 404`);
      expect(answer.json()).toMatchObject({ errorCode: 'process.not_found' });
      seen.push(nameOf(facts));
    }
    expect(seen.length).toBeGreaterThan(12);
  });

  test("have changed nothing, and the owner's key succeeds on the same routes", async () => {
    const order = (facts: RouteFacts) => (facts.method === 'DELETE' ? 1 : 0);
    const routes = [...routesOf('company'), ...routesOf('process')]
      .filter((facts) => !keyless.includes(nameOf(facts)))
      // Blocking and cancelling would hide the results of later requests.
      .filter((facts) => !/block$|DELETE \/management\/signing/.test(nameOf(facts)))
      .sort((a, b) => order(a) - order(b));
    const wrong: string[] = [];
    for (const facts of routes) {
      const answer = await ask(facts, own, world.basic);
      // A token of a login that was never started.
      if (/\{Token\}|\/confirm$/.test(facts.path)) continue;
      if (answer.statusCode === 404) wrong.push(`${nameOf(facts)} ${answer.body}`);
    }
    expect(wrong).toEqual([]);
    const process = await world.toolkit.processes.show({ key: own['ProcessKey'] as string });
    expect(process.status).toBe('Active');
  });
});

test('an Idempotency-Key belongs to one company', async () => {
  const post = async (authorization: string) =>
    world.app.inject({
      method: 'POST',
      url: '/api/management/webhook',
      headers: { authorization, 'idempotency-key': 'shared-name' },
      payload: { flowKey: world.flowKey, type: 'Expired', url: 'https://receiver.example/' },
    });
  const first = await post(world.basic);
  expect(first.statusCode).toBe(200);
  const foreign = await post(world.foreign);
  expect(foreign.statusCode).toBe(404);
  expect(foreign.headers['idempotency-replayed']).toBeUndefined();
  expect((await post(world.basic)).headers['idempotency-replayed']).toBe('true');
});

test('a token of one sequence opens no other document', async () => {
  const { key, signee } = world.closed;
  const answer = await world.app.inject({
    url: `/api/pdf/${key}/${signee}.pdf`,
    headers: { authorization: `Bearer ${world.otherToken}` },
  });
  expect([answer.statusCode, answer.json().errorCode]).toEqual([
    403,
    'authentication.token.scope.invalid',
  ]);
});
