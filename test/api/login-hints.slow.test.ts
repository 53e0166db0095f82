import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type IdentityApi, openIdentityApi, type Reply } from './support/identity.ts';
import { agreement } from './support/open-api.ts';

/** The requests with which the providers were started. */
const started: { readonly loginHint: string; readonly text: string }[] = [];
vi.mock(import('../../src/adapters/eid/index.ts'), async (original) => {
  const own = await original();
  const simulatorDriver: typeof own.simulatorDriver = (options) => {
    const driver = own.simulatorDriver(options);
    return {
      ...driver,
      start: async (request, environment) => {
        started.push({ loginHint: request.loginHint, text: request.text });
        return driver.start(request, environment);
      },
    };
  };
  return { ...own, simulatorDriver };
});

let api: IdentityApi;
beforeEach(async () => {
  const settings = { INNSIGLI_SIMULATED_PERSONS: 'any' };
  api = await openIdentityApi({ trustProxy: ['127.0.0.1'] }, settings);
  started.length = 0;
}, 60_000);
afterEach(() => api.close());

const jona = { name: 'Jóna', ssn: '1203894569', phoneNumber: '5812345' };
const mailOnly = { name: 'Karl', email: 'karl@example.test', signatureType: 'ClickToSign' };
const foreign = {
  status: 401,
  body: { errorCode: 'authentication.error.signee.logon.mismatch' },
};
const sim = (loginHint?: string) => ({
  authenticationContextType: 'Sim',
  ...(loginHint === undefined ? {} : { loginHint }),
});
const app = (loginHint?: string) => ({ ...sim(loginHint), authenticationContextType: 'App' });

describe('a link starts logins of its signee only', () => {
  const ways = (place: {
    readonly processKey: string;
    readonly signeeKey: string;
    readonly sign: string;
  }): Record<string, (body: object) => Promise<Reply>> => ({
    signee: (body) => api.post('/api/signing/auth/start', { ...place, sign: undefined, ...body }),
    process: (body) => api.post(`/api/signing/${place.processKey}/auth`, body),
    signature: (body) => api.post(place.sign, body),
  });

  test.each(['signee', 'process', 'signature'])(
    'rejects a number of another person: %s',
    async (way) => {
      const ask = ways(await api.process(jona))[way] as (body: object) => Promise<Reply>;
      for (const body of [
        sim('5812399'),
        sim('+3545812399'),
        sim('1203894569'),
        app('1203894649'),
        app('5812345'),
        sim('+11111111111'),
        app('6000101994'),
      ]) {
        expect([body, await ask(body)]).toMatchObject([body, foreign]);
        // Without a signee key, five attempts in 15 minutes are the limit.
        api.pass(4 * 60_000);
      }
      expect(started).toEqual([]);
      expect((await ask(sim('+354 581 2345'))).status).toBe(200);
      api.pass(3000);
      expect((await ask(app('120389-4569'))).status).toBe(200);
      expect(started.map(({ text }) => text)).toEqual(['Samningur.pdf', 'Samningur.pdf']);
    },
    30_000,
  );

  test('a signee without a known number may use any, within the limits of the link', async () => {
    const place = await api.process(mailOnly);
    const ask = ways(place)['signee'] as (body: object) => Promise<Reply>;
    const statuses = [];
    for (let at = 0; at < 6; at++) {
      statuses.push((await ask(sim(`581230${at}`))).status);
      api.pass(3000);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    // Another document has a separate limit.
    const other = ways(await api.process(mailOnly))['signee'] as typeof ask;
    expect((await other(sim('5812390'))).status).toBe(200);
  }, 30_000);

  test('a sequence accepts the numbers of its persons, or only of the person named', async () => {
    const karl = { name: 'Karl', ssn: '1203894649', phoneNumber: '5812346' };
    const { path, personKeys } = await api.sequence([jona, karl]);
    expect(await api.post(`${path}/auth`, app('6000101994'))).toMatchObject(foreign);
    expect(await api.post(`${path}/auth`, sim('5812399'))).toMatchObject(foreign);
    expect(await api.post(`${path}/auth/eid-se/start`, { loginHint: '6000101994' })).toMatchObject(
      foreign,
    );
    const [first] = personKeys;
    const atFirst = `${path}/signee/${first}/auth/eid-se/start`;
    expect(await api.post(atFirst, { loginHint: karl.ssn })).toMatchObject(foreign);
    expect(started).toEqual([]);
    expect((await api.post(`${path}/auth`, app(karl.ssn))).status).toBe(200);
    expect((await api.post(atFirst, { loginHint: jona.phoneNumber })).status).toBe(200);
    api.pass(3000);
    expect((await api.post(atFirst, {})).status).toBe(200);
    expect(started.map(({ loginHint }) => loginHint)).toEqual([
      karl.ssn,
      jona.phoneNumber,
      jona.ssn,
    ]);
  }, 30_000);

  test('a document of a sequence accepts a number known from another document of the person', async () => {
    const karl = { ...mailOnly, ssn: '1203894649', phoneNumber: '5812346' };
    const document = { flowKey: api.flowKey, pdfFileName: 'Samningur.pdf' };
    const pdf = { ...document, pdfDocument: agreement.toString('base64') };
    const made = await api.post(
      '/api/management/signing/sequential',
      {
        user: 'owner@example.test',
        requiresAuth: true,
        createSigningProcesses: [
          { ...pdf, createSignees: [jona, karl] },
          { ...pdf, createSignees: [mailOnly] },
        ],
      },
      { authorization: api.basic },
    );
    expect(made.body.signees).toHaveLength(2);
    const [, { signingKeys }] = made.body.signees;
    const { processKey, signeeKey } = signingKeys[1];
    const sign = `/api/signing/sign/${processKey}/signee/${signeeKey}`;
    const { signee, process } = ways({ processKey, signeeKey, sign });
    for (const ask of [signee, process] as ((body: object) => Promise<Reply>)[]) {
      for (const body of [sim('5812399'), app('6000101994')]) {
        expect([body, await ask(body)]).toMatchObject([body, foreign]);
      }
      expect((await ask(sim('+354 581 2346'))).status).toBe(200);
      api.pass(3000);
    }
    expect((await signee?.(app()))?.status).toBe(200);
    api.pass(3000);
    expect((await process?.(sim()))?.status).toBe(200);
    const { phoneNumber, ssn } = karl;
    expect(started.map(({ loginHint }) => loginHint)).toEqual([
      ...['+354 581 2346', '+354 581 2346'],
      ...[ssn, phoneNumber],
    ]);
  }, 30_000);

  test('a sequence with a person of unknown number counts these starts against itself', async () => {
    const { path } = await api.sequence([jona, mailOnly]);
    const statuses = [];
    for (let at = 0; at < 6; at++) {
      statuses.push((await api.post(`${path}/auth`, sim(`581230${at}`))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    // A person with a known number does not need that.
    expect((await api.post(`${path}/auth`, app(jona.ssn))).status).toBe(200);
  }, 30_000);
});

describe('the text shown on the phone', () => {
  const ask = async (body: object, authorization?: string) => {
    started.length = 0;
    const headers = authorization === undefined ? {} : { authorization };
    const { status } = await api.post('/auth/eid-se/start', body, headers);
    expect(status).toBe(200);
    return started[0]?.text;
  };

  test('is the name of the flow, unless its company asks for another', async () => {
    const [flow] = await api.toolkit.flows.list();
    const userVisibleText = 'Pay 1,000,000 to me';
    const withFlow = { flowKey: api.flowKey, userVisibleText };
    expect(await ask(withFlow)).toBe(flow?.name);
    expect(await ask(withFlow, api.foreign)).toBe(flow?.name);
    expect(await ask(withFlow, 'Basic d3Jvbmc6d3Jvbmc=')).toBe(flow?.name);
    expect(await ask(withFlow, api.basic)).toBe(userVisibleText);
    expect(await ask({ userVisibleText })).toBe('');
    expect(await ask({ userVisibleText }, api.basic)).toBe(userVisibleText);
  }, 30_000);
});
