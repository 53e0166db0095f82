import { createHash, verify, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type EidEnvironment,
  EidError,
  type EidHttpAnswer,
} from '../../../../src/app/ports/index.ts';
import { listen } from '../../../support/eid/audkenni-bench.ts';
import { loginRequest, openRest, world } from '../../../support/eid/audkenni-rest.ts';
import { agreed } from '../../../support/eid/audkenni-server.ts';
import { finish, runApproved } from '../../../support/eid/run-session.ts';

const { person } = world;

describe('verification codes and texts', () => {
  test('the app shows the code of its hash', async () => {
    const bench = openRest();
    const { challenge } = await bench.driver.start(loginRequest('App'), bench.environment);
    const hash = bench.provider.state.sessions[0]?.hash ?? new Uint8Array();
    const digest = createHash('sha256').update(hash).digest();
    const expected = String(digest.readUInt16BE(30) % 10_000).padStart(4, '0');
    expect(challenge).toEqual({ verificationCode: expected });
  });

  test('a SIM card shows a code in its text if requested', async () => {
    const bench = openRest();
    const request = loginRequest('Sim', { includeVerificationCode: true });
    const { challenge } = await bench.driver.start(request, bench.environment);
    expect(challenge.verificationCode).toMatch(/^\d{4}$/);
    const shown = bench.provider.state.sessions[0]?.text;
    expect(shown).toBe(`[${challenge.verificationCode}] Login to the archive`);
    const plain = await bench.driver.start(loginRequest('Sim'), bench.environment);
    expect(plain.challenge).toEqual({});
    expect(bench.provider.state.sessions[1]?.text).toBe('Login to the archive');
  });

  test.each([
    ['two\nlines\tand\u0000 more', 'two lines and more'],
    ['á'.repeat(80), `${'á'.repeat(59)}…`],
    ['📄'.repeat(61), `${'📄'.repeat(59)}…`],
  ])('a text is shortened to one line of at most 60 characters: %j', async (text, shown) => {
    const bench = openRest();
    await bench.driver.start(loginRequest('App', { text }), bench.environment);
    expect(bench.provider.state.sessions[0]?.text).toBe(shown);
  });
});

describe('a completed login', () => {
  test('by the app has a signature value that verifies without the provider', async () => {
    const { answer } = await runApproved(openRest(), loginRequest('App'));
    if (answer.status !== 'complete') throw new Error(answer.status);
    expect(answer.identity).toEqual({
      ssn: person.ssn,
      name: person.name,
      country: 'IS',
      subject: `(usr!${person.ssn})`,
      assurance: 'unknown',
      birthDate: '1990-03-01',
    });
    const { evidence } = answer;
    expect(evidence).toMatchObject({ scheme: 'audkenni-is', format: 'raw-signature' });
    const [leaf = '', issuer] = evidence.certificates ?? [];
    const { publicKey } = new X509Certificate(Buffer.from(leaf, 'base64'));
    const message = Buffer.from(evidence.message ?? '', 'base64');
    const value = Buffer.from(evidence.data, 'base64');
    expect(verify('sha512', message, publicKey, value)).toBe(true);
    expect(issuer).toBe(Buffer.from(world.pki.member('ca').der).toString('base64'));
  });

  test('by the app accepts a certificate as PEM', async () => {
    const bench = openRest();
    bench.provider.inject('person: certificate as PEM');
    const { answer } = await runApproved(bench, loginRequest('App'));
    expect(answer).toMatchObject({ status: 'complete', identity: { ssn: person.ssn } });
  });

  test('by SIM card has a CMS and the phone number that responded', async () => {
    const request = loginRequest('Sim', { loginHint: `+354 ${person.phone}` });
    const { answer } = await runApproved(openRest({ assurance: 'high' }), request);
    expect(answer).toMatchObject({
      status: 'complete',
      identity: { ssn: person.ssn, phoneNumber: person.phone, assurance: 'high' },
      evidence: { format: 'cms' },
    });
  });

  test('by SIM card accepts a signature over the displayed text', async () => {
    const { answer } = await runApproved(openRest({ simSigns: 'text' }), loginRequest('Sim'));
    expect(answer.status).toBe('complete');
    const bench = openRest({ simSigns: 'text' });
    const { state } = await bench.driver.start(loginRequest('Sim'), bench.environment);
    bench.approve();
    bench.provider.inject('person: signature over another hash');
    expect(await finish(bench, state)).toEqual({ status: 'failed', code: 'invalidResponse' });
  });

  test('by SIM card has the identity of the person who responded', async () => {
    const bench = openRest();
    bench.provider.inject('person: another one');
    const { answer } = await runApproved(bench, loginRequest('Sim'));
    expect(answer).toMatchObject({ identity: { ssn: world.other.ssn, name: world.other.name } });
  });
});

describe('before any request, the driver rejects', () => {
  test.each([
    ['another purpose', { purpose: 'sign' }, 'internalError'],
    ['another channel', { channel: 'DeviceLink' }, 'internalError'],
    ['a higher level', { minAssurance: 'low' }, 'assuranceTooLow'],
    ['no national number', { loginHint: '12' }, 'notAUser'],
    ['a phone for the app', { loginHint: person.phone }, 'notAUser'],
  ] as const)('%s', async (_, changes, code) => {
    const bench = openRest();
    const started = bench.driver.start(loginRequest('App', changes), bench.environment);
    await expect(started).rejects.toMatchObject({ name: 'EidError', code });
    expect(bench.requestCount()).toBe(0);
  });

  test.each(['5512345', '4201234', '9001234', '611123', '+46701234567', person.ssn])(
    'a SIM card with the number %s',
    async (loginHint) => {
      const bench = openRest();
      const started = bench.driver.start(loginRequest('Sim', { loginHint }), bench.environment);
      await expect(started).rejects.toMatchObject({ code: 'notAUser' });
    },
  );

  test('a state of another driver', async () => {
    const bench = openRest();
    const poll = bench.driver.poll({ kind: 'bankid-se' }, bench.environment);
    await expect(poll).rejects.toMatchObject({ name: 'EidError', code: 'internalError' });
  });
});

describe('error codes of the provider', () => {
  test.each([
    ['sapp_777', undefined, 'internalError'],
    ['sapp_777', { sapp_777: 'wrongVerificationCode' }, 'wrongVerificationCode'],
    ['mssp_401', { mssp_401: 'cancelled' }, 'cancelled'],
    ['mssp_555', undefined, 'providerUnavailable'],
    ['mssp_100', undefined, 'providerUnavailable'],
    ['akreg_401', undefined, 'notAUser'],
    ['InvalidClientId', undefined, 'providerUnavailable'],
  ] as const)(
    '%s with %j is mapped to %s, and kept as provider code',
    async (said, errorCodes, code) => {
      const bench = openRest(errorCodes === undefined ? {} : { errorCodes });
      const { state } = await bench.driver.start(loginRequest('App'), bench.environment);
      bench.provider.refuse(said);
      expect(await finish(bench, state)).toEqual({ status: 'failed', code, providerCode: said });
    },
  );

  test('that are free text are not repeated', async () => {
    const bench = openRest();
    const { state } = await bench.driver.start(loginRequest('App'), bench.environment);
    bench.provider.refuse(`constructor of ${person.ssn}`);
    const answer = await finish(bench, state);
    expect(answer).toMatchObject({ status: 'failed', code: 'internalError' });
    expect(JSON.stringify(answer)).not.toContain(person.ssn);
  });

  test('for a timed-out authentication chain mean expiredTransaction', async () => {
    const bench = openRest();
    const { state } = await bench.driver.start(loginRequest('App'), bench.environment);
    bench.advance(200_000);
    const answer = await finish(bench, state);
    expect(answer).toEqual({ status: 'failed', code: 'expiredTransaction', providerCode: '110' });
  });

  test('are not expected from a person who never responds: the session stays pending', async () => {
    const bench = openRest();
    const { state } = await bench.driver.start(loginRequest('App'), bench.environment);
    bench.approve();
    bench.provider.inject('never ends');
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer).toMatchObject({ status: 'pending', pollingMs: 5_000 });
  });
});

describe('redeeming the tokens', () => {
  /** An environment in which requests to some addresses get no response or a changed one. */
  function changed(
    environment: EidEnvironment,
    part: string,
    change: (answer: EidHttpAnswer) => EidHttpAnswer,
  ): EidEnvironment {
    return {
      ...environment,
      http: async (request) => {
        const answer = await environment.http(request);
        return request.url.includes(part) ? change(answer) : answer;
      },
    };
  }

  test.each(['/authorize', 'jwk_uri', '/userinfo'])(
    'continues with the next poll when %s did not respond',
    async (part) => {
      const bench = openRest();
      const { state } = await bench.driver.start(loginRequest('App'), bench.environment);
      bench.approve();
      const down = changed(bench.environment, part, (answer) => ({ ...answer, status: 503 }));
      const broken = await bench.driver.poll(state, down);
      expect(broken).toMatchObject({ status: 'pending' });
      if (broken.status !== 'pending') return;
      expect((await finish(bench, broken.state ?? {})).status).toBe('complete');
    },
  );

  test('does not redeem a code twice', async () => {
    const bench = openRest();
    const { state } = await bench.driver.start(loginRequest('App'), bench.environment);
    bench.approve();
    const down = changed(bench.environment, '/access_token', () => {
      throw new EidError('providerUnavailable', 'no answer came');
    });
    const broken = await bench.driver.poll(state, down);
    expect(broken).toMatchObject({ status: 'pending', hint: 'access_token' });
    if (broken.status !== 'pending') return;
    const answer = await finish(bench, broken.state ?? {});
    expect(answer).toMatchObject({ status: 'failed', providerCode: 'invalid_grant' });
  });

  test.each(['/access_token', '/userinfo'])(
    'rejects a response of %s replayed into another session',
    async (part) => {
      const bench = openRest();
      let kept: EidHttpAnswer | undefined;
      const keep = changed(bench.environment, part, (answer) => {
        kept = answer;
        return answer;
      });
      const first = await runApproved({ ...bench, environment: keep }, loginRequest('App'));
      expect(first.answer.status).toBe('complete');
      const replay = changed(bench.environment, part, (answer) => kept ?? answer);
      const second = await runApproved({ ...bench, environment: replay }, loginRequest('App'));
      expect(second.answer).toEqual({ status: 'failed', code: 'invalidResponse' });
    },
  );

  test('returns the cookies of the provider, and nothing else', async () => {
    const bench = openRest();
    const noisy = changed(bench.environment, '/authenticate', (answer) => ({
      ...answer,
      headers: {
        'set-cookie': [
          'audssossolb=03; Path=/',
          'broken',
          'two=a\r\nhost: x',
          '__proto__=x',
          ...Array.from({ length: 20 }, (_, i) => `more${i}=1`),
        ],
      },
    }));
    const { answer } = await runApproved({ ...bench, environment: noisy }, loginRequest('App'));
    expect(answer.status).toBe('complete');
    const sent = bench.provider.state.log.find(({ url }) => url.pathname.endsWith('/authorize'));
    const cookies = sent?.headers['cookie']?.split('; ') ?? [];
    expect(cookies).toHaveLength(9);
    expect(cookies).toContain('audssossolb=03');
    expect(sent?.headers['cookie']).not.toMatch(/host|proto|broken/);
  });
});

test('logs in over a socket', async () => {
  const bench = openRest();
  const { port, server } = await listen(bench.provider);
  const requested: string[] = [];
  const environment: EidEnvironment = {
    ...bench.environment,
    http: async ({ method, url, headers = {}, body }) => {
      requested.push(url);
      const place = url.replace(agreed.baseUrl, `http://127.0.0.1:${port}`);
      const content = body === undefined ? {} : { body: body as string };
      const init = { method, headers, redirect: 'manual', ...content } as const;
      const answer = await fetch(place, init);
      const entries = Object.fromEntries(answer.headers);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const cookies = { 'set-cookie': answer.headers.getSetCookie() };
      return { status: answer.status, headers: { ...entries, ...cookies }, body: bytes };
    },
  };
  try {
    const { answer } = await runApproved({ ...bench, environment }, loginRequest('Sim'));
    expect(answer).toMatchObject({ status: 'complete', identity: { ssn: person.ssn } });
    expect(requested).toHaveLength(7);
  } finally {
    server.close();
  }
});
