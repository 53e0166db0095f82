import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { EidEnvironment, EidState } from '../../../../src/app/ports/index.ts';
import { places, pollWithFlip } from '../../../support/eid/flipped-bytes.ts';
import { finish, runApproved } from '../../../support/eid/run-session.ts';
import { service } from '../../../support/eid/smart-id/phone.ts';
import { httpAnswer, openSmartId, qrRequest, world } from '../../../support/eid/smart-id-bench.ts';

const returnUrl = 'https://rp.example/back?nonce=Zm9vYmFyYmF6cXV4';
const sameDevice = qrRequest({ returnUrl });
const refused = { status: 'failed', code: 'invalidResponse' };

describe('a QR code on another device', () => {
  test('contains the elapsed time and is accepted for three seconds', async () => {
    const bench = openSmartId();
    const { state, challenge } = await bench.driver.start(qrRequest(), bench.environment);
    expect(challenge.qrData).toMatch(
      /^https:\/\/smart-id\.example\/device-link\?deviceLinkType=QR&elapsedSeconds=0&/,
    );
    bench.advance(7_900);
    const later = bench.driver.refresh?.(state, bench.environment.now());
    expect(later?.qrData).toContain('elapsedSeconds=7&');
    expect(() => bench.provider.approve(challenge.qrData ?? '')).toThrow(/refuses the link: time/);
    const polled = await bench.driver.poll(state, bench.environment);
    expect(polled).toMatchObject({ status: 'pending', hint: 'RUNNING', challenge: later });
  });

  test('yields identity and evidence', async () => {
    const { answer } = await runApproved(openSmartId({ assurance: 'high' }), qrRequest());
    expect(answer).toMatchObject({
      status: 'complete',
      identity: {
        ssn: '40404040009',
        name: 'OK TESTNUMBER',
        country: 'EE',
        subject: 'PNOEE-40404040009-MOCK-Q',
        assurance: 'high',
      },
      evidence: { scheme: 'smart-id-v3', format: 'raw-signature' },
    });
    if (answer.status !== 'complete') return;
    const message = Buffer.from(answer.evidence.message ?? '', 'base64').toString();
    expect(message).toMatch(/^smart-id-demo\|ACSP_V2\|/);
    expect(message).toMatch(/\|confirmationMessage\|\|QR$/);
  });

  test('yields Icelandic numbers as ten digits', async () => {
    const bench = openSmartId();
    const { state } = await bench.driver.start(qrRequest(), bench.environment);
    bench.approve(world.icelandic);
    const answer = await finish(bench, state);
    expect(answer).toMatchObject({ identity: { ssn: '0103901099', country: 'IS' } });
  });

  test('a passport number is not accepted as a national number', async () => {
    const bench = openSmartId();
    const { state } = await bench.driver.start(qrRequest(), bench.environment);
    bench.approve(world.passport);
    expect(await finish(bench, state)).toEqual({ status: 'failed', code: 'accountUnusable' });
  });

  test('a return to the site is rejected', async () => {
    const bench = openSmartId();
    const { state } = await bench.driver.start(qrRequest(), bench.environment);
    const back = bench.driver.callback?.(state, new URL(returnUrl), bench.environment);
    await expect(back).rejects.toMatchObject({ code: 'invalidResponse' });
  });
});

describe('a link on the same device', () => {
  async function opened() {
    const bench = openSmartId();
    const { state, challenge } = await bench.driver.start(sameDevice, bench.environment);
    expect(challenge.sameDeviceLink).toContain('deviceLinkType=Web2App&sessionToken=');
    bench.approve();
    const back = (state: EidState, url: URL) =>
      bench.driver.callback?.(state, url, bench.environment) ?? Promise.reject(new Error('none'));
    return { bench, state, back };
  }

  test('completes only after the person has returned', async () => {
    const { bench, state, back } = await opened();
    const early = await bench.driver.poll(state, bench.environment);
    expect(early).toMatchObject({ status: 'pending', hint: 'COMPLETE' });
    const returned = await back(state, bench.provider.returnAddress());
    const answer = await finish(bench, returned);
    expect(answer).toMatchObject({ status: 'complete', identity: { ssn: '40404040009' } });
  });

  test.each([
    ['another nonce', (url: URL) => url.searchParams.set('nonce', 'x')],
    ['two nonces', (url: URL) => url.searchParams.append('nonce', 'x')],
    ['another path', (url: URL) => Object.assign(url, { pathname: '/x' })],
    ['another host', (url: URL) => Object.assign(url, { host: 'x.example' })],
    ['another secret', (url: URL) => url.searchParams.set('sessionSecretDigest', 'AAAA')],
    ['no secret', (url: URL) => url.searchParams.delete('sessionSecretDigest')],
    ['no verifier', (url: URL) => url.searchParams.delete('userChallengeVerifier')],
    ['a short verifier', (url: URL) => url.searchParams.set('userChallengeVerifier', 'AA')],
  ])('rejects a return with %s', async (_, change) => {
    const { bench, state, back } = await opened();
    const url = bench.provider.returnAddress();
    change(url);
    await expect(back(state, url)).rejects.toMatchObject({ code: 'invalidResponse' });
  });

  test('accepts a return once', async () => {
    const { bench, state, back } = await opened();
    const url = bench.provider.returnAddress();
    const returned = await back(state, url);
    await expect(back(returned, url)).rejects.toMatchObject({ code: 'invalidResponse' });
  });

  test('rejects the verifier of another app', async () => {
    const { bench, state, back } = await opened();
    const url = bench.provider.returnAddress();
    url.searchParams.set('userChallengeVerifier', 'A'.repeat(43));
    expect(await finish(bench, await back(state, url))).toEqual(refused);
  });

  test('is rejected if the app states that a QR code was scanned', async () => {
    const { bench, state, back } = await opened();
    bench.provider.faults.add('said: other flow');
    const returned = await back(state, bench.provider.returnAddress());
    expect(await finish(bench, returned)).toEqual(refused);
  });
});

describe('certificate status', () => {
  const ocspUrl = 'https://ocsp.example/ocsp';

  async function asked(...faults: readonly string[]) {
    const bench = openSmartId({ ocspUrl });
    const { state } = await bench.driver.start(qrRequest(), bench.environment);
    bench.approve();
    for (const fault of faults) bench.provider.faults.add(fault);
    return { bench, state };
  }

  test.each([[], ['ocsp: no nonce']])('good: %j', async (...faults) => {
    const { bench, state } = await asked(...faults.filter((fault) => fault !== undefined));
    const answer = await finish(bench, state);
    expect(answer).toMatchObject({ status: 'complete', evidence: { ocsp: expect.any(String) } });
  });

  test.each([
    ['ocsp: revoked', 'certificateErr'],
    ['ocsp: other nonce', 'invalidResponse'],
    ['ocsp: old', 'invalidResponse'],
  ])('%s leads to %s', async (fault, code) => {
    const { bench, state } = await asked(fault);
    expect(await finish(bench, state)).toEqual({ status: 'failed', code });
  });

  test('an unavailable responder is asked again', async () => {
    const { bench, state } = await asked('ocsp: down');
    const poll = bench.driver.poll(state, bench.environment);
    await expect(poll).rejects.toMatchObject({ code: 'providerUnavailable' });
    bench.provider.faults.clear();
    expect((await finish(bench, state)).status).toBe('complete');
  });
});

describe('the session request', () => {
  test('contains level, a 64-byte challenge and the displayed texts', async () => {
    const bench = openSmartId({ certificateLevel: 'ADVANCED', hashAlgorithm: 'SHA3-256' });
    const text = `Sign in\n${'á'.repeat(300)}`;
    await bench.driver.start(qrRequest({ text, language: 'et' }), bench.environment);
    const { request } = bench.provider.sessions[0] ?? {};
    expect(request).toMatchObject({
      certificateLevel: 'ADVANCED',
      signatureProtocolParameters: {
        signatureAlgorithmParameters: { hashAlgorithm: 'SHA3-256' },
      },
    });
    expect(JSON.parse(Buffer.from(request?.interactions ?? '', 'base64').toString())).toEqual([
      { type: 'confirmationMessage', displayText200: `Sign in ${'á'.repeat(191)}…` },
      { type: 'displayTextAndPIN', displayText60: `Sign in ${'á'.repeat(51)}…` },
    ]);
  });

  test('accepts the level ADVANCED if options permit it', async () => {
    const bench = openSmartId({ certificateLevel: 'ADVANCED' });
    const { state } = await bench.driver.start(qrRequest(), bench.environment);
    bench.approve(world.variants['certificate: of the lower level']);
    bench.provider.faults.add('level: ADVANCED');
    expect((await finish(bench, state)).status).toBe('complete');
  });

  test.each([
    ['QUALIFIED', undefined],
    ['ADVANCED', 'certificate: of the lower level'],
  ] as const)(
    'evidence with a certificate of the level %s verifies if ADVANCED is permitted',
    async (_, variant) => {
      const bench = openSmartId({ certificateLevel: 'ADVANCED' });
      const { state } = await bench.driver.start(qrRequest(), bench.environment);
      if (variant === undefined) bench.approve();
      else {
        bench.approve(world.variants[variant]);
        bench.provider.faults.add('level: ADVANCED');
      }
      const answer = await finish(bench, state);
      if (answer.status !== 'complete') throw new Error(`not complete: ${answer.status}`);
      const nowMs = bench.environment.now();
      const login = { ...answer.identity, startedAtMs: nowMs, endedAtMs: nowMs };
      const { evidence } = answer;
      const findings = bench.driver.verifyEvidence?.(evidence, login, bench.environment.trust);
      expect((await findings)?.filter(({ isOk }) => !isOk)).toEqual([]);
    },
  );

  test.each([
    ['a signature', { purpose: 'sign' }, 'internalError'],
    ['another channel', { channel: 'App' }, 'internalError'],
    ['a higher level', { minAssurance: 'substantial' }, 'assuranceTooLow'],
    ['a return without https', { returnUrl: 'http://rp.example/' }, 'internalError'],
    ['a return with a separator', { returnUrl: 'https://rp.example/?a|b' }, 'internalError'],
    ['a long return', { returnUrl: `https://rp.example/${'x'.repeat(1_800)}` }, 'internalError'],
  ] as const)('is not sent for %s', async (_, changes, code) => {
    const bench = openSmartId();
    const started = bench.driver.start(qrRequest(changes), bench.environment);
    await expect(started).rejects.toMatchObject({ name: 'EidError', code });
    expect(bench.requestCount()).toBe(0);
  });

  test.each([
    [404, 'notAUser'],
    [480, 'internalError'],
    [302, 'invalidResponse'],
  ])('answered with %s fails with %s', async (status, code) => {
    const bench = openSmartId();
    bench.provider.refuse(status);
    const started = bench.driver.start(qrRequest(), bench.environment);
    await expect(started).rejects.toMatchObject({ code, providerCode: String(status) });
  });

  test('maintenance keeps the session, and an unknown session has expired', async () => {
    const bench = openSmartId();
    const { state } = await bench.driver.start(qrRequest(), bench.environment);
    bench.provider.refuse(580);
    const poll = bench.driver.poll(state, bench.environment);
    await expect(poll).rejects.toMatchObject({ code: 'providerUnavailable' });
    bench.provider.refuse(404);
    const gone = await bench.driver.poll(state, bench.environment);
    expect(gone).toEqual({ status: 'failed', code: 'expiredTransaction', providerCode: '404' });
  });

  test.each([
    ['sessionSecret', 'not base64!'],
    ['deviceLinkBase', 'javascript:alert(1)'],
    ['deviceLinkBase', 'https://x.example/?a=b&authCode=1'],
    ['sessionID', '../../admin'],
    ['sessionToken', 'a&sessionType=sign'],
  ])('is rejected if the response has %s: %s', async (member, value) => {
    const bench = openSmartId();
    const environment: EidEnvironment = {
      ...bench.environment,
      http: async (request) => {
        const answer = await bench.environment.http(request);
        const body = JSON.parse(Buffer.from(answer.body).toString()) as object;
        return httpAnswer({ status: 200, body: { ...body, [member]: value } });
      },
    };
    const started = bench.driver.start(qrRequest(), environment);
    await expect(started).rejects.toMatchObject({ code: 'invalidResponse' });
  });
});

test('no changed byte of the result yields a different person', async () => {
  let refusals = 0;
  for (const place of places(151)) {
    const flip = { part: '/session/', place, mask: 1 << Math.floor(place * 7) };
    const bench = openSmartId();
    const answer = await pollWithFlip(bench, qrRequest(), flip).catch((error: Error) => error);
    if (answer instanceof Error || answer.status !== 'complete') {
      refusals++;
      continue;
    }
    expect(answer.identity).toMatchObject({ ssn: '40404040009', name: 'OK TESTNUMBER' });
  }
  expect(refusals).toBeGreaterThan(120);
});

test('logs in over a socket', async () => {
  const bench = openSmartId();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { status, headers, body } = httpAnswer(
        bench.provider.handle({
          method: request.method ?? '',
          url: new URL(request.url ?? '', 'http://127.0.0.1'),
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(pieces),
        }),
      );
      response.writeHead(status, headers as Record<string, string>).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const { origin } = new URL(service.baseUrl);
  const environment: EidEnvironment = {
    ...bench.environment,
    http: async ({ method, url, headers = {}, body }) => {
      const content = body === undefined ? {} : { body: body as string };
      const init = { method, headers, redirect: 'manual', ...content } as const;
      const answer = await fetch(url.replace(origin, `http://127.0.0.1:${port}`), init);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes };
    },
  };
  try {
    const { answer } = await runApproved({ ...bench, environment }, qrRequest());
    expect(answer.status).toBe('complete');
  } finally {
    server.close();
  }
});
