import { expect, test } from 'vitest';
import { cscDriver } from '../../../../src/adapters/eid/csc/index.ts';
import type { EidState } from '../../../../src/app/ports/index.ts';
import {
  type CscBench,
  cscOrder,
  cscPeople,
  cscPerson,
  cscRequest,
  openCscBench,
} from '../../../support/eid/csc/csc-bench.ts';
import { answer } from '../../../support/eid/csc/messages.ts';

const { member, stranger } = cscPeople('P-256');
const request = cscRequest(cscOrder(member));

async function find(bench: CscBench, loginHint: string = cscPerson.ssn) {
  const asked = { ...request, loginHint };
  return (await bench.driver.findCertificates?.(asked, bench.environment))?.certificates;
}

test('the certificate and its path are known before the digest', async () => {
  const bench = openCscBench({ key: 'P-256' });
  expect(bench.driver.signing?.certificate).toBe('lookup');
  const found = await find(bench);
  expect(found).toHaveLength(1 + member.chain.length);
  expect(Buffer.from(found?.[0] ?? []).equals(member.der)).toBe(true);
});

test.each([
  ['the number with a dash', '010390-1099', undefined],
  ['no number', '', undefined],
  ['another number', '0203901589', 'identityMismatch'],
] as const)('the certificate is compared with %s', async (_, loginHint, code) => {
  const found = find(openCscBench({ key: 'P-256' }), loginHint);
  if (code === undefined) await expect(found).resolves.toHaveLength(3);
  else await expect(found).rejects.toMatchObject({ code });
});

test.each([
  ['disabled-key', 'accountUnusable'],
  ['weak-control', 'accountUnusable'],
  ['revoked-status', 'certificateErr'],
  ['expired-status', 'certificateErr'],
  ['foreign-issuer', 'invalidResponse'],
  ['other-person', 'identityMismatch'],
  ['several-credentials', 'internalError'],
  ['unavailable', 'providerUnavailable'],
] as const)('a credential with the fault "%s" is rejected with %s', async (fault, code) => {
  const bench = openCscBench({ key: 'P-256' });
  bench.server.inject(fault);
  await expect(find(bench)).rejects.toMatchObject({ code });
  const findings = await bench.driver.check(bench.environment);
  // The operator's check does not know the person.
  expect(findings.every(({ isOk }) => isOk)).toBe(fault === 'other-person');
});

test('an error response keeps its code if its description is not a string', async () => {
  const bench = openCscBench({ key: 'P-256' });
  const http = async () => answer(400, { error: 'access_denied', error_description: 7 });
  const found = bench.driver.findCertificates?.(request, { ...bench.environment, http });
  await expect(found).rejects.toMatchObject({ code: 'userCancel' });
});

test('algorithms that do not match the certificate are rejected', async () => {
  const bench = openCscBench();
  bench.server.inject('algorithms-do-not-fit');
  await expect(find(bench)).rejects.toMatchObject({ code: 'invalidResponse' });
});

test('a configured credential is used without listing credentials', async () => {
  const bench = openCscBench({ key: 'P-256', driver: { credentialId: 'GX0112348' } });
  bench.server.inject('several-credentials');
  await expect(find(bench)).resolves.toHaveLength(3);
  expect(bench.server.paths()).not.toContain('/csc/v2/credentials/list');
});

test('a certificate that expired meanwhile is rejected', async () => {
  const bench = openCscBench({ key: 'P-256' });
  bench.advance(400 * 24 * 3_600_000);
  await expect(find(bench)).rejects.toMatchObject({ code: 'certificateErr' });
});

test('a flipped byte in the certificate never yields a different identity', async () => {
  for (let at = 0; at < member.der.length; at += 7) {
    const bench = openCscBench({ key: 'P-256' });
    const http: CscBench['environment']['http'] = async (asked) => {
      const answer = await bench.environment.http(asked);
      if (!asked.url.endsWith('credentials/info')) return answer;
      const members = JSON.parse(Buffer.from(answer.body).toString());
      const der = Buffer.from(members.cert.certificates[0], 'base64');
      der[at] = (der[at] as number) ^ 0x20;
      members.cert.certificates[0] = der.toString('base64');
      return { ...answer, body: Buffer.from(JSON.stringify(members)) };
    };
    const environment = { ...bench.environment, http };
    const found = bench.driver.findCertificates?.(request, environment);
    await expect(found, `byte ${at}`).rejects.toHaveProperty('name', 'EidError');
  }
});

test.each([
  ['cert', 'certificates', []],
  ['cert', 'certificates', 'AAAA'],
  ['cert', 'certificates', [7]],
  ['cert', 'certificates', ['AAAA']],
  ['cert', 'certificates', Array(300).fill('AAAA')],
  ['key', 'algo', 'x'],
  ['key', 'algo', ['1.2.3']],
  ['key', 'status', undefined],
  ['auth', 'mode', 7],
  ['auth', 'objects', [null]],
  ['auth', 'objects', [{ id: '' }]],
] as const)('a malformed member %s.%s is rejected', async (group, name, value) => {
  const bench = openCscBench({ key: 'P-256' });
  const http: CscBench['environment']['http'] = async (asked) => {
    const answer = await bench.environment.http(asked);
    if (!asked.url.endsWith('credentials/info')) return answer;
    const members = JSON.parse(Buffer.from(answer.body).toString());
    members[group][name] = value;
    return { ...answer, body: Buffer.from(JSON.stringify(members)) };
  };
  const found = bench.driver.findCertificates?.(request, { ...bench.environment, http });
  await expect(found).rejects.toMatchObject({ name: 'EidError', code: 'invalidResponse' });
});

test.each([
  ['key', null],
  ['auth', []],
  ['multisign', 0],
  ['multisign', '1'],
] as const)('a malformed member %s is rejected: %j', async (name, value) => {
  const bench = openCscBench({ key: 'P-256' });
  const http: CscBench['environment']['http'] = async (asked) => {
    const answer = await bench.environment.http(asked);
    if (!asked.url.endsWith('credentials/info')) return answer;
    const members = JSON.parse(Buffer.from(answer.body).toString());
    return { ...answer, body: Buffer.from(JSON.stringify({ ...members, [name]: value })) };
  };
  const found = bench.driver.findCertificates?.(request, { ...bench.environment, http });
  await expect(found).rejects.toMatchObject({ code: 'invalidResponse' });
});

test('secrets are never sent to an authorization server without TLS', async () => {
  const bench = openCscBench({ key: 'P-256' });
  const http: CscBench['environment']['http'] = async (asked) => {
    const answer = await bench.environment.http(asked);
    const text = Buffer.from(answer.body).toString().replaceAll('https://as.', 'http://as.');
    return { ...answer, body: Buffer.from(text) };
  };
  const found = bench.driver.findCertificates?.(request, { ...bench.environment, http });
  await expect(found).rejects.toMatchObject({ code: 'invalidResponse' });
  expect(bench.server.paths()).toEqual(['/csc/v2/info']);
});

test('a client authenticates with HTTP Basic if configured', async () => {
  const bench = openCscBench({ key: 'P-256', driver: { clientAuthentication: 'basic' } });
  await expect(find(bench)).resolves.toHaveLength(3);
  const { request: sent } = bench.server.log.find(({ path }) => path.endsWith('token')) ?? {};
  expect(sent?.headers.authorization).toMatch(/^Basic /);
  expect(sent?.body).not.toContain('client_secret');
});

test('a person unlocks their own credentials and signs within that session', async () => {
  const bench = openCscBench({
    key: 'P-256',
    server: { isPublicClient: true },
    driver: { access: 'person', clientSecret: undefined as never },
  });
  expect(bench.driver.signing?.certificate).toBe('session');
  expect(bench.driver.findCertificates).toBeUndefined();
  const phase = { ...request, purpose: 'certificate' } as const;
  const { state } = await bench.driver.start(phase, bench.environment);
  expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'pending' });
  const back = (await bench.comeBack(state)) as EidState;
  const known = await bench.driver.poll(back, bench.environment);
  if (known.status !== 'complete') throw new Error(`expected certificates, found ${known.status}`);
  expect(known.identity).toMatchObject(cscPerson);
  const { certificates = [], linked = {} } = known;
  const order = { ...cscOrder(member), certificates, linked };
  const begun = await bench.driver.start(cscRequest(order), bench.environment);
  const signed = await bench.driver.poll(
    (await bench.comeBack(begun.state)) as EidState,
    bench.environment,
  );
  expect(signed).toMatchObject({ status: 'complete', signature: { delivery: 'raw' } });
  const alone = bench.driver.start(cscRequest(cscOrder(member)), bench.environment);
  await expect(alone).rejects.toMatchObject({ code: 'internalError' });
});

test.each([
  ['url', { url: 'qtsp.example' }],
  ['version', { version: '1.0' as never }],
  ['anchors', { anchors: [] }],
  ['clientId', { clientId: '' }],
  ['clientSecret', { clientSecret: undefined as never }],
  ['delivery', { access: 'person', delivery: 'cms' }],
] as const)('invalid options are named: %s', (name, changes) => {
  const { settings } = openCscBench({ key: 'P-256' });
  expect(() => cscDriver({ ...settings, ...changes })).toThrow(name);
});

test('a certificate of another person is rejected if a person is expected', async () => {
  const bench = openCscBench({ key: 'P-256', server: { member: stranger } });
  await expect(find(bench)).rejects.toMatchObject({ code: 'identityMismatch' });
  await expect(find(bench, '')).resolves.toHaveLength(3);
});
