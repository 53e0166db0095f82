import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from '../api/support/identity.ts';
import { agreement } from '../api/support/open-api.ts';
import { costlyTest } from '../support/sample.ts';

let api: IdentityApi;
beforeAll(async () => {
  // A proxy reports the client address.
  api = await openIdentityApi({ trustProxy: ['127.0.0.1'] });
}, 60_000);
afterAll(() => api.close());

const MINUTE = 60_000;
const code = 'þagnarorð 1';
const owner = () => ({ authorization: api.basic });
const anna = {
  ...{ name: 'Anna Þórðardóttir', email: 'anna@example.test', signatureType: 'ClickToSign' },
};
const bera = {
  ...{ name: 'Bera', phoneNumber: '+11111111111', email: 'bera@example.test' },
  ...{ signatureType: 'Simple' },
};
const einar = { name: 'Ödön Kőrösi', ssn: '6000101994', phoneNumber: '6666666' };
const file = { fileName: 'terms.txt', fileContent: Buffer.from('Terms').toString('base64') };

const send = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
) => {
  const given = payload === undefined ? {} : { payload };
  const answer = await api.app.inject({ method, url: `/api${url}`, headers, ...given });
  const isJson = String(answer.headers['content-type'] ?? '').includes('json');
  const body = isJson ? answer.json() : answer.body;
  return { status: answer.statusCode, headers: answer.headers, body };
};

async function sequence(signees: readonly object[], more: object = {}) {
  const document = {
    ...{ flowKey: api.flowKey, pdfFileName: 'a.pdf', pdfDocument: agreement.toString('base64') },
    ...{ createSignees: signees, attachments: [file] },
  };
  const createSigningProcesses = [document, document];
  const body = { createSigningProcesses, user: 'o@example.test', ...more };
  const made = await send('POST', '/management/signing/sequential', body, owner());
  expect(made.status).toBe(200);
  const { key, signees: persons, signingProcesses } = made.body;
  const [process] = signingProcesses;
  const [attachment] = process.attachmentReferences;
  const path = `/signing/sequential/${key}`;
  const enter = (passcode: string, client = '192.0.2.1', person = 0) =>
    send(
      'POST',
      `${path}/signee/${persons[person].key}/passcode`,
      { passcode },
      {
        'x-forwarded-for': client,
      },
    );
  return {
    ...{ key, path, enter, process: process.key as string },
    person: (at: number): string => persons[at].key,
    signee: (at: number): string => process.signees[at].key,
    file: `/signing/${process.key}/attachment/${attachment.id}/fileName/terms.txt`,
  };
}
type Sequence = Awaited<ReturnType<typeof sequence>>;

const tokenOf = async ({ enter }: Sequence) => {
  const { status, headers } = await enter(code);
  expect(status).toBe(200);
  return { 'x-access-token': String(headers['x-access-token']) };
};

describe('a passcode protects everything of its person', () => {
  const app = { authenticationContextType: 'App' };
  const login = { ...app, loginHint: '6000101994' };
  type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
  type Row = readonly [string, object, Method, (s: Sequence) => string, object?];
  const sign = (s: Sequence) => `/signing/sign/${s.process}/signee/${s.signee(0)}`;
  const rows: readonly Row[] = [
    ['the document', anna, 'GET', (s) => `/pdf/${s.process}/${s.signee(0)}.pdf`],
    ['the process', anna, 'GET', (s) => `/signing/${s.process}/signee/${s.signee(0)}`],
    ['a change', anna, 'PUT', (s) => `/signing/${s.process}/signee/${s.signee(0)}`, { city: 'B' }],
    ['an attachment', anna, 'GET', (s) => s.file],
    ['an attachment, naming the signee', anna, 'GET', (s) => `${s.file}?SigneeKey=${s.signee(0)}`],
    ['deleting the attachment', anna, 'DELETE', (s) => s.file],
    ['a click', anna, 'POST', (s) => `${sign(s)}/click`],
    ['status', anna, 'GET', (s) => statusOf(s)],
    ['status eid-se', anna, 'GET', (s) => statusOf(s, '/eid-se')],
    ['status eid-dk', anna, 'GET', (s) => statusOf(s, '/eid-dk')],
    ['a code', bera, 'POST', (s) => `${sign(s)}/otp`],
    ['confirming a code', bera, 'POST', (s) => `${sign(s)}/otp/confirm`, { token: 'x', code: '1' }],
    ['a signature', einar, 'POST', sign, app],
    ['by eid-se', einar, 'POST', (s) => `${sign(s)}/eid-se`],
    ['by eid-dk', einar, 'POST', (s) => `${sign(s)}/eid-dk`],
  ];
  function statusOf(s: Sequence, end = ''): string {
    return `/signing/status/processkey/${s.process}/signeekey/${s.signee(0)}${end}/token/x`;
  }

  test.each(rows.map((row) => [row[0], row] as const))(
    'the route requires the passcode: %s',
    async (_what, row) => {
      const [, signee, method, url, body] = row;
      const s = await sequence([
        { ...signee, passcode: code },
        { ...anna, name: 'Ævi' },
      ]);
      const at = url(s);
      const closed = await send(method, at, body);
      expect([closed.status, closed.body.errorCode]).toEqual([
        401,
        'authentication.credentials.invalid',
      ]);
      const stale = await send(method, at, body, { 'x-access-token': 'stale' });
      expect([stale.status, stale.body.errorCode]).toEqual([401, 'authentication.token.invalid']);
      const opened = await send(method, at, body, await tokenOf(s));
      expect(opened.status).not.toBe(401);
      expect([200, 204, 404, 400]).toContain(opened.status);
      const company = await send(method, at, body, owner());
      expect(company.status).not.toBe(401);
    },
  );

  test('the sequence requires it, and shows others only by name and state without it', async () => {
    const s = await sequence([{ ...anna, passcode: code }, bera]);
    const closed = await send('POST', s.path, { signeeKey: s.person(0) });
    expect([closed.status, closed.body.errorCode]).toEqual([
      401,
      'authentication.credentials.invalid',
    ]);
    expect((await send('POST', s.path)).body.signees[0]).toEqual({
      name: anna.name,
      signed: false,
    });
    const right = await s.enter(code);
    const seen = [right, await send('POST', s.path, {}, await tokenOf(s))];
    for (const { status, body } of seen) {
      expect([status, body.signees[0].key, body.signees[1].key]).toEqual([
        200,
        s.person(0),
        undefined,
      ]);
    }
  });

  test('the pages of both links name no document without it', async () => {
    const s = await sequence([{ ...anna, passcode: code }, bera]);
    const page = async (key: string, person: string) =>
      (await api.app.inject(`/s/${key}/${person}`)).body.includes('a.pdf');
    expect(await page(s.process, s.signee(0))).toBe(false);
    expect(await page(s.key, s.person(0))).toBe(false);
    expect(await page(s.process, s.signee(1))).toBe(true);
    expect(await page(s.key, s.person(1))).toBe(true);
  });

  test('another person needs none, and reaches shared files by naming themselves', async () => {
    const s = await sequence([
      { ...anna, passcode: code },
      { ...anna, name: 'Ævi' },
    ]);
    const other = s.signee(1);
    expect((await send('POST', s.path, { signeeKey: s.person(1) })).status).toBe(200);
    expect((await send('GET', `/pdf/${s.process}/${other}.pdf`)).status).toBe(200);
    expect((await send('GET', `${s.file}?SigneeKey=${other}`)).status).toBe(200);
    const unknown = await send('GET', `${s.file}?SigneeKey=si00`);
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 'error.signee.not_found']);
    expect((await send('DELETE', `${s.file}?SigneeKey=si00`)).status).toBe(404);
  });

  test('a login does not bypass it if no login is required', async () => {
    const closed = [401, 'authentication.credentials.invalid'];
    const s = await sequence([{ ...einar, passcode: code }, anna]);
    const place = { processKey: s.process, signeeKey: s.signee(0) };
    const starts = [
      await send('POST', '/signing/auth/start', { ...place, ...login }),
      await send('POST', `/signing/${s.process}/auth`, { signeeKey: s.signee(0), ...login }),
      await send('POST', `/signing/${s.process}/auth`, login),
      await send('POST', `${s.path}/signee/${s.person(0)}/auth/eid-se/start`),
    ];
    expect(starts.map(({ status, body }) => [status, body.errorCode])).toEqual(
      starts.map(() => closed),
    );
    // The login may identify the person: no one is prompted on a phone in vain.
    const nobodys = [401, 'authentication.error.signee.logon.mismatch'];
    const open = [
      await send('POST', `${s.path}/auth`, login),
      await send('POST', `${s.path}/auth/eid-se/start`, { loginHint: '6000101994' }),
    ];
    expect(open.map(({ status, body }) => [status, body.errorCode])).toEqual([nobodys, nobodys]);
    // A login started without a number does not count either.
    const begun = await send('POST', `${s.path}/auth/eid-se/start`, {});
    api.answer();
    const foreign = await send('POST', `${s.path}/auth/eid-se/poll`, { token: begun.body.token });
    expect([begun.status, foreign.status, foreign.headers['x-access-token']]).toEqual([
      ...[200, 401, undefined],
    ]);
    const [first] = (await api.toolkit.processes.show({ key: s.process })).signees;
    expect(first?.authenticatedAtMs).toBeUndefined();
  });

  test('a login replaces it if a login is required', async () => {
    const s = await sequence([{ ...einar, passcode: code }], { requiresAuth: true });
    const { authRequestId } = (await send('POST', `${s.path}/auth`, login)).body;
    api.answer();
    const done = await send('POST', s.path, { authRequestId });
    expect([done.status, done.body.signees[0].key]).toEqual([200, s.person(0)]);
  });
});

test.each([
  ['12345', 400],
  ['123456', 200],
  ['     x', 400],
  ['1\u200b\u00a02\u3000\u00ad3', 400],
  ['eitt tvö', 200],
])('a new passcode %s is answered with %i', async (passcode, status) => {
  const document = {
    ...{ flowKey: api.flowKey, pdfFileName: 'a.pdf', pdfDocument: agreement.toString('base64') },
    createSignees: [{ ...anna, passcode }],
  };
  const body = { createSigningProcesses: [document], user: 'o@example.test' };
  const made = await send('POST', '/management/signing/sequential', body, owner());
  expect(made.status).toBe(status);
});

describe('guessing a passcode', () => {
  // Counted like any other, but not hashed.
  const tooLong = 'x'.repeat(200);
  const guess = async (s: Sequence, client: string, count: number) => {
    const waits: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const { status, body, headers } = await s.enter(tooLong, client);
      expect([status, body.errorCode]).toEqual([403, 'process.passcode.not_valid']);
      waits.push(Number(headers['retry-after'] ?? 0));
    }
    return waits;
  };
  const looked = (waits: readonly number[]) => waits.filter((wait) => wait === 0).length;
  const right = async (s: Sequence, client: string) => (await s.enter(code, client)).status;

  test('five tries per client in 15 minutes, and the person can enter from elsewhere', async () => {
    const s = await sequence([{ ...anna, passcode: code }]);
    const waits = await guess(s, '192.0.2.1', 7);
    expect(looked(waits)).toBe(5);
    expect(waits.at(-1)).toBeGreaterThan(800);
    expect(await right(s, '192.0.2.1')).toBe(403);
    for (const client of ['192.0.2.9', '203.0.113.5', '2001:db8::1', '127.0.0.1']) {
      expect(await right(s, client)).toBe(200);
    }
    api.pass(15 * MINUTE + 1000);
    expect(await right(s, '192.0.2.1')).toBe(200);
  });

  test('concurrent tries do not exceed the limit', async () => {
    const s = await sequence([{ ...anna, passcode: code }]);
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, at) => s.enter(`wrong ${at}`, '192.0.2.1')),
    );
    expect(found.filter(({ headers }) => headers['retry-after'] === undefined)).toHaveLength(5);
  });

  test('tries from one IPv4 network are limited, too', async () => {
    const s = await sequence([{ ...anna, passcode: code }]);
    let tries = 0;
    for (let host = 1; host < 20; host += 1) tries += looked(await guess(s, `192.0.2.${host}`, 2));
    expect(tries).toBe(15);
    expect(await right(s, '198.51.100.1')).toBe(200);
  });

  test.each([
    ['64', (at: number) => `2001:db8::${at.toString(16)}`, 5],
    ['48', (at: number) => `2001:db8:0:${at.toString(16)}::1`, 15],
    ['32', (at: number) => `2001:db8:${at.toString(16)}::1`, 50],
  ])(
    'tries from an IPv6 network of %s bits are limited, too',
    async (_bits, address, most) => {
      const s = await sequence([{ ...anna, passcode: code }]);
      let tries = 0;
      for (let at = 1; at < most + 10; at += 1) tries += looked(await guess(s, address(at), 1));
      // After twenty failures in total, each network has a lower limit.
      expect(tries).toBe(Math.min(most, 20));
      expect(await right(s, '2a00:1450::1')).toBe(200);
    },
    20_000,
  );

  costlyTest(
    'by many clients slows all of them down, and the person can still enter',
    async () => {
      const s = await sequence([{ ...anna, passcode: code }]);
      const client = (at: number) => `10.${at >> 8}.${at & 255}.1`;
      for (let at = 0; at < 20; at += 1) await guess(s, client(at), 1);
      expect(looked(await guess(s, client(100), 4))).toBe(2);
      api.pass(16 * MINUTE);
      expect(looked(await guess(s, client(100), 1))).toBe(0);
      for (let at = 200; at < 380; at += 1) await guess(s, client(at), 1);
      expect(looked(await guess(s, client(500), 3))).toBe(1);
      expect(await right(s, '203.0.113.5')).toBe(200);
      expect(await right(s, '203.0.113.5')).toBe(200);
      api.pass(25 * 60 * MINUTE);
      expect(looked(await guess(s, client(500), 6))).toBe(5);
    },
    60_000,
  );

  test('for one person does not affect another', async () => {
    const s = await sequence([
      { ...anna, passcode: code },
      { ...bera, passcode: 'annað orð' },
    ]);
    await guess(s, '192.0.2.1', 6);
    expect((await s.enter('annað orð', '192.0.2.1', 1)).status).toBe(200);
  });
});
