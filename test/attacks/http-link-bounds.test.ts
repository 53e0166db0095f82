import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi, type Reply } from '../api/support/identity.ts';
import { agreement } from '../api/support/open-api.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const owner = () => ({ authorization: api.basic });
const click = (name: string, more: object = {}) => ({
  ...{ name, email: `${name.toLowerCase().replace(/\W/g, '.')}@example.test` },
  ...{ signatureType: 'ClickToSign', communicationDeliveryType: 'Email', ...more },
});
const file = { fileName: 'terms.txt', fileContent: Buffer.from('Terms').toString('base64') };

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const given = payload === undefined ? {} : { payload };
  const answer = await api.app.inject({ method, url: `/api${url}`, headers, ...given });
  const { statusCode: status } = answer;
  const isJson = String(answer.headers['content-type'] ?? '').includes('json');
  return { status, headers: answer.headers, body: isJson ? answer.json() : answer.body };
}

const told = ({ status, body }: Reply) => (status < 400 ? status : [status, body.errorCode]);
const enough = [403, 'signing.forbidden.signee.limit'];
const agreed = [403, 'signing.forbidden.document.signed'];

async function made(signees: readonly object[] = [click('Anna')], flowKey = api.flowKey) {
  const body = {
    ...{ flowKey, pdfFileName: 'a.pdf', pdfDocument: agreement.toString('base64') },
    ...{ createSignees: signees, attachments: [file] },
  };
  const { status, body: shown } = await ask('POST', '/management/signing', body, owner());
  expect(status).toBe(200);
  const key: string = shown.key;
  const keys: string[] = shown.signees.map((each: { key: string }) => each.key);
  const [reference] = shown.attachmentReferences;
  const path = `/signing/${key}/attachment/${reference.id}/fileName/terms.txt`;
  return {
    key,
    keys,
    add: (signee: object, headers = {}) => ask('POST', `/signing/${key}/signee`, signee, headers),
    change: (at: number, change: object, headers = {}) =>
      ask('PUT', `/signing/${key}/signee/${keys[at]}`, change, headers),
    sign: (at: number) => ask('POST', `/signing/sign/${key}/signee/${keys[at]}/click`),
    remove: (headers = {}) => ask('DELETE', path, undefined, headers),
  };
}

const flow = async (settings: object) =>
  (await api.toolkit.flows.create({ name: 'Bounds', type: 'DropAndSign', settings })).key;

describe('signees added by a link', () => {
  test('are invited, and the person who added them receives neither key nor link', async () => {
    const it = await made();
    const { status, body } = await it.add(click('Berglind'));
    expect([status, body.name, body.key, body.url]).toEqual([
      200,
      'Berglind',
      undefined,
      undefined,
    ]);
    const [, added] = (await api.toolkit.processes.show({ key: it.key })).signees;
    expect(JSON.stringify(body)).not.toContain(added?.key);
    const whole = await it.add(click('Company'), owner());
    expect(whole.body).toMatchObject({ key: expect.any(String), url: expect.any(String) });
    const foreign = await it.add(click('Foreign'), { authorization: api.foreign });
    expect([foreign.status, foreign.body.key]).toEqual([200, undefined]);
  });

  test.each([
    ['5 by default', {}, 5],
    ['the number set by the flow', { maxAdditionalSignees: 2 }, 2],
    ['none if the flow says 0', { maxAdditionalSignees: 0 }, 0],
  ])('are limited to %s', async (_what, settings, most) => {
    const it = await made([click('Anna')], await flow({ ...settings }));
    const found = [];
    for (let at = 0; at < most + 2; at += 1) found.push(told(await it.add(click(`More ${at}`))));
    expect(found).toEqual([...Array.from({ length: most }, () => 200), enough, enough]);
    const byCompany = told(await it.add(click('Company'), owner()));
    expect(byCompany).toEqual('maxAdditionalSignees' in settings ? [400, 'validation.error'] : 200);
  });

  test('are counted apart from those of the company', async () => {
    const signees = Array.from({ length: 8 }, (_, at) => click(`Own ${at}`));
    const it = await made(signees);
    expect(told(await it.add(click('More')))).toBe(200);
  });

  test('can be added only before the first signature', async () => {
    const it = await made([click('Anna'), click('Bera')]);
    await it.sign(0);
    expect(told(await it.add(click('Late')))).toEqual(agreed);
    expect(told(await it.add(click('Late'), owner()))).toBe(200);
  });

  test('above the limit: the response does not reveal existing signees', async () => {
    const it = await made([click('Anna')], await flow({ maxAdditionalSignees: 0 }));
    expect(told(await it.add(click('Anna')))).toEqual(enough);
  });

  test.each([
    'http://evil.example/login',
    'www.evil.example',
    'Pay at evil.example now',
    'Mr. evil．example',
    'evil\u2024example',
    'evil\ufe52example',
    'mailto:evil@example',
    'mailto：evil',
    '//evil',
    'Anna \u202egro.live',
    '\u2067Anna\u2069',
    '\u3164\u3164',
    'Anna\u{e0041}',
    '---',
  ])('must have a readable name that is no web address: %s', async (name) => {
    const it = await made();
    const { status, body } = await it.add(click('X', { name }));
    expect([status, body.responseStatus.errors[0].fieldName]).toEqual([400, 'name']);
  });

  test('cannot be sent a custom message text', async () => {
    const it = await made();
    const sms = { ...{ name: 'Sms', phoneNumber: '6666666' }, communicationDeliveryType: 'Sms' };
    const { status, body } = await it.add({ ...sms, customSmsText: 'Call 555 0000' });
    expect([status, body.responseStatus.errors[0].fieldName]).toEqual([400, 'customSmsText']);
    expect(told(await it.add(sms))).toBe(200);
  });
});

describe('changes by a link', () => {
  test('of an address: three per signee, unlimited for the company', async () => {
    const it = await made([click('Anna'), click('Bera')]);
    const move = async (signee: number, at: number, headers = {}) =>
      told(await it.change(signee, { email: `new${at}@example.test` }, headers));
    const found = [];
    for (let at = 0; at < 5; at += 1) found.push(await move(0, at));
    expect(found).toEqual([200, 200, 200, enough, enough]);
    expect(await move(1, 9)).toBe(200);
    expect(told(await it.change(0, { city: 'Bær' }))).toBe(200);
    for (let at = 10; at < 16; at += 1) expect(await move(0, at, owner())).toBe(200);
  });

  test('reveal whether others use an address no more often than that', async () => {
    const it = await made([click('Anna'), click('Vera', { email: 'vera@example.test' })]);
    const own = await it.add(click('Vera', { email: 'mine@example.test' }), owner());
    const move = (at: string) =>
      ask('PUT', `/signing/${it.key}/signee/${own.body.key}`, { email: `${at}@example.test` });
    for (let at = 0; at < 3; at += 1) expect(told(await move(`guess${at}`))).toBe(200);
    expect(told(await move('guess3'))).toEqual(enough);
    expect(told(await move('vera'))).toEqual(enough);
  });

  test('of any kind: twenty per signee', async () => {
    const it = await made();
    const found = [];
    for (let at = 0; at < 22; at += 1) found.push(told(await it.change(0, { city: `B${at}` })));
    expect(found).toEqual([...Array.from({ length: 20 }, () => 200), enough, enough]);
  });

  test('cause at most twenty invitations in total', async () => {
    const it = await made(Array.from({ length: 10 }, (_, at) => click(`S ${at}`)));
    let written = 0;
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 10; at += 1) {
        const answer = await it.change(at, { email: `r${round}.${at}@example.test` });
        if (answer.status === 200) written += 1;
        else expect(told(answer)).toEqual(enough);
      }
    }
    expect(written).toBe(20);
    expect(told(await it.add(click('One more')))).toEqual(enough);
    expect(told(await it.add(click('Silent', { communicationDeliveryType: 'None' })))).toBe(200);
  });

  test('are logged as changes by a link, whatever user they state', async () => {
    const it = await made();
    await it.change(0, { city: 'Bær', user: 'owner@example.test' });
    await it.add({ ...click('Bera'), user: 'owner@example.test' });
    const range = 'StartDate=2020-01-01&EndDate=2100-01-01';
    const log = await ask(
      'GET',
      `/signing/activity?${range}&ProcessKey=${it.key}`,
      undefined,
      owner(),
    );
    const rows: { status: string; createdBy: string; description?: string }[] =
      log.body[0].activityLog;
    const late = rows.filter(({ status }) => /Updated|Added/.test(status)).slice(1);
    expect(late.map(({ createdBy }) => createdBy)).toEqual(['System', 'System']);
    const told = rows.map(({ status, description }) => `${status} ${description ?? ''}`);
    expect(told.filter((each) => each.includes('by link'))).toEqual([
      'SigneeUpdated by link, changed: city',
      'SigneeAdded by link',
    ]);
  });
});

describe('attachments of a process', () => {
  test('can be deleted only before the first signature, even by the company', async () => {
    expect(told(await (await made()).remove())).toBe(204);
    const it = await made([click('Anna'), click('Bera')]);
    await it.sign(0);
    expect(told(await it.remove())).toEqual(agreed);
    expect(told(await it.remove(owner()))).toEqual(agreed);
    expect((await api.toolkit.processes.show({ key: it.key })).attachments).toHaveLength(1);
  });

  test('cannot be deleted by a link during a signature', async () => {
    const it = await made([{ name: 'Anna', ssn: '6000101994' }]);
    const sign = `/signing/sign/${it.key}/signee/${it.keys[0]}`;
    await ask('POST', sign, { authenticationContextType: 'App' });
    expect(told(await it.remove())).toEqual([403, '2002']);
  });
});

describe('a flow with the setting openLinks', () => {
  const two = [click('Anna'), click('Bera')];

  test('shows all signees in full to every link, for documents created since', async () => {
    const key = await flow({});
    const before = await made(two, key);
    await api.toolkit.flows.update(key, { settings: { openLinks: true } });
    const after = await made(two, key);
    const emailsOf = async ({ key: at, keys }: typeof before) => {
      const { body } = await ask('GET', `/signing/${at}/signee/${keys[0]}`);
      return body.signees.map(({ email, url }: { email?: string; url?: string }) => [
        email,
        url !== undefined,
      ]);
    };
    expect(await emailsOf(before)).toEqual([
      ['anna@example.test', true],
      [undefined, false],
    ]);
    expect(await emailsOf(after)).toEqual([
      ['anna@example.test', true],
      ['bera@example.test', true],
    ]);
    expect((await after.add(click('Cia'))).body.url).toBeDefined();
    const found = await ask('GET', `/management/flow/${key}`, undefined, owner());
    expect(found.body.openLinks).toBe(true);
    expect(
      (await ask('GET', `/management/flow/${api.flowKey}`, undefined, owner())).body.openLinks,
    ).toBe(false);
  });

  test.each([
    ['all', true],
    ['one', false],
  ])('opens a sequence in which %s of the flows have the setting', async (_which, isOpen) => {
    const open = await flow({ openLinks: true });
    const pdf = { pdfFileName: 'a.pdf', pdfDocument: agreement.toString('base64') };
    const createSigningProcesses = [open, isOpen ? open : api.flowKey].map((flowKey) => ({
      ...{ flowKey, ...pdf, createSignees: two },
    }));
    const body = { createSigningProcesses, user: 'o@example.test' };
    const whole = (await ask('POST', '/management/signing/sequential', body, owner())).body;
    const [document] = whole.signingProcesses;
    const seen = await ask('POST', `/signing/sequential/${whole.key}`);
    expect(JSON.stringify(seen.body).includes(whole.signees[1].key)).toBe(isOpen);
    const page = await ask('GET', `/signing/${document.key}/signee/${document.signees[0].key}`);
    expect(JSON.stringify(page.body).includes(document.signees[1].key)).toBe(isOpen);
  });
});
