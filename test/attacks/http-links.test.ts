import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { einar, type IdentityApi, openIdentityApi, type Reply } from '../api/support/identity.ts';
import { agreement } from '../api/support/open-api.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const owner = () => ({ authorization: api.basic });
const anna = {
  ...{ name: 'Anna Þórðardóttir', ssn: '6000101996', phoneNumber: '8888888' },
  ...{ email: 'anna@example.test', address: 'Annastræti 1', postalCode: '101', city: 'Annaborg' },
};
const bjorn = {
  ...{ name: 'Björn Čeněk', phoneNumber: '+11111111111', email: 'bjorn@example.test' },
  ...{ address: 'Bjarnargata 2', postalCode: '20299', city: 'Bjarnarbær', signatureType: 'Simple' },
  ...{ communicationDeliveryType: 'Email', customSmsText: 'Ástarkveðja til Björns' },
};
const lucja = {
  ...{ name: 'Łucja Ödön', email: 'lucja@example.test', ssn: '6000101990' },
  ...{ signatureType: 'ClickToSign', communicationDeliveryType: 'Email', language: 'Pl' },
};
const file = { fileName: 'terms.txt', fileContent: Buffer.from('Terms').toString('base64') };
const document = (createSignees: readonly object[], more: object = {}) => ({
  ...{ flowKey: api.flowKey, pdfFileName: 'a.pdf', pdfDocument: agreement.toString('base64') },
  ...{ createSignees, attachments: [file], ...more },
});

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const given = payload === undefined ? {} : { payload };
  const answer = await api.app.inject({ method, url: `/api${url}`, headers, ...given });
  const isJson = String(answer.headers['content-type'] ?? '').includes('json');
  const { statusCode: status } = answer;
  return { status, headers: answer.headers, body: isJson ? answer.json() : answer.body };
}

/** Data of a signee that no one else may read. */
interface Seen {
  readonly key: string;
  readonly url?: string;
  readonly [member: string]: unknown;
}
const secret = ['ssn', 'phoneNumber', 'email', 'address', 'postalCode', 'city', 'customSmsText'];
const secretsOf = (signee: Seen) =>
  [signee.key, signee.url, ...secret.map((name) => signee[name])].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
const leaksIn = ({ body, headers }: Reply, secrets: readonly string[]) => {
  const text = `${JSON.stringify(body)}${JSON.stringify(headers)}`;
  return secrets.filter((each) => text.includes(each));
};

async function made(body: object): Promise<{ readonly key: string; readonly signees: Seen[] }> {
  const { status, body: shown } = await ask('POST', '/management/signing', body, owner());
  expect(status).toBe(200);
  return shown;
}

async function login(processKey: string, signeeKey: string, hint: string) {
  const place = { processKey, signeeKey };
  const start = { ...place, authenticationContextType: 'App', loginHint: hint };
  const { authRequestId } = (await ask('POST', '/signing/auth/start', start)).body;
  api.answer();
  const done = await ask('POST', '/signing/auth/poll', { ...place, authRequestId });
  return { done, token: { 'x-access-token': String(done.headers['x-access-token']) } };
}

describe('the link of a signee shows the others by name and state only', () => {
  const all = [anna, bjorn, lucja];
  interface Place {
    readonly key: string;
    readonly me: Seen;
    readonly others: readonly Seen[];
  }
  const place = async (more: object = {}): Promise<Place> => {
    const { key, signees } = await made(document(all, more));
    return { key, me: signees[0] as Seen, others: signees.slice(1) };
  };
  const at = ({ key, me }: Place) => `/signing/${key}/signee/${me.key}`;
  const sign = ({ key, me }: Place) => `/signing/sign/${key}/signee/${me.key}`;
  const statusOf = ({ key, me }: Place) => `/signing/status/processkey/${key}/signeekey/${me.key}`;
  const app = { authenticationContextType: 'App' };
  const signed = async (p: Place, end: string) => {
    const { token } = (await ask('POST', `${sign(p)}${end}`, end === '' ? app : {})).body;
    api.answer();
    return ask('GET', `${statusOf(p)}${end}/token/${token}`);
  };

  const rows: readonly (readonly [string, number, (p: Place) => Promise<Reply>])[] = [
    ['GET signee', 200, (p) => ask('GET', at(p))],
    ['GET signee with UserAgent', 200, (p) => ask('GET', `${at(p)}?UserAgent=x`)],
    ['PUT signee', 200, (p) => ask('PUT', at(p), { city: 'Nýborg' })],
    ['POST signee: duplicate', 403, (p) => ask('POST', `/signing/${p.key}/signee`, lucja)],
    ['POST signee: invalid', 400, (p) => ask('POST', `/signing/${p.key}/signee`, { name: '' })],
    ['GET pdf', 200, (p) => ask('GET', `/pdf/${p.key}/${p.me.key}.pdf`)],
    ['sign', 200, (p) => ask('POST', sign(p), app)],
    ['sign eid-se', 200, (p) => ask('POST', `${sign(p)}/eid-se`)],
    ['sign eid-dk', 200, (p) => ask('POST', `${sign(p)}/eid-dk`)],
    ['sign by another type', 403, (p) => ask('POST', `${sign(p)}/click`)],
    ['status', 200, (p) => signed(p, '')],
    ['status eid-se', 200, (p) => signed(p, '/eid-se')],
    ['status eid-dk', 200, (p) => signed(p, '/eid-dk')],
    ['login', 200, async (p) => (await login(p.key, p.me.key, anna.ssn)).done],
    ['unknown attachment', 404, (p) => ask('GET', `/signing/${p.key}/attachment/at/fileName/a`)],
  ];

  test.each(rows)('%s (%i)', async (_name, status, act) => {
    const p = await place();
    const answer = await act(p);
    expect(answer.status).toBe(status);
    expect(leaksIn(answer, p.others.flatMap(secretsOf))).toEqual([]);
  });

  test('shows the own entry in full, and the others without keys and contact data', async () => {
    const p = await place();
    const { signees } = (await ask('GET', at(p))).body;
    expect(signees[0]).toEqual(p.me);
    const plain = { signed: false, processKey: p.key };
    expect(signees.slice(1)).toEqual([
      {
        ...{ name: bjorn.name, signatureType: 'Simple' },
        ...plain,
      },
      {
        ...{ name: lucja.name, signatureType: 'ClickToSign' },
        ...plain,
      },
    ]);
    const whole = (await ask('GET', at(p), undefined, owner())).body.signees;
    expect(whole.map(({ key }: Seen) => key)).toEqual([p.me, ...p.others].map(({ key }) => key));
    expect(whole[2].email).toBe('lucja@example.test');
    const foreign = await ask('GET', at(p), undefined, { authorization: api.foreign });
    expect(leaksIn(foreign, p.others.flatMap(secretsOf))).toEqual([]);
  });

  test('HEAD does not record that the link was opened', async () => {
    const p = await place();
    const statuses = async () => {
      const log = await ask('GET', `/signing/activity/${p.key}`, undefined, owner());
      return log.body[0].activityLog.map(({ status }: { status: string }) => status);
    };
    const url = `/api${at(p)}`;
    expect((await api.app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    expect(await statuses()).not.toContain('LinkOpened');
    await api.app.inject({ method: 'GET', url });
    expect(await statuses()).toContain('LinkOpened');
  });

  test('a login does not reveal more', async () => {
    const p = await place({ requiresAuth: true });
    const { done, token } = await login(p.key, p.me.key, anna.ssn);
    const secrets = p.others.flatMap(secretsOf);
    expect(done.status).toBe(200);
    for (const answer of [done, await ask('GET', at(p), undefined, token)]) {
      expect(leaksIn(answer, secrets)).toEqual([]);
      expect(JSON.stringify(answer.body)).toContain(p.me.key);
    }
  });
});

test('the evidence for signees contains no keys', async () => {
  const hidden = { ...lucja, hidePersonalCode: true };
  const { key, signees } = await made(
    document([{ ...anna, signatureType: 'ClickToSign' }, hidden]),
  );
  for (const each of signees) await ask('POST', `/signing/sign/${key}/signee/${each.key}/click`);
  await api.service.work();
  const [me, other] = signees as [Seen, Seen];
  const { body } = await ask('GET', `/signing/${key}/signee/${me.key}`);
  expect(body.status).toBe('Completed');
  const files = body.attachmentReferences.filter(({ fileName }: { fileName: string }) =>
    fileName.includes('evidence'),
  );
  expect(files).toHaveLength(2);
  for (const { id, fileName } of files) {
    const found = await ask('GET', `/signing/${key}/attachment/${id}/fileName/${fileName}`);
    expect(found.status).toBe(200);
    expect(leaksIn(found, [me.key, other.key, lucja.ssn])).toEqual([]);
    if (fileName.endsWith('.json')) expect(found.body.signees[1].keySha256).toHaveLength(64);
  }
}, 30_000);

describe('a person identified as one signee cannot act for another', () => {
  const two = [
    { ...einar, email: 'einar@example.test', signatureType: 'ClickToSign' },
    { ...anna, signatureType: 'ClickToSign' },
  ];
  const acts: readonly (readonly [
    string,
    'GET' | 'POST' | 'PUT',
    (k: string, s: string) => string,
  ])[] = [
    ['look', 'GET', (k, s) => `/signing/${k}/signee/${s}`],
    ['change', 'PUT', (k, s) => `/signing/${k}/signee/${s}`],
    ['pdf', 'GET', (k, s) => `/pdf/${k}/${s}.pdf`],
    ['click', 'POST', (k, s) => `/signing/sign/${k}/signee/${s}/click`],
    ['code', 'POST', (k, s) => `/signing/sign/${k}/signee/${s}/otp`],
    ['confirm', 'POST', (k, s) => `/signing/sign/${k}/signee/${s}/otp/confirm`],
    ['sign', 'POST', (k, s) => `/signing/sign/${k}/signee/${s}`],
    ['sign eid-se', 'POST', (k, s) => `/signing/sign/${k}/signee/${s}/eid-se`],
    ['sign eid-dk', 'POST', (k, s) => `/signing/sign/${k}/signee/${s}/eid-dk`],
    ['status', 'GET', (k, s) => `/signing/status/processkey/${k}/signeekey/${s}/token/x`],
  ];
  const bodies: Readonly<Record<string, object>> = {
    change: { email: 'evil@example.test' },
    confirm: { token: 'x', code: '000000' },
    sign: { authenticationContextType: 'App' },
  };

  test.each(acts)('%s with the token of another signee is rejected', async (name, method, url) => {
    const { key, signees } = await made(document(two));
    const [me, other] = signees as [Seen, Seen];
    const { token } = await login(key, me.key, einar.ssn);
    for (const headers of [token, { authorization: `Bearer ${token['x-access-token']}` }]) {
      const { status, body } = await ask(method, url(key, other.key), bodies[name], headers);
      expect([status, body.errorCode]).toEqual([403, 'authentication.token.scope.invalid']);
    }
    const [, after] = (await api.toolkit.processes.show({ key })).signees;
    expect([after?.state, after?.email]).toEqual(
      ['Pending', anna.email].with(0, after?.state ?? ''),
    );
    expect(after?.signedAtMs).toBeUndefined();
  });

  test.each(acts.filter(([, method]) => method !== 'GET'))(
    '%s with another key in the body is rejected',
    async (name, method, url) => {
      const { key, signees } = await made(document(two));
      const [me, other] = signees as [Seen, Seen];
      const said = { ...bodies[name], signeeKey: me.key };
      const { status, body } = await ask(method, url(key, other.key), said);
      expect([status, body.errorCode]).toEqual([403, 'authentication.token.scope.invalid']);
    },
  );

  test('an unknown token does not block what the keys allow', async () => {
    const { key, signees } = await made(document(two));
    const url = `/signing/${key}/signee/${signees[0]?.key}`;
    expect((await ask('GET', url, undefined, { 'x-access-token': 'stale' })).status).toBe(200);
  });
});

describe('a sequence', () => {
  const parts = () => [document([einar, lucja]), document([einar, lucja]), document([bjorn])];
  const sequence = async (more: object = {}, own = parts()) => {
    const body = { createSigningProcesses: own, user: 'o@example.test', ...more };
    const reply = await ask('POST', '/management/signing/sequential', body, owner());
    expect(reply.status).toBe(200);
    const whole = reply.body as {
      key: string;
      signees: { key: string; url: string; name: string; signed: boolean }[];
      signingProcesses: { key: string; signees: Seen[] }[];
    };
    const ofPerson = (person: number) => {
      const { name, key, url } = whole.signees[person] as (typeof whole.signees)[0];
      const places = whole.signingProcesses.flatMap(({ signees }) => signees);
      const own = places.filter((each) => each['name'] === name);
      return [key, url, ...own.flatMap(secretsOf)].filter((each) => each !== name);
    };
    const path = `/signing/sequential/${whole.key}`;
    return { whole, path, secrets: [ofPerson(0), ofPerson(1), ofPerson(2)] as const };
  };
  type Sequence = Awaited<ReturnType<typeof sequence>>;
  const finish = async ({ path, whole }: Sequence, foreign: boolean, more: object = {}) => {
    const hint = { authenticationContextType: 'App', loginHint: einar.ssn };
    if (!foreign) {
      const { authRequestId } = (await ask('POST', `${path}/auth`, hint)).body;
      api.answer();
      return ask('POST', path, { authRequestId, ...more });
    }
    const start = `${path}/signee/${whole.signees[0]?.key}/auth/eid-se/start`;
    const { token } = (await ask('POST', start, { loginHint: einar.ssn })).body;
    api.answer();
    return ask('POST', `${path}/auth/eid-se/poll`, { token, ...more });
  };

  test('is shown in full, with names, to the company', async () => {
    const { path, secrets, whole } = await sequence();
    expect(whole.signees.map(({ name, signed }) => [name, signed])).toEqual([
      [einar.name, false],
      [lucja.name, false],
      [bjorn.name, false],
    ]);
    const seen = await ask('POST', path, {}, owner());
    expect(leaksIn(seen, secrets.flat())).toEqual(secrets.flat());
  });

  test('shows only names and states to a client with its key alone', async () => {
    const { path, secrets, whole } = await sequence();
    const { status, body, headers } = await ask('POST', path);
    expect(status).toBe(200);
    const keys = whole.signingProcesses.map(({ key }) => key);
    expect(leaksIn({ status, body, headers }, [...secrets.flat(), ...keys, 'terms.txt'])).toEqual(
      [],
    );
    expect(body.signees).toEqual([
      { name: einar.name, signed: false },
      { name: lucja.name, signed: false },
      { name: bjorn.name, signed: false },
    ]);
    expect(body.signingProcesses.map(({ status: each }: { status: string }) => each)).toEqual(
      Array(3).fill('Created'),
    );
  });

  test.each([
    ['by key', async (s: Sequence) => ask('POST', s.path, { signeeKey: s.whole.signees[0]?.key })],
    ['by login', (s: Sequence) => finish(s, false)],
    ['by eid-se', (s: Sequence) => finish(s, true)],
  ])('shows a person %s their own entry in full', async (_how, act) => {
    const s = await sequence();
    const answer = await act(s);
    expect(answer.status).toBe(200);
    expect(leaksIn(answer, [...s.secrets[1], ...s.secrets[2]])).toEqual([]);
    expect(leaksIn(answer, s.secrets[0])).toEqual(s.secrets[0]);
    const third = s.whole.signingProcesses[2]?.key ?? '';
    expect(leaksIn(answer, [third])).toEqual([]);
  });

  test('shows the holder of a token only their own entry in full', async () => {
    const s = await sequence();
    const [me, other] = s.whole.signees;
    const issued = await ask('POST', `${s.path}/signee/${me?.key}/token`, {}, owner());
    const token = { 'x-access-token': issued.body.accessToken };
    const mine = await ask('POST', s.path, {}, token);
    expect(leaksIn(mine, s.secrets[0])).toEqual(s.secrets[0]);
    expect(leaksIn(mine, s.secrets[1])).toEqual([]);
    const { status, body } = await ask('POST', s.path, { signeeKey: other?.key }, token);
    expect([status, body.errorCode]).toEqual([403, 'authentication.token.scope.invalid']);
    const unknown = await ask('POST', s.path, { signeeKey: 'gs00' });
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 'error.signee.not_found']);
  });

  test('failures of one document do not reveal another', async () => {
    const { ssn: _none, ...first } = lucja;
    const namesake = { ...first, email: 'namesake@example.test' };
    const s = await sequence({}, [document([first, einar]), document([first, namesake])]);
    const [one, two] = s.whole.signingProcesses;
    const url = `/signing/${one?.key}/signee/${one?.signees[0]?.key}`;
    const answer = await ask('PUT', url, { email: namesake.email });
    expect([answer.status, answer.body.errorCode]).toEqual([403, 'error.signee.add.exists']);
    expect(leaksIn(answer, [two?.key ?? '', two?.signees[1]?.key ?? ''])).toEqual([]);
  });
});
