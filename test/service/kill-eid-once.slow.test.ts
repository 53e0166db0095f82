import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eidFailCodes } from '../../src/domain/auth/index.ts';
import { buildName } from '../../src/formats/x509/index.ts';
import { clientKeys } from '../support/eid/audkenni/backchannel.ts';
import { makeWorld } from '../support/eid/audkenni/persons.ts';
import { httpAnswer } from '../support/eid/audkenni-bench.ts';
import { agreed, audkenniProvider } from '../support/eid/audkenni-server.ts';
import { keyAlgorithms } from '../support/eid/csc/csc-bench.ts';
import { cscServer } from '../support/eid/csc/csc-server.ts';
import { cscFacts } from '../support/eid/csc/provider-state.ts';
import { clientId, clientSecret, keyNamed, person } from '../support/eid/oidc/oidc-bench.ts';
import { OidcServer } from '../support/eid/oidc-server.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { makeTestPki } from '../support/pki.ts';
import { pemOf, serveTls } from '../support/tls.ts';
import { type EidPollTask, pollEid } from './kill-acts.ts';
import { type Nursery, openNursery } from './kill-children.ts';
import { killEverywhere } from './kill-sessions.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
const redirectUri = 'https://sign.example.is/s/eid/callback';

let folder = '';
let it: TestService;
let nursery: Nursery | undefined;
let offsetMs = 0;
const now = () => Date.now() + offsetMs;
const pass = (ms: number) => {
  it.pass(ms);
  offsetMs = it.nowMs() - Date.now();
};

beforeEach(() => {
  offsetMs = 0;
  folder = newTemporaryFolder('kill-once');
});
afterEach(async () => {
  nursery?.remove();
  await it?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A service with these providers, and programs that work on it concurrently. */
async function open(content: object, more: Record<string, string> = {}): Promise<void> {
  const file = join(folder, 'eid.json');
  writeFileSync(file, JSON.stringify(content));
  // Each kill point has a separate login.
  const bounds = ['IN_TEN_MINUTES', 'A_DAY', 'A_DAY_BY_CLIENT'];
  const names = [...bounds, 'STRANGERS_IN_TEN_MINUTES', 'STRANGERS_A_DAY', 'A_MINUTE_OF_FLOW'];
  const settings = {
    INNSIGLI_EID: file,
    INNSIGLI_FRONT_END: 'https://sign.example.is',
    ...more,
    ...Object.fromEntries(names.map((name) => [`INNSIGLI_LOGINS_${name}`, '1000'])),
  };
  it = await openTestService(settings);
  pass(0);
  const env = { HOME: it.folder, INNSIGLI_HOME: join(it.folder, 'data'), ...settings };
  nursery = await openNursery(env);
}

/** Lookups counted for the company. */
async function counted(): Promise<number> {
  const lookups = await it.toolkit.lookups();
  return lookups.reduce((sum, { total }) => sum + total, 0);
}

type Ended = Awaited<ReturnType<typeof pollEid>>;

/**
 * Kills polls of logins whose provider returns a result once. Each login ends either with the
 * person and one counted lookup, or with a code and no person; later polls return the same.
 */
async function expectEnds(begin: () => Promise<EidPollTask>, ssn: string) {
  const ends = new Map<string, string>();
  const { identity } = it.service;
  const points = await killEverywhere({
    nursery: nursery as Nursery,
    ...{ offsetMs: () => offsetMs, pass },
    approved: begin,
    check: async (poll, moment) => {
      let answer: Ended = await pollEid(identity, poll);
      // A lost result leaves a login pending until its time limit.
      for (let round = 0; answer.state === 'waiting' && round < 4; round++) {
        pass(60_000);
        answer = await pollEid(identity, poll);
      }
      const shown =
        answer.state === 'done' && 'customer' in answer
          ? answer.customer.ssn
          : answer.state === 'failed'
            ? answer.hint
            : answer.state;
      expect([moment, [ssn, ...eidFailCodes]]).toEqual([moment, expect.arrayContaining([shown])]);
      ends.set(moment, shown);
      const costs = await counted();
      pass(6_000);
      expect([moment, await pollEid(identity, poll)]).toEqual([moment, answer]);
      expect([moment, await counted()]).toEqual([moment, costs]);
    },
  });
  // Each person once, in one login.
  const persons = [...ends.values()].filter((end) => end === ssn);
  expect(await counted()).toBe(persons.length);
  expect(ends.get('moment undefined')).toBe(ssn);
  // A request lost before the result was returned is repeated.
  expect(ends.get('moment 1')).toBe(ssn);
  expect(ends.get(`moment ${points.length}`)).toBe(ssn);
  return points;
}

describe('a program killed while the provider returns a result that is available once', () => {
  test('Auðkenni: the login ends with the person or an error code', async () => {
    const nowMs = Date.now();
    const world = makeWorld(makeTestPki({ nowMs }));
    const tls = makeTestPki({ nowMs });
    let provider = audkenniProvider(world);
    const { url } = await serveTls(
      tls,
      async (request, response) => {
        let body = '';
        for await (const part of request) body += String(part);
        provider.state.nowMs = now();
        const { method = '', headers } = request;
        const given = { method, url: new URL(request.url ?? '', url), headers, body };
        const answer = httpAnswer(provider.handle(given as Parameters<typeof provider.handle>[0]));
        response.writeHead(answer.status, { ...answer.headers } as never).end(answer.body);
      },
      { asks: false },
    );
    provider = audkenniProvider(world, { baseUrl: url });
    writeFileSync(join(folder, 'anchor.pem'), pemOf(world.pki.member('ca').der));
    writeFileSync(join(folder, 'tls.pem'), pemOf(tls.member('root').der));
    writeFileSync(join(folder, 'secret'), `${agreed.clientSecret}\n`);
    const key = clientKeys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    writeFileSync(join(folder, 'client.key'), key);
    const driver = { driver: 'audkenni-ciba', channel: 'App', baseUrl: url };
    const client = { clientId: agreed.clientId, clientSecretFile: 'secret' };
    const files = { privateKeyFile: 'client.key', anchors: ['anchor.pem'] };
    const tested = { transport: { caFile: 'tls.pem' }, revocation: 'provider' };
    const app = { ...driver, ...client, ...files, ...tested };
    await open({ providers: { app }, methods: { App: 'app' } });
    const { ssn } = world.person;
    const begin = async () => {
      const { flowKey } = it;
      const asked = { scheme: 'sim-app', channel: 'App', loginHint: ssn } as const;
      const more = { flowKey, includeVerificationCode: true, circumstances };
      const { token } = await it.service.identity.startLogin({ ...asked, ...more });
      provider.state.nowMs = now();
      provider.approve();
      pass(6_000);
      return { token, flowKey, scheme: 'sim-app' } as const;
    };
    expect(await expectEnds(begin, ssn)).toContain('post accepted');
  }, 600_000);

  test('OpenID Connect: the login ends with the person or an error code', async () => {
    let broker: OidcServer | undefined;
    const http: Server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      const { method = 'GET', url = '', headers } = request;
      const given = { method, url: `${issuer}${url}`, headers, body };
      const answer = broker?.handle(given as Parameters<OidcServer['handle']>[0]);
      response.writeHead(answer?.status ?? 500, answer?.headers).end(answer?.body);
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    broker = new OidcServer({
      ...{ issuer, clientId, redirectUri, pushed: 'offered', keys: [keyNamed('one')], person },
      ...{ secret: { value: clientSecret, way: 'basic' }, inIdToken: ['name', 'loa'], now },
    });
    writeFileSync(join(folder, 'secret'), `${clientSecret}\n`);
    const clientAuthentication = { method: 'client_secret_basic', secretFile: 'secret' };
    const one = { driver: 'oidc', issuer, clientId, clientAuthentication, redirectUri };
    await open({ providers: { broker: one }, methods: { 'eid-se': 'broker' } });
    const begin = async () => {
      const { flowKey } = it;
      const asked = { scheme: 'eid-se', channel: 'App', loginHint: '' } as const;
      const more = { flowKey, includeVerificationCode: false, circumstances };
      const started = await it.service.identity.startLogin({ ...asked, ...more });
      broker.visit(started.redirectUrl ?? '');
      await it.service.identity.takeReturn(broker.approve().href);
      pass(6_000);
      return { token: started.token, flowKey };
    };
    try {
      expect(await expectEnds(begin, '1201603389')).toContain('post accepted');
    } finally {
      http.closeAllConnections();
      http.close();
    }
  }, 600_000);

  test('remote signing (CSC): the document has one signature, or none and an error code', async () => {
    const nowMs = Date.now();
    const pki = makeTestPki({ nowMs });
    const signer = { ssn: '0103901099', name: 'Anna Björk Prófsdóttir' };
    const issue = (from: typeof pki, { name, ssn }: typeof signer) => {
      const subject = { countryName: 'IS', commonName: name, serialNumber: `PNOIS-${ssn}` };
      const subjectDer = buildName(subject);
      return from.issue({ name: `csc ${ssn}`, key: 'P-256', subjectDer });
    };
    const server = cscServer({
      ...{ now, version: '2.0', mode: 'oauth2code', algo: keyAlgorithms['P-256'] ?? [] },
      member: issue(pki, signer),
      stranger: issue(pki, { ssn: '0203901589', name: 'Annar Maður' }),
      foreign: issue(makeTestPki({ nowMs }), signer),
    });
    server.approve();
    // Both its servers share an address here, and differ by path.
    const hostOf = (path: string) =>
      path.startsWith('/oauth2/') ? cscFacts.base : new URL(cscFacts.url).origin;
    const { url } = await serveTls(
      pki,
      async (request, response) => {
        let body = '';
        for await (const part of request) body += String(part);
        const { method = '', url: path = '', headers } = request;
        const given = { method, url: `${hostOf(path)}${path}`, headers, body };
        const answer = server.handle(given as Parameters<typeof server.handle>[0]);
        response.writeHead(answer.status, answer.headers as never).end(answer.body);
      },
      { asks: false },
    );
    writeFileSync(join(folder, 'root.pem'), pemOf(pki.member('root').der));
    writeFileSync(join(folder, 'secret'), `${cscFacts.clientSecret}\n`);
    const { clientId: client, redirectUri: back } = cscFacts;
    const csc = {
      ...{ driver: 'csc', url: `${url}/csc/v2`, authorizationServer: url, version: '2.0' },
      ...{ clientId: client, clientSecretFile: 'secret', redirectUri: back, delivery: 'raw' },
      ...{ anchors: ['root.pem'], transport: { caFile: 'root.pem' } },
    };
    const trusted = { INNSIGLI_TRUST: join(folder, 'root.pem') };
    await open({ providers: { csc }, methods: { 'eid-se': 'csc' } }, trusted);
    const begin = async () => {
      const made = await it.toolkit.processes.create({
        ...{ flowKey: it.flowKey, pdf: agreement, fileName: 'Samningur.pdf' },
        signees: [{ ...signer, signatureType: 'Qualified' }],
      });
      const place = { processKey: made.key, signeeKey: made.signees[0]?.key ?? '' };
      const at = { ...place, circumstances };
      const started = await it.service.identity.startForeign(at, 'eid-se', {});
      const page = (started.redirectUrl ?? '').replace(url, cscFacts.base);
      await it.service.identity.takeReturn(server.visit(page, 'approve').href);
      pass(6_000);
      return { ...place, token: started.token };
    };
    const ends: string[] = [];
    const { identity } = it.service;
    // The first signature in a folder creates keys that the others find.
    expect((await pollEid(identity, await begin())).state).toBe('signed');
    const points = await killEverywhere({
      nursery: nursery as Nursery,
      ...{ offsetMs: () => offsetMs, pass, approved: begin },
      check: async (poll, moment) => {
        if (!('processKey' in poll)) throw new Error('expected a signature');
        let answer = await pollEid(identity, poll);
        for (let round = 0; answer.state === 'waiting' && round < 4; round++) {
          pass(60_000);
          answer = await pollEid(identity, poll);
        }
        const { signees, lease } = await it.toolkit.processes.show({ key: poll.processKey });
        const isSigned = answer.state === 'signed';
        expect([moment, answer.state]).toEqual([moment, isSigned ? 'signed' : 'failed']);
        expect([moment, signees[0]?.state === 'Signed', lease]).toEqual([
          moment,
          isSigned,
          undefined,
        ]);
        const pdf = await it.toolkit.processes.document(poll.processKey);
        const made = Buffer.from(pdf).toString('latin1').split('/ByteRange').length - 1;
        expect([moment, made]).toEqual([moment, isSigned ? 1 : 0]);
        ends.push(answer.state);
      },
    });
    expect(points).toContain('post accepted');
    expect([ends[0], ends[1], ends.at(-1)]).toEqual(['signed', 'signed', 'signed']);
  }, 900_000);
});
