import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApi } from '../../src/api/index.ts';
import { type ErrorCode, errorKinds } from '../../src/base/errors.ts';
import { einar, type IdentityApi, openIdentityApi, type Reply } from './support/identity.ts';
import { agreement, basicOf } from './support/open-api.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const DAY = 86_400_000;
const app = { authenticationContextType: 'App' };
const owner = () => ({ authorization: api.basic });
const clicker = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' };
const coder = {
  name: 'Björn',
  phoneNumber: '+11111111111',
  email: 'bjorn@example.test',
  signatureType: 'Simple',
};
/** A different identity responds for this person. */
const impostor = { name: 'Prófun', ssn: '0203901589' };

/** Expects a failure with the status of its code. */
function refuses(reply: Reply, code: ErrorCode): void {
  const { status, body } = reply;
  expect([status, body.errorCode]).toEqual([errorKinds[code].httpStatus, code]);
  expect(body.responseStatus).toMatchObject({ errorCode: code, message: body.message });
}

/** Logs a signee in and returns the header with the token. */
async function login(processKey: string, signeeKey: string, hint: string) {
  const body = { processKey, signeeKey, ...app, loginHint: hint };
  const begun = await api.post('/api/signing/auth/start', body);
  api.answer();
  const { authRequestId } = begun.body;
  const done = await api.post('/api/signing/auth/poll', { authRequestId, processKey, signeeKey });
  return { 'x-access-token': String(done.headers['x-access-token']) };
}

/** A signature type: its signee and its request body. */
interface Way {
  readonly end: string;
  readonly signee: object;
  readonly body: object;
}
const confirm = { token: 'nothing', code: '000000' };
const ways: readonly Way[] = [
  { end: '', signee: einar, body: app },
  { end: '/eid-se', signee: einar, body: {} },
  { end: '/eid-dk', signee: einar, body: {} },
  { end: '/otp', signee: coder, body: {} },
  { end: '/otp/confirm', signee: coder, body: confirm },
  { end: '/click', signee: clicker, body: {} },
];

/** Signs as the first signee of a process. */
async function signFirst(place: { readonly sign: string; readonly status: string }, way: Way) {
  if (way.signee === clicker) await api.post(`${place.sign}/click`);
  else if (way.signee === coder) {
    const { body } = await api.post(`${place.sign}/otp`);
    await api.post(`${place.sign}/otp/confirm`, { ...confirm, token: body.token });
  } else {
    const { body } = await api.post(place.sign, app);
    api.answer();
    await api.get(`${place.status}/token/${body.token}`);
  }
}

describe.each(ways)('POST …/sign$end', (way) => {
  const { end, signee, body } = way;
  const ask = (sign: string, headers = {}) => api.post(`${sign}${end}`, body, headers);

  test('rejects an unknown process and an unknown signee', async () => {
    const { sign, processKey, signeeKey } = await api.process(signee);
    refuses(await ask(sign.replace(processKey, 'sp00')), 'process.not_found');
    refuses(await ask(sign.replace(signeeKey, 'si00')), 'error.signee.not_found');
  });

  test('rejects requests without the required login', async () => {
    const place = await api.process([signee, { ...einar, ssn: '6000101990' }], {
      requiresAuth: true,
    });
    refuses(await ask(place.sign), 'authentication.credentials.invalid');
    const bearer = { authorization: 'Bearer nothing' };
    refuses(await ask(place.sign, bearer), 'authentication.token.invalid');
    const other = await login(place.processKey, place.signeeKeys[1] ?? '', '6000101990');
    refuses(await ask(place.sign, other), 'authentication.token.scope.invalid');
    refuses(await ask(place.sign, owner()), 'signing.forbidden.verification.missing');
  });

  test.each([
    ['cancel', 'signing.forbidden.canceled'],
    ['block', 'signing.forbidden.blocked'],
  ] as const)('is rejected after %s of the process', async (what, code) => {
    const place = await api.process(signee);
    await api.toolkit.processes[what]({ key: place.processKey, by: 'owner@example.test' });
    refuses(await ask(place.sign), code);
  });

  test('is rejected after the process has expired', async () => {
    const place = await api.process(signee);
    api.pass(31 * DAY);
    refuses(await ask(place.sign), 'signing.forbidden.expired');
    api.pass(-31 * DAY);
  });

  test('is rejected if the signee has signed', async () => {
    const place = await api.process([signee, { ...clicker, name: 'Æsa', email: 'b@example.test' }]);
    await signFirst(place, way);
    refuses(await ask(place.sign), 'signing.forbidden.signee.signed');
  });

  test('is rejected out of order, during another signature, and by another signature type', async () => {
    const first = { ...einar, name: 'Æsa', ssn: '6000101996' };
    const ordered = await api.process([first, signee], { signInOrder: true });
    const second = (place: typeof ordered) =>
      place.sign.replace(place.signeeKey, place.signeeKeys[1] ?? '');
    refuses(await ask(second(ordered)), 'signing.forbidden.order');
    const free = await api.process([first, signee]);
    expect((await api.post(free.sign, app)).status).toBe(200);
    refuses(await ask(second(free)), '2002');
    const other = await api.process(signee === clicker ? einar : clicker);
    refuses(await ask(other.sign), 'signing.forbidden.type');
  });

  test('is rejected while an earlier document of an ordered sequence is open', async () => {
    const { flowKey } = api;
    const pdf = { pdfDocument: agreement.toString('base64'), pdfFileName: 'a.pdf' };
    const first = { ...einar, name: 'Æsa', ssn: '6000101996' };
    const createSigningProcesses = [[first, signee], [signee]].map((createSignees) => ({
      ...{ flowKey, ...pdf, createSignees },
    }));
    const more = { createSigningProcesses, signInOrder: true };
    const { processes } = await api.sequence([], more);
    const { key, signeeKeys } = processes[1] ?? { key: '', signeeKeys: [] };
    const sign = `/api/signing/sign/${key}/signee/${signeeKeys[0]}`;
    refuses(await ask(sign), 'signing.forbidden.inactive');
  });
});

test('the status of a signature in a purged process is rejected', async () => {
  const place = await api.process([clicker, einar]);
  const { body } = await api.post(`${place.sign}/click`);
  const url = `${place.status}/token/${body.token}`;
  expect((await api.get(url)).body.signed).toBe(true);
  await api.toolkit.processes.cancel({ key: place.processKey, by: 'owner@example.test' });
  await api.toolkit.processes.purge({ key: place.processKey, by: 'owner@example.test' });
  refuses(await api.get(url), 'process.file.not_found');
});

test('only a few one-time codes are sent within a short time', async () => {
  const place = await api.process(coder);
  const replies = [];
  for (let count = 0; count < 12; count += 1) replies.push(await api.post(`${place.sign}/otp`));
  const last = replies.at(-1) as Reply;
  refuses(last, 'process.state.refused');
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
});

test('a signature whose provider rejects the start is rejected', async () => {
  const place = await api.process({ name: 'Lokað', ssn: '0103901849' });
  refuses(await api.post(`${place.sign}/eid-se`), 'eid.provider.error');
  refuses(await api.post(`${place.sign}/eid-dk`), 'eid.provider.error');
  refuses(await api.post(place.sign, app), 'authentication.error.idp.start');
});

const statuses = [
  ['/eid-se', '/eid-se'],
  ['/eid-dk', '/eid-dk'],
  ['', ''],
] as const;

describe.each(statuses)('GET …/status%s', (end, start) => {
  const body = start === '' ? app : {};

  test('rejects an unknown process and signee, and polls that come too soon', async () => {
    const place = await api.process(einar);
    const begun = await api.post(`${place.sign}${start}`, body);
    const url = `${place.status}${end}/token/${begun.body.token}`;
    refuses(await api.get(url.replace(place.processKey, 'sp00')), 'process.not_found');
    refuses(await api.get(url.replace(place.signeeKey, 'si00')), 'error.signee.not_found');
    expect((await api.get(url)).body.status).toBe('Pending');
    const early = await api.get(url);
    refuses(early, 'authentication.poll.too_frequent');
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('rejects requests without the required login', async () => {
    const place = await api.process([einar, { ...einar, name: 'Æsa', ssn: '6000101990' }], {
      requiresAuth: true,
    });
    const url = `${place.status}${end}/token/nothing`;
    refuses(await api.get(url), 'authentication.credentials.invalid');
    const bearer = { authorization: 'Bearer nothing' };
    refuses(await api.get(url, bearer), 'authentication.token.invalid');
    const other = await login(place.processKey, place.signeeKeys[1] ?? '', '6000101990');
    refuses(await api.get(url, other), 'authentication.token.scope.invalid');
  });

  test('rejects a response by another person', async () => {
    const place = await api.process(impostor);
    const begun = await api.post(`${place.sign}${start}`, body);
    api.answer();
    refuses(
      await api.get(`${place.status}${end}/token/${begun.body.token}`),
      'authentication.error.signee.logon.mismatch',
    );
  });
});

describe('rejected logins', () => {
  test('by eid-se and device link', async () => {
    const { flowKey } = api;
    const foreign = await api.post('/api/auth/eid-se/start', { flowKey });
    const ask = (query: string) =>
      api.get(`/api/auth/eid-se/status/token/${foreign.body.token}?FlowKey=${flowKey}${query}`);
    expect((await ask('')).status).toBe(200);
    refuses(await ask(''), 'authentication.poll.too_frequent');
    api.answer();
    refuses(await ask('&LookupType=NameAddressFamily'), 'authentication.error.forbidden');
    const link = await api.post('/api/auth/devicelink/start', { flowKey }, owner());
    const poll = (body: object) => api.post('/api/auth/devicelink/poll', body, owner());
    const { sessionId } = link.body;
    expect((await poll({ sessionId, flowKey })).status).toBe(200);
    refuses(await poll({ sessionId, flowKey }), 'authentication.poll.too_frequent');
    refuses(await poll({ sessionId, flowKey: 'x' }), 'authentication.token.scope.invalid');
    refuses(await poll({ flowKey }), 'validation.error');
    refuses(await api.post('/api/auth/devicelink/start', {}, owner()), 'validation.error');
  });

  test('already started when their flow was deactivated', async () => {
    const { key: flowKey } = await api.toolkit.flows.create({
      name: 'Short',
      type: 'Auth',
    } as never);
    const body = { flowKey, authenticationContextType: 'Sim', phoneNumber: '6666666' };
    const begun = await api.post('/api/auth/start', body);
    const foreign = await api.post('/api/auth/eid-se/start', { flowKey });
    await api.toolkit.flows.update(flowKey, { isActive: false } as never);
    const { authRequestId } = begun.body;
    refuses(await api.post('/api/auth/poll', { authRequestId, flowKey }), 'flow.not_found');
    const url = `/api/auth/eid-se/status/token/${foreign.body.token}?FlowKey=${flowKey}`;
    refuses(await api.get(url), 'flow.not_found');
  });

  test('at a process', async () => {
    const { processKey, signeeKey } = await api.process(einar);
    const atProcess = (body: object, key = processKey) =>
      api.post(`/api/signing/${key}/auth`, { ...app, signeeKey, ...body });
    refuses(await atProcess({}, 'sp00'), 'process.not_found');
    const foreign = { loginHint: '6000101996' };
    refuses(await atProcess(foreign), 'authentication.error.signee.logon.mismatch');
    const none = await api.process({ ...einar, ssn: '0103901849' });
    const atNone = await api.post(`/api/signing/${none.processKey}/auth`, app);
    refuses(atNone, 'authentication.error.idp.start');
    refuses(await api.post('/api/signing/auth/poll', { processKey }), 'validation.error');
    const begun = await api.post('/api/signing/auth/start', { processKey, signeeKey, ...app });
    const poll = { authRequestId: begun.body.authRequestId, processKey: 'sp00', signeeKey };
    refuses(await api.post('/api/signing/auth/poll', poll), 'process.not_found');
    api.pass(31 * DAY);
    refuses(await atProcess({}), 'signing.forbidden.expired');
    refuses(
      await api.post('/api/signing/auth/start', { processKey, signeeKey, ...app }),
      'signing.forbidden.expired',
    );
    api.pass(-31 * DAY);
  });

  test('at a process of a company whose trial has ended', async () => {
    const ends = { name: 'Reynsla ehf.', trialEndsAtMs: Date.now() + DAY };
    const { company } = await api.service.createCompany(ends);
    const trial = await api.service.open(company.key);
    const [flow] = await trial.flows.list();
    const made = await trial.processes.create({
      flowKey: flow?.flowKey ?? '',
      pdf: agreement,
      fileName: 'a.pdf',
      signees: [einar],
    });
    api.pass(2 * DAY);
    refuses(await api.post(`/api/signing/${made.key}/auth`, app), '10101');
    api.pass(-2 * DAY);
  });

  test('at a sequence by eid-se', async () => {
    const place = await api.sequence([{ ...einar, ssn: '0103901849' }]);
    const nowhere = place.path.replace(place.sequenceKey, 'pg00');
    const [person] = place.personKeys;
    const atPerson = `/signee/${person}/auth/eid-se/start`;
    refuses(await api.post(`${nowhere}${atPerson}`), 'process.not_found');
    refuses(await api.post(`${nowhere}/auth/eid-se/start`), 'process.not_found');
    const locked = { loginHint: '0103901849' };
    refuses(await api.post(`${place.path}/auth/eid-se/start`, locked), 'eid.provider.error');
    refuses(await api.post(`${place.path}${atPerson}`, locked), 'eid.provider.error');
    const code = `/signee/${person}/passcode`;
    refuses(await api.post(`${nowhere}${code}`, { passcode: 'x' }), 'process.not_found');
    const foreign = { loginHint: '6000101996' };
    const mismatch = 'authentication.error.signee.logon.mismatch';
    refuses(await api.post(`${place.path}/auth/eid-se/start`, foreign), mismatch);
    refuses(await api.post(`${place.path}${atPerson}`, foreign), mismatch);
    const begun = await api.post(`${place.path}/auth/eid-se/start`, {});
    const poll = (token: string, at = place.path) => api.post(`${at}/auth/eid-se/poll`, { token });
    refuses(await poll(begun.body.token, nowhere), 'authentication.token.scope.invalid');
    expect((await poll(begun.body.token)).status).toBe(200);
    refuses(await poll(begun.body.token), 'authentication.poll.too_frequent');
  });

  test.each(['userCancel', 'expiredTransaction', 'startFailed'])(
    'at a sequence by eid-se, with the reason %s',
    async (hint) => {
      const hints = { userCancel: '0103901179', expiredTransaction: '0203901669' };
      const loginHint = hints[hint as keyof typeof hints] ?? '0203901749';
      const { path } = await api.sequence([{ ...einar, ssn: loginHint }]);
      const { body } = await api.post(`${path}/auth/eid-se/start`, { loginHint });
      api.answer();
      const failed = await api.post(`${path}/auth/eid-se/poll`, { token: body.token });
      expect([failed.status, failed.body.errorCode]).toEqual([403, hint]);
    },
  );
});

test('the activity log of one process rejects an end before the start', async () => {
  const { processKey } = await api.process(clicker);
  const query = 'StartDate=2030-01-01&EndDate=2020-01-01';
  refuses(
    await api.get(`/api/signing/activity/${processKey}?${query}`, owner()),
    'validation.error',
  );
});

test('documents that cannot be sealed are rejected by every route with the same code', async () => {
  const unreadable = agreement.subarray(0, 6000).toString('base64');
  const { flowKey } = api;
  for (const [url, more] of [
    ['/api/management/signing', { pdfFileName: 'a.pdf', createSignees: [clicker] }],
    ['/api/management/sealing', {}],
    ['/api/management/archive', { fileName: 'a.pdf' }],
  ] as const) {
    const body = { flowKey, pdfDocument: unreadable, ...more };
    refuses(await api.post(url, body, owner()), 'pdf.truncated');
  }
});

test('unknown credentials are rejected on a company route', async () => {
  const headers = { authorization: basicOf('nobody', 'nothing') };
  refuses(await api.get('/api/management/flow', headers), 'authentication.credentials.invalid');
});

test('a line break in a path matches no route', async () => {
  const url = '/api/management/flow/css/a%0Ab.css';
  refuses(await api.get(url, owner()), 'route.not_found');
});

test.each([
  ['POST', '/api/management/sealing', { flowKey: 'f', pdfDocument: 'AAAA' }],
  ['POST', '/api/management/sealing/xml', { flowKey: 'f', xmlDocument: 'AAAA' }],
  ['POST', '/api/management/archive', { fileName: 'a.pdf', pdfDocument: 'AAAA' }],
  ['POST', '/management/signing/sp0/signee/si0/remind', { CommunicationDeliveryType: 'None' }],
  ['DELETE', '/signing/process/sp0/signee/si0/remind', undefined],
  ['DELETE', '/signing/sequence/pg0/signee/gs0/remind', undefined],
] as const)(
  'an internal error at %s %s is answered with 500 and discloses nothing',
  async (method, url, body) => {
    const fail = async () => {
      throw new Error('/home/acme/secret.key');
    };
    const reminders = { remind: fail, cancelReminders: fail };
    const company = { company: { key: 'c' }, flows: { css: fail }, reminders };
    const ports = {
      now: () => 0,
      random: (count: number) => new Uint8Array(count),
      version: '0.0.0',
      authenticate: async () => company,
      documents: { archive: fail },
    };
    const app = await buildApi(ports as never);
    const headers = { authorization: basicOf('c', 'k') };
    const payload = body === undefined ? {} : { payload: body };
    const reply = await app.inject({ method, url, headers, ...payload });
    await app.close();
    refuses({ status: reply.statusCode, headers: {}, body: reply.json() }, 'internal.unexpected');
    expect(reply.body).not.toContain('acme');
  },
);
