import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { oidcProfiles } from '../../../../src/adapters/eid/oidc/index.ts';
import type { EidRequest } from '../../../../src/app/ports/index.ts';
import { errorOf, login, oidcBench, person } from '../../../support/eid/oidc/oidc-bench.ts';
import { badClaims, profileCases } from './profile-cases.table.ts';

describe.each(profileCases)('$name', ({ profile, request, options, ...expected }) => {
  const open = () =>
    oidcBench(
      { profile, ...options },
      {
        person: { ...expected.idToken, ...expected.userinfo },
        inIdToken: Object.keys(expected.idToken),
      },
    );

  test('sends the parameters of the broker', async () => {
    const bench = open();
    const { challenge } = await bench.driver.start({ ...login, ...request }, bench.environment);
    expect(bench.server.visit(challenge.redirectUrl ?? '')).toMatchObject(expected.parameters);
  });

  test('builds the identity from the claims of the broker', async () => {
    const bench = open();
    const answer = await bench.driver.poll(await bench.approved(request), bench.environment);
    expect(answer).toMatchObject({ status: 'complete', identity: expected.identity });
    expect(answer.status === 'complete' && answer.identity).toEqual(expected.identity);
    const asksUserinfo = bench.server.log.some(({ url }) => url.endsWith('/userinfo'));
    expect(asksUserinfo).toBe(oidcProfiles[profile].usesUserinfo);
  });
});

describe('parameters', () => {
  test('without a value are omitted, and no placeholder is left', async () => {
    for (const profile of ['generic', 'neb', 'idura', 'signicat', 'kenni'] as const) {
      const bench = oidcBench({ profile });
      const { minAssurance: _, ...bare } = { ...login, text: '', language: '' };
      const { challenge } = await bench.driver.start(bare, bench.environment);
      const shown = Object.values(bench.server.visit(challenge.redirectUrl ?? '')).join('\n');
      expect(shown).not.toMatch(/[{](language|level|acr|text|text64|hint|action)[}]/);
      expect(shown).not.toContain('undefined');
    }
  });

  test.each([
    ['neb', 'da', 'da'],
    ['neb', 'is', undefined],
    ['generic', 'is', 'is'],
  ] as const)('of %s name the language %s as %s', async (profile, language, expected) => {
    const bench = oidcBench({ profile });
    const { challenge } = await bench.driver.start({ ...login, language }, bench.environment);
    const { language: own, ui_locales: standard } = bench.server.visit(challenge.redirectUrl ?? '');
    expect(own ?? standard).toBe(expected);
  });

  test('contain at most as much text as the broker shows', async () => {
    const bench = oidcBench({ profile: 'idura' });
    const request = { ...login, text: 'ð'.repeat(200) };
    const { challenge } = await bench.driver.start(request, bench.environment);
    const hint = bench.server.visit(challenge.redirectUrl ?? '')['login_hint'] ?? '';
    const text = Buffer.from(/message:(\S+)/.exec(hint)?.[1] ?? '', 'base64').toString();
    expect(text).toBe(`${'ð'.repeat(129)}…`);
  });
});

describe('claims', () => {
  test.each(badClaims)('with %s yield no identity', async (_, changes) => {
    const bench = oidcBench();
    bench.server.person = { ...person, ...changes };
    const answer = await bench.driver.poll(await bench.approved(), bench.environment);
    expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
  });

  test('on a prototype are ignored', async () => {
    const bench = oidcBench();
    const state = await bench.approved();
    const answer = JSON.parse(
      `{"sub":"${person.sub}","__proto__":{"national_id":"1201603389","name":"x"}}`,
    );
    bench.server.faults.userinfo = () => answer;
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'failed' });
  });

  test.each([
    ['low', 'low', true],
    ['low', 'substantial', false],
    ['substantial', 'substantial', true],
    ['substantial', 'high', false],
    ['high', 'high', true],
    ['http://eidas.europa.eu/LoA/high', 'high', true],
    ['a foreign level', 'low', false],
    [undefined, 'low', false],
  ] as const)(
    'with level %s for a required level of %s: %s',
    async (loa, minAssurance, isEnough) => {
      const bench = oidcBench();
      bench.server.person = { ...person, loa };
      const answer = await bench.driver.poll(
        await bench.approved({ minAssurance }),
        bench.environment,
      );
      const expected = isEnough
        ? { status: 'complete' }
        : { status: 'failed', code: 'assuranceTooLow' };
      expect(answer).toMatchObject(expected);
    },
  );
});

describe('a broker that withholds the national number', () => {
  const mitid = {
    sub: 'a',
    loa: 'https://data.gov.dk/concept/core/nsis/High',
    'mitid.identity_name': 'Ditlev Von Testesen',
    'secret number': '0707614285',
  };
  const open = () => oidcBench({ profile: 'neb' }, { person: mitid, inIdToken: ['loa'] });
  /** Userinfo does not contain the number that the test server compares with. */
  const approved = async (loginHint: string) => {
    const bench = open();
    const state = await bench.approved({ loginHint });
    bench.server.faults.userinfo = ({ 'secret number': _, ...told }) => told;
    return { bench, state };
  };

  test('compares the expected number in one attempt', async () => {
    const { bench, state } = await approved('070761-4285');
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer).toMatchObject({ status: 'complete', identity: { ssn: '0707614285' } });
    expect(bench.server.matchTries).toBe(1);
  });

  test('reports a different person, and is not asked again', async () => {
    const { bench, state } = await approved('140585-2981');
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer).toEqual({ status: 'failed', code: 'identityMismatch' });
    expect(bench.server.matchTries).toBe(1);
  });

  test('yields no identity if no person is expected', async () => {
    const { bench, state } = await approved('');
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
    expect(bench.server.matchTries).toBe(0);
  });

  test('yields no identity when no attempts are left', async () => {
    const { bench, state } = await approved('070761-4285');
    bench.server.matchTries = 3;
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
  });
});

describe('a signature', () => {
  const digest = createHash('sha256').update('the covered bytes').digest();
  const order: Partial<EidRequest> = {
    purpose: 'sign',
    text: 'Sign the agreement',
    order: { digest, label: 'agreement.pdf' },
  };
  const mitid = profileCases[0];

  test('has the digest in the signed ID token and the text on the page', async () => {
    const bench = oidcBench(
      { profile: 'neb' },
      { person: { ...mitid?.idToken, ...mitid?.userinfo }, inIdToken: ['loa'] },
    );
    const answer = await bench.driver.poll(await bench.approved(order), bench.environment);
    expect(answer).toMatchObject({ status: 'complete', signature: { delivery: 'evidence' } });
    if (answer.status !== 'complete') return;
    const [, payload = ''] = answer.evidence.data.split('.');
    const { nonce } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { nonce: string };
    expect(nonce.split('.')[1]).toBe(digest.toString('base64url'));
    expect(nonce.split('.')[0]).toHaveLength(43);
  });

  test('over a different digest is rejected', async () => {
    const bench = oidcBench(
      { profile: 'neb' },
      { person: { ...mitid?.idToken, ...mitid?.userinfo }, inIdToken: ['loa'] },
    );
    const state = await bench.approved(order);
    const other = createHash('sha256').update('other bytes').digest('base64url');
    bench.server.faults.claims = (claims) => ({
      ...claims,
      nonce: `${`${claims['nonce']}`.split('.')[0]}.${other}`,
    });
    expect(await bench.driver.poll(state, bench.environment)).toEqual({
      status: 'failed',
      code: 'invalidResponse',
    });
  });

  test.each([
    ['a broker that shows no text', 'generic', order],
    ['no order', 'neb', { purpose: 'sign' }],
    [
      'a digest of another length',
      'neb',
      { ...order, order: { digest: digest.subarray(1), label: '' } },
    ],
    ['a certificate phase', 'neb', { purpose: 'certificate' }],
    ['another channel', 'neb', { channel: 'App' }],
  ] as const)('is not started with %s', async (_, profile, request) => {
    const { driver, environment } = oidcBench({ profile });
    const error = await errorOf(driver.start({ ...login, ...request } as EidRequest, environment));
    expect(error).toMatchObject({ code: 'internalError' });
  });
});
