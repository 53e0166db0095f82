import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EidPoll, EidSignOrder } from '../../../../src/app/ports/index.ts';
import { parseSignedData, readMessageDigest } from '../../../../src/formats/cms/index.ts';
import { cibaOptions, cibaRequest, openCiba, world } from '../../../support/eid/audkenni-ciba.ts';
import { places, pollWithFlip } from '../../../support/eid/flipped-bytes.ts';
import { finish, runApproved } from '../../../support/eid/run-session.ts';

const { person } = world;
const signed = Buffer.from('signed attributes of a document');
const sha = (name: string) => new Uint8Array(createHash(name).update(signed).digest());
const refused = { status: 'failed', code: 'invalidResponse' };

type Bench = ReturnType<typeof openCiba>;
type Complete = EidPoll & { readonly status: 'complete' };

function requireComplete(answer: EidPoll): Complete {
  if (answer.status !== 'complete') throw new Error(JSON.stringify(answer));
  return answer;
}

/** The order for a signature in the app, after the person has chosen the certificate. */
async function chosenOrder(bench: Bench): Promise<EidSignOrder> {
  const request = cibaRequest('App', { purpose: 'certificate' });
  const { answer } = await runApproved(bench, request);
  const { certificates = [], linked = {} } = requireComplete(answer);
  return { digest: sha('sha512'), label: 'Contract.pdf', certificates, linked };
}

const signRequest = (channel: 'Sim' | 'App', order?: EidSignOrder) =>
  cibaRequest(channel, { purpose: 'sign', ...(order === undefined ? {} : { order }) });
const simOrder: EidSignOrder = { digest: sha('sha256'), label: 'Contract.pdf' };

describe('signing with the app', () => {
  test('asks for the choice of a certificate, then signs with it', async () => {
    const bench = openCiba('App', { level: 'qualified' });
    expect(bench.driver.signing).toEqual({
      delivery: 'raw',
      level: 'qualified',
      digest: 'sha512',
      certificate: 'session',
    });
    const choice = await runApproved(bench, cibaRequest('App', { purpose: 'certificate' }));
    const chosen = requireComplete(choice.answer);
    expect(chosen).toMatchObject({
      identity: { ssn: person.ssn, name: person.name },
      evidence: { format: 'jwt' },
      linked: { documentNr: person.documentNr },
    });
    expect(chosen).not.toHaveProperty('signature');
    expect(Buffer.from(chosen.certificates?.[0] ?? '').equals(person.app.der)).toBe(true);
    const order = { digest: sha('sha512'), label: 'Contract.pdf', ...chosen } as EidSignOrder;
    const { started, answer } = await runApproved(bench, signRequest('App', order));
    const code = createHash('sha256').update(order.digest).digest().readUInt16BE(30) % 10_000;
    expect(started.challenge.verificationCode).toBe(String(code).padStart(4, '0'));
    const { signature, identity } = requireComplete(answer);
    expect(identity).toMatchObject({ ssn: person.ssn });
    if (signature?.delivery !== 'raw') throw new Error('expected a signature value');
    expect(signature.algorithm).toEqual({ name: 'rsa-pkcs1', digest: 'sha512' });
    const { publicKey } = new X509Certificate(Buffer.from(signature.certificates[0] ?? ''));
    expect(verify('sha512', signed, publicKey, signature.value)).toBe(true);
  });

  test.each([
    ['person: signature over another hash', refused],
    ['person: certificate of a foreign CA', refused],
    ['person: expired certificate', refused],
    ['person: no signature', refused],
    ['person: another one', refused],
    ['person: certificate for logins', refused],
  ])('rejects a signature with «%s»', async (fault, outcome) => {
    const bench = openCiba('App');
    const order = await chosenOrder(bench);
    bench.provider.inject(fault);
    const { answer } = await runApproved(bench, signRequest('App', order));
    expect(answer).toEqual(outcome);
  });

  test('rejects a different certificate of the same person', async () => {
    const bench = openCiba('App');
    const order = await chosenOrder(bench);
    const certificates = [world.expired.app.der];
    const { answer } = await runApproved(bench, signRequest('App', { ...order, certificates }));
    expect(answer).toEqual(refused);
  });

  test.each([
    ['person: another one', 'identityMismatch'],
    ['person: certificate for logins', 'invalidResponse'],
    ['person: certificate of a foreign CA', 'invalidResponse'],
    ['person: another number', 'invalidResponse'],
  ])('rejects a certificate choice with «%s»', async (fault, code) => {
    const bench = openCiba('App');
    bench.provider.inject(fault);
    const { answer } = await runApproved(bench, cibaRequest('App', { purpose: 'certificate' }));
    expect(answer).toEqual({ status: 'failed', code });
  });

  test.each([
    ['without an order', undefined],
    [
      'with a digest of another length',
      {
        digest: sha('sha256'),
        label: 'x',
        certificates: [person.app.der],
        linked: { documentNr: person.documentNr },
      },
    ],
    ['without a certificate', { digest: sha('sha512'), label: 'x' }],
    ['without a choice', { digest: sha('sha512'), label: 'x', certificates: [person.app.der] }],
  ])('does not start a signature %s', async (_, order) => {
    const bench = openCiba('App');
    const started = bench.driver.start(signRequest('App', order), bench.environment);
    await expect(started).rejects.toMatchObject({ name: 'EidError', code: 'internalError' });
    expect(bench.requestCount()).toBe(0);
  });

  test('a changed byte never yields an invalid signature value', async () => {
    let refusals = 0;
    for (const place of places(31)) {
      const bench = openCiba('App');
      const order = await chosenOrder(bench);
      const flip = { part: '/userinfo', place, mask: 1 << Math.floor(place * 7) };
      const answer = await pollWithFlip(bench, signRequest('App', order), flip);
      if (answer.status !== 'complete') {
        refusals++;
        continue;
      }
      const { signature } = answer;
      if (signature?.delivery !== 'raw') throw new Error('expected a signature value');
      const { publicKey } = new X509Certificate(Buffer.from(person.app.der));
      expect(verify('sha512', signed, publicKey, signature.value)).toBe(true);
    }
    expect(refusals).toBeGreaterThan(20);
  });
});

describe('signing with a SIM card', () => {
  test('delivers a CMS over the digest of the order', async () => {
    const bench = openCiba('Sim');
    expect(bench.driver.signing).toEqual({
      delivery: 'cms',
      level: 'advanced',
      digest: 'sha256',
      certificate: 'none',
    });
    const request = { ...signRequest('Sim', simOrder), includeVerificationCode: true };
    const { started, answer } = await runApproved(bench, request);
    const { verificationCode } = started.challenge;
    expect(bench.provider.state.sessions[0]?.text).toBe(`[${verificationCode}] Contract.pdf`);
    const { signature, identity } = requireComplete(answer);
    expect(identity).toMatchObject({ ssn: person.ssn, phoneNumber: person.phone });
    if (signature?.delivery !== 'cms') throw new Error('expected a CMS');
    const [signer] = parseSignedData(signature.cms).signerInfos;
    if (signer === undefined) throw new Error('no signer');
    expect(Buffer.from(readMessageDigest(signer) ?? '').equals(simOrder.digest)).toBe(true);
  });

  test.each([
    'person: signature over another hash',
    'person: signature by another key',
    'person: certificate of a foreign CA',
    'person: certificate for logins',
    'cms: no certificate',
    'cms: other content',
  ])('is rejected with «%s»', async (fault) => {
    const bench = openCiba('Sim');
    bench.provider.inject(fault);
    const { answer } = await runApproved(bench, signRequest('Sim', simOrder));
    expect(answer).toEqual(refused);
  });

  test('offers no choice of a certificate', async () => {
    const bench = openCiba('Sim');
    const request = cibaRequest('Sim', { purpose: 'certificate' });
    const started = bench.driver.start(request, bench.environment);
    await expect(started).rejects.toMatchObject({ code: 'internalError' });
  });
});

describe('CIBA requests', () => {
  const claims = (bench: Bench): Record<string, unknown> => {
    const body = new URLSearchParams(bench.provider.state.log.at(-1)?.body ?? '');
    const [, payload = ''] = (body.get('request') ?? '').split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  };

  test('contain the documented parameters and the options of the app', async () => {
    const changes = { relatedParty: 'Archive', offersCodes: true, confirmsMessage: true };
    const bench = openCiba('App', { ...changes, keyId: 'k1' });
    const text = `Contract\n${'á'.repeat(250)}`;
    await bench.driver.start(cibaRequest('App', { text }), bench.environment);
    const found = claims(bench);
    expect(found).toMatchObject({
      login_hint: person.ssn,
      scope: 'openid profile signature RELATEDPARTY:Archive',
      acr_values: 'app-auth',
      binding_message: `Contract ${'á'.repeat(50)}…`,
      binding_message_long: `Contract ${'á'.repeat(190)}…`,
      vchoice: 'true',
      confirmation_message: 'true',
    });
    expect(Number(found['exp']) - Number(found['iat'])).toBe(300);
  });

  test('use the configured methods and the configured certificate claim', async () => {
    const bench = openCiba('App', { certificateClaim: 'document_nr' });
    const order = await chosenOrder(bench);
    const started = bench.driver.start(signRequest('App', order), bench.environment);
    await expect(started).rejects.toMatchObject({ code: 'notAUser', providerCode: 'mssp_105' });
    expect(claims(bench)).toMatchObject({
      login_hint: person.ssn,
      document_nr: person.documentNr,
      acr_values: 'app-sign-with-certificate',
    });
    const other = openCiba('App', { acrValues: { auth: 'app-auth-2' } });
    const refusal = other.driver.start(cibaRequest('App'), other.environment);
    await expect(refusal).rejects.toMatchObject({ providerCode: 'mssp_109' });
  });

  test.each([
    [{ error: 'access_denied' }, { code: 'userCancel', providerCode: 'access_denied' }],
    [{ error: 'constructor' }, { code: 'internalError', providerCode: 'unknown_error' }],
    [{ error: person.ssn }, { code: 'internalError', providerCode: 'unknown_error' }],
    [
      { error: 'access_denied', error_description: `no ${person.ssn}` },
      { code: 'userCancel', providerCode: 'access_denied' },
    ],
    [{ message: 'no' }, { code: 'invalidResponse' }],
  ])('fail when the token endpoint returns %j', async (body, outcome) => {
    const bench = openCiba('App');
    const { state } = await bench.driver.start(cibaRequest('App'), bench.environment);
    const answer = await bench.driver.poll(state, {
      ...bench.environment,
      http: async () => ({ status: 400, headers: {}, body: Buffer.from(JSON.stringify(body)) }),
    });
    expect(answer).toEqual({ status: 'failed', ...outcome });
  });

  test('are sent less often after slow_down, until the session expires', async () => {
    const bench = openCiba('App');
    const { state, pollingMs } = await bench.driver.start(cibaRequest('App'), bench.environment);
    expect(pollingMs).toBe(5_000);
    const early = await bench.driver.poll(state, bench.environment);
    expect(early).toMatchObject({ status: 'pending', hint: 'slow_down', pollingMs: 10_000 });
    bench.advance(10_000);
    const next = await bench.driver.poll(state, bench.environment);
    expect(next).toEqual({ status: 'pending', hint: 'authorization_pending' });
    bench.advance(120_000);
    const late = await bench.driver.poll(state, bench.environment);
    expect(late).toMatchObject({ status: 'failed', code: 'expiredTransaction' });
  });

  test('are not sent for another channel or with an unusable key', async () => {
    const bench = openCiba('App');
    const started = bench.driver.start(cibaRequest('Sim'), bench.environment);
    await expect(started).rejects.toMatchObject({ code: 'internalError' });
    for (const privateKey of ['', 'no key', randomBytes(64).toString('hex')]) {
      const other = openCiba('App', { privateKey });
      const refusal = other.driver.start(cibaRequest('App'), other.environment);
      await expect(refusal).rejects.toMatchObject({ code: 'internalError' });
      const findings = await other.driver.check(other.environment);
      expect(findings.find(({ name }) => name === 'key')).toMatchObject({ isOk: false });
      expect(other.provider.state.log.filter(({ method }) => method === 'POST')).toEqual([]);
    }
  });

  test('come with findings on what is missing', async () => {
    const bench = openCiba('App', { anchors: [], clientSecret: '' });
    const broken = await bench.driver.check({
      ...bench.environment,
      http: async () => ({ status: 503, headers: {}, body: new Uint8Array() }),
    });
    expect(broken.filter(({ isOk }) => !isOk).map(({ name }) => name)).toEqual([
      'configuration',
      'certificate',
      'reachable',
    ]);
    const plain = openCiba('App', { baseUrl: cibaOptions.baseUrl.replace('https', 'http') });
    const [first] = await plain.driver.check(plain.environment);
    expect(first).toMatchObject({ name: 'configuration', isOk: false });
  });
});

test('tokens survive an outage of userinfo: the approval is not requested again', async () => {
  const bench = openCiba('App');
  const { state } = await bench.driver.start(cibaRequest('App'), bench.environment);
  bench.approve();
  bench.advance(5_000);
  const down = {
    ...bench.environment,
    http: async (request: Parameters<typeof bench.environment.http>[0]) =>
      request.url.includes('jwk_uri')
        ? { status: 502, headers: {}, body: new Uint8Array() }
        : bench.environment.http(request),
  };
  const broken = await bench.driver.poll(state, down);
  expect(broken).toMatchObject({ status: 'pending', hint: 'userinfo' });
  if (broken.status !== 'pending') return;
  expect((await finish(bench, broken.state ?? {})).status).toBe('complete');
});
