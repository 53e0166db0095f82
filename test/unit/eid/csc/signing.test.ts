import { createHash, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { EidError, type EidPoll, type EidState } from '../../../../src/app/ports/index.ts';
import {
  type CscBench,
  type CscBenchOptions,
  cscOrder,
  cscPeople,
  cscRequest,
  keyAlgorithms,
  openCscBench,
} from '../../../support/eid/csc/csc-bench.ts';

const rsa = () => cscPeople('RSA-2048').member;
const pinned: CscBenchOptions = {
  server: { mode: 'explicit', objects: { PIN: '739105' } },
  driver: { authorizationValues: { PIN: '739105' } },
};

/** The authorised session of one signature. */
async function authorised(bench: CscBench, request = cscRequest(cscOrder(rsa()))) {
  const { state } = await bench.driver.start(request, bench.environment);
  bench.server.approve();
  return bench.comeBack(state);
}

const poll = ({ driver, environment }: CscBench, state: EidState) =>
  driver.poll(state, environment);

function bodyOf({ server }: CscBench, end: string): Record<string, unknown> {
  const found = server.log.findLast(({ path }) => path.endsWith(end));
  return JSON.parse(found?.request.body ?? 'null');
}

function rawOf(answer: EidPoll) {
  if (answer.status !== 'complete' || answer.signature?.delivery !== 'raw') {
    throw new Error(`expected a raw signature, found ${JSON.stringify(answer)}`);
  }
  return answer.signature;
}

test.each([
  ['rsa-pkcs1', 'sha256', '1.2.840.113549.1.1.11', keyAlgorithms['RSA-2048']],
  ['rsa-pkcs1', 'sha384', '1.2.840.113549.1.1.1', keyAlgorithms['RSA-2048']],
  ['rsa-pkcs1', 'sha512', '1.2.840.113549.1.1.1', ['1.2.840.113549.1.1.1']],
  ['rsa-pss', 'sha256', '1.2.840.113549.1.1.10', keyAlgorithms['RSA-2048']],
  ['rsa-pss', 'sha512', '1.2.840.113549.1.1.10', ['1.2.840.113549.1.1.10']],
] as const)('signs with %s and %s as %s', async (name, digest, signAlgo, algo = []) => {
  const rsaPadding = name === 'rsa-pss' ? 'pss' : 'pkcs1';
  const bench = openCscBench({ server: { algo }, driver: { rsaPadding, digest } });
  const order = cscOrder(rsa(), { digest });
  const answer = await poll(bench, await authorised(bench, cscRequest(order)));
  expect(rawOf(answer).algorithm).toMatchObject({ name, digest });
  const asked = bodyOf(bench, 'signHash');
  expect(asked).toMatchObject({ signAlgo, operationMode: 'S' });
  expect(asked).not.toHaveProperty('SAD');
  expect('signAlgoParams' in asked).toBe(name === 'rsa-pss');
});

test('rejects a key without an algorithm for the configured digest', async () => {
  const bench = openCscBench({
    server: { algo: ['1.2.840.113549.1.1.11'] },
    driver: { digest: 'sha384' },
  });
  const request = cscRequest(cscOrder(rsa(), { digest: 'sha384' }));
  const refused = { code: 'internalError' };
  await expect(bench.driver.start(request, bench.environment)).rejects.toMatchObject(refused);
});

test('converts an ECDSA signature given as r and s to DER', async () => {
  const { member } = cscPeople('P-256');
  const bench = openCscBench({ key: 'P-256' });
  const order = cscOrder(member);
  const state = await authorised(bench, cscRequest(order));
  const environment: CscBench['environment'] = {
    ...bench.environment,
    async http(request) {
      const answer = await bench.environment.http(request);
      if (!request.url.endsWith('signHash')) return answer;
      const { signatures } = JSON.parse(Buffer.from(answer.body).toString());
      const plain = plainOf(Buffer.from(signatures[0], 'base64')).toString('base64');
      return { ...answer, body: Buffer.from(JSON.stringify({ signatures: [plain] })) };
    },
  };
  const { value, algorithm } = rawOf(await bench.driver.poll(state, environment));
  expect(algorithm).toEqual({ name: 'ecdsa', digest: 'sha256' });
  const key = member.certificate.spkiDer;
  const spki = { key: Buffer.from(key), format: 'der', type: 'spki' } as const;
  expect(verify('sha256', order.signedBytes as Uint8Array, spki, value)).toBe(true);
});

/** r and s of a DER value, concatenated. */
function plainOf(der: Buffer): Buffer {
  const rLength = der[3] as number;
  const parts = [der.subarray(4, 4 + rLength), der.subarray(6 + rLength)];
  return Buffer.concat(parts.map((part) => Buffer.concat([Buffer.alloc(32), part]).subarray(-32)));
}

test('binds scope, digest and count into the authorization request', async () => {
  const bench = openCscBench();
  const order = cscOrder(rsa());
  const { challenge } = await bench.driver.start(cscRequest(order), bench.environment);
  const { searchParams } = new URL(challenge.redirectUrl ?? '');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'credential',
    credentialID: 'GX0112348',
    numSignatures: '1',
    hashes: Buffer.from(order.digest).toString('base64url'),
    hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
    code_challenge_method: 'S256',
    lang: 'is',
  });
});

test.each([
  ['2.0', { type: 'credential' }],
  ['2.2', { type: 'https://cloudsignatureconsortium.org/2025/credential', numSignatures: 1 }],
] as const)('states version %s in the authorization details', async (version, expected) => {
  const bench = openCscBench({ server: { hasDetails: true }, driver: { version } });
  const order = cscOrder(rsa());
  const { challenge } = await bench.driver.start(cscRequest(order), bench.environment);
  const text = new URL(challenge.redirectUrl ?? '').searchParams.get('authorization_details');
  const hash = Buffer.from(order.digest).toString('base64');
  const documentDigests = [{ hash, label: 'Agreement.pdf' }];
  expect(JSON.parse(text ?? '')).toMatchObject([{ ...expected, documentDigests }]);
});

test('exposes only the reference of a pushed authorization request', async () => {
  const bench = openCscBench({ server: { isPushedOnly: true } });
  const order = cscOrder(rsa());
  const { challenge } = await bench.driver.start(cscRequest(order), bench.environment);
  const { searchParams } = new URL(challenge.redirectUrl ?? '');
  expect([...searchParams.keys()]).toEqual(['client_id', 'request_uri']);
});

test('requests info at most once in 24 hours', async () => {
  const bench = openCscBench();
  const count = () => bench.server.paths().filter((path) => path.endsWith('/info')).length;
  const infos = () => bench.server.paths().filter((path) => path === '/csc/v2/info').length;
  await bench.driver.check(bench.environment);
  await bench.driver.check(bench.environment);
  expect(infos()).toBe(1);
  expect(count()).toBeGreaterThan(1);
  bench.advance(24 * 3_600_000);
  await bench.driver.check(bench.environment);
  expect(infos()).toBe(2);
  // After a fast clock was corrected, nothing is cached for longer than a day.
  bench.advance(-2 * 24 * 3_600_000);
  await bench.driver.check(bench.environment);
  expect(infos()).toBe(3);
});

test.each([
  ['signatures/signHash', {}],
  ['credentials/list', {}],
  ['credentials/info', {}],
  ['signatures/signPolling', { operationMode: 'A' }],
] as const)('does not start if the provider lacks %s', async (missing, driver) => {
  const every = ['credentials/list', 'credentials/info', 'signatures/signHash'];
  const methods = [...every, 'signatures/signPolling'].filter((method) => method !== missing);
  const bench = openCscBench({ server: { methods, isAsynchronous: true }, driver });
  const start = bench.driver.start(cscRequest(cscOrder(rsa())), bench.environment);
  await expect(start).rejects.toMatchObject({ code: 'internalError' });
  const findings = await bench.driver.check(bench.environment);
  expect(findings.find(({ name }) => name === 'methods')).toMatchObject({ isOk: false });
});

const order = () => cscOrder(rsa());
test.each([
  ['a login', () => cscRequest(order(), { purpose: 'auth' })],
  ['a certificate phase', () => cscRequest(order(), { purpose: 'certificate' })],
  ['another channel', () => cscRequest(order(), { channel: 'App' })],
  ['no signed bytes', () => cscRequest({ ...order(), signedBytes: Buffer.alloc(0) })],
  [
    'a digest of different bytes',
    () => cscRequest({ ...order(), digest: createHash('sha256').update('x').digest() }),
  ],
  ['a short digest', () => cscRequest({ ...order(), digest: Buffer.alloc(20) })],
])('does not start with %s', async (_, request) => {
  const bench = openCscBench();
  const start = bench.driver.start(request(), bench.environment);
  await expect(start).rejects.toMatchObject({ code: 'internalError' });
  expect(bench.server.paths().some((path) => path.endsWith('signHash'))).toBe(false);
});

test('does not start if the credential has a different certificate than promised', async () => {
  const bench = openCscBench();
  const promised = cscOrder(cscPeople('RSA-2048').stranger);
  const start = bench.driver.start(cscRequest(promised), bench.environment);
  await expect(start).rejects.toMatchObject({ code: 'invalidResponse' });
});

test('promises only the assurance level that the configuration states', async () => {
  const request = cscRequest(order(), { minAssurance: 'high' });
  const low = openCscBench({ driver: { assurance: 'substantial' } });
  const refused = { code: 'assuranceTooLow' };
  await expect(low.driver.start(request, low.environment)).rejects.toMatchObject(refused);
  const high = openCscBench({ driver: { assurance: 'high' } });
  const answer = await poll(high, await authorised(high, request));
  expect(answer).toMatchObject({ identity: { assurance: 'high', country: 'IS' } });
});

test.each([
  ['redirect', {}],
  ['explicit', pinned],
] as const)('an authorization (%s) signs once', async (_, options) => {
  const bench = openCscBench(options);
  const state = await authorised(bench);
  expect((await poll(bench, state)).status).toBe('complete');
  expect(await poll(bench, state)).toMatchObject({ status: 'failed', code: 'internalError' });
});

test.each([
  ['redirect', {}],
  ['explicit', pinned],
] as const)('an authorization (%s) signs no other hash', async (_, options) => {
  const bench = openCscBench(options);
  const state = JSON.parse(JSON.stringify(await authorised(bench)));
  state.order.digest = createHash('sha256').update('another').digest('base64');
  const answer = await poll(bench, state);
  expect(answer).toMatchObject({ status: 'failed', providerCode: 'access_denied' });
});

test('an authorization expires without a request', async () => {
  const bench = openCscBench({ ...pinned, driver: { ...pinned.driver, sessionMs: 900_000 } });
  const state = await authorised(bench);
  bench.advance(120_000);
  const before = bench.requestCount();
  expect(await poll(bench, state)).toMatchObject({ code: 'expiredTransaction' });
  expect(bench.requestCount()).toBe(before);
});

test.each([
  ['PIN', { PIN: '739105' }, ['PIN']],
  ['PIN AND OTP', { PIN: '739105', OTP: '201133' }, ['PIN', 'OTP']],
  ['PIN OR OTP', { OTP: '201133' }, ['OTP']],
  ['PIN XOR OTP', { PIN: '739105', OTP: '201133' }, ['PIN']],
  ['(PIN OR OTP) AND PIN', { PIN: '739105', OTP: '201133' }, ['PIN']],
  [undefined, { PIN: '739105', OTP: '201133' }, ['PIN', 'OTP']],
] as const)('authorises explicitly with %s', async (expression, authorizationValues, ids) => {
  const objects = { PIN: '739105', OTP: '201133' };
  const shown = expression === 'PIN' ? { PIN: '739105' } : objects;
  const server = { mode: 'explicit', objects: shown } as const;
  const bench = openCscBench({
    server: { ...server, ...(expression === undefined ? {} : { expression }) },
    driver: { authorizationValues },
  });
  const start = bench.driver.start(cscRequest(order()), bench.environment);
  // The server requires all values unless the expression has an OR; the driver sends the fewest.
  const { state, challenge } = await start;
  expect(challenge).toEqual({});
  const { authData } = bodyOf(bench, 'authorize') as { authData: readonly { id: string }[] };
  expect(authData.map(({ id }) => id)).toEqual(ids);
  expect((await poll(bench, state)).status).toBe('complete');
  expect(bodyOf(bench, 'signHash')).toHaveProperty('SAD');
});

test.each([
  ['PIN AND OTP', { PIN: '739105' }],
  ['PIN', {}],
  ['PIN AND', { PIN: '739105' }],
  ['((PIN)', { PIN: '739105' }],
  ['PIN OTP', { PIN: '739105', OTP: '201133' }],
] as const)(
  'rejects the expression «%s» if values are missing or it is malformed',
  async (expression, authorizationValues) => {
    const bench = openCscBench({
      server: { mode: 'explicit', objects: { PIN: '739105', OTP: '201133' }, expression },
      driver: { authorizationValues },
    });
    const start = bench.driver.start(cscRequest(order()), bench.environment);
    await expect(start).rejects.toMatchObject({ code: 'internalError' });
    expect(bench.server.paths()).not.toContain('/csc/v2/credentials/authorize');
  },
);

test('a wrong PIN means accountUnusable; a one-time password is used once', async () => {
  const server = { mode: 'explicit', objects: { PIN: '739105' } } as const;
  const wrong = openCscBench({ server, driver: { authorizationValues: { PIN: '000000' } } });
  const start = wrong.driver.start(cscRequest(order()), wrong.environment);
  const refused = { code: 'accountUnusable', providerCode: 'invalid_pin' };
  await expect(start).rejects.toMatchObject(refused);
  const objects = { OTP: '201133' };
  const bench = openCscBench({
    server: { ...server, objects },
    driver: { authorizationValues: objects },
  });
  await bench.driver.start(cscRequest(order()), bench.environment);
  const again = bench.driver.start(cscRequest(order()), bench.environment);
  await expect(again).rejects.toMatchObject({ providerCode: 'invalid_otp' });
});

test.each(['requestID', 'responseID'] as const)('polls with member %s', async (pollingMember) => {
  const bench = openCscBench({
    server: { isAsynchronous: true, pollingMember },
    driver: { operationMode: 'A', pollingMember },
  });
  const { state: begun } = await bench.driver.start(cscRequest(order()), bench.environment);
  const ready = await bench.comeBack(begun);
  const first = await poll(bench, ready ?? begun);
  expect(first).toMatchObject({ status: 'pending', hint: 'outstandingTransaction' });
  const state = first.status === 'pending' ? (first.state ?? begun) : begun;
  expect(await poll(bench, state)).toEqual({ status: 'pending', hint: 'outstandingTransaction' });
  bench.server.approve();
  expect((await poll(bench, state)).status).toBe('complete');
});

test('signDoc delivers a CMS over the digest of the document', async () => {
  const bench = openCscBench({ driver: { delivery: 'cms', conformanceLevel: 'AdES-B-T' } });
  expect(bench.driver.signing).toMatchObject({ delivery: 'cms', certificate: 'none' });
  const request = cscRequest(cscOrder(rsa(), { isCms: true }));
  const answer = await poll(bench, await authorised(bench, request));
  expect(answer).toMatchObject({ signature: { delivery: 'cms' }, evidence: { format: 'cms' } });
  expect(bodyOf(bench, 'signDoc')).toMatchObject({
    documentDigests: [{ signature_format: 'P', conformance_level: 'AdES-B-T' }],
  });
});

test('a response above the size limit is rejected', async () => {
  const bench = openCscBench();
  const state = await authorised(bench);
  const environment = {
    ...bench.environment,
    http: async () => {
      throw new EidError('invalidResponse', 'the answer has more than 1 MiB');
    },
  };
  const answer = await bench.driver.poll(state, environment);
  expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
});
