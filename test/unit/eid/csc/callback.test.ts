import { expect, test } from 'vitest';
import { EidError, type EidState } from '../../../../src/app/ports/index.ts';
import {
  type CscBench,
  cscOrder,
  cscPeople,
  cscRequest,
  openCscBench,
} from '../../../support/eid/csc/csc-bench.ts';

const request = () => cscRequest(cscOrder(cscPeople('P-256').member));

async function begun(driver: Parameters<typeof openCscBench>[0] = {}) {
  const bench = openCscBench({ key: 'P-256', ...driver });
  const { state, challenge } = await bench.driver.start(request(), bench.environment);
  const way = bench.server.visit(challenge.redirectUrl ?? '', 'approve');
  return { bench, state, way };
}

const arrive = ({ driver, environment }: CscBench, state: EidState, url: URL) =>
  driver.callback?.(state, url, environment) as Promise<EidState>;

const poll = ({ driver, environment }: CscBench, state: EidState) =>
  driver.poll(state, environment);

test.each([
  ['another host', (url: URL) => Object.assign(url, { host: 'evil.example' })],
  ['another path', (url: URL) => Object.assign(url, { pathname: '/other' })],
  ['another session', (url: URL) => url.searchParams.set('state', 'a'.repeat(32))],
  ['no session', (url: URL) => url.searchParams.delete('state')],
  ['two sessions', (url: URL) => url.searchParams.append('state', 'x')],
  ['no code', (url: URL) => url.searchParams.delete('code')],
  ['an empty code', (url: URL) => url.searchParams.set('code', '')],
  ['two codes', (url: URL) => url.searchParams.append('code', 'x')],
] as readonly (readonly [string, (url: URL) => unknown])[])(
  'rejects a return address with %s',
  async (_, change) => {
    const { bench, state, way } = await begun();
    change(way);
    const before = bench.requestCount();
    await expect(arrive(bench, state, way)).rejects.toMatchObject({ code: 'invalidResponse' });
    expect(bench.requestCount()).toBe(before);
  },
);

test.each([
  ['the expected server', 'https://as.qtsp.example', 'complete'],
  ['another server', 'https://evil.example', 'invalidResponse'],
  ['no server', undefined, 'invalidResponse'],
] as const)('handles a return address that names %s', async (_, iss, outcome) => {
  const { bench, state, way } = await begun({ driver: { issuer: 'https://as.qtsp.example' } });
  if (iss !== undefined) way.searchParams.set('iss', iss);
  const back = arrive(bench, state, way);
  if (outcome === 'complete')
    expect(await poll(bench, await back)).toMatchObject({ status: outcome });
  else await expect(back).rejects.toMatchObject({ code: outcome });
});

test.each([
  ['the state of the caller', 'https://sign.example.is/s/eid/callback?state=caller-12345', true],
  ['none', undefined, false],
  ['nothing, since it could break the state', 'https://sign.example.is/x?state=a.b%20c', false],
] as const)(
  'the state sent to the provider is prefixed with %s',
  async (_, returnUrl, isCarried) => {
    const bench = openCscBench({ key: 'P-256' });
    const order = { ...request(), ...(returnUrl === undefined ? {} : { returnUrl }) };
    const { state, challenge } = await bench.driver.start(order, bench.environment);
    const way = bench.server.visit(challenge.redirectUrl ?? '', 'approve');
    const carried = way.searchParams.get('state') ?? '';
    expect(carried).toMatch(isCarried ? /^caller-12345\.[\w-]{32}$/ : /^[\w-]{32}$/);
    const back = await arrive(bench, state, way);
    expect(await poll(bench, back)).toMatchObject({ status: 'complete' });
  },
);

test('an authorization code is redeemed once', async () => {
  const { bench, state, way } = await begun();
  const first = await arrive(bench, state, way);
  const second = await arrive(bench, state, way);
  expect(await poll(bench, second)).toMatchObject({
    status: 'failed',
    code: 'expiredTransaction',
    providerCode: 'invalid_grant',
  });
  expect(await poll(bench, first)).toMatchObject({ status: 'complete' });
  await expect(arrive(bench, first, way)).rejects.toMatchObject({ code: 'invalidResponse' });
});

test('an authorization code of another session does not match the code verifier', async () => {
  const one = await begun();
  const { challenge, state } = await one.bench.driver.start(request(), one.bench.environment);
  const other = one.bench.server.visit(challenge.redirectUrl ?? '', 'approve');
  const mixed = new URL(other);
  mixed.searchParams.set('code', one.way.searchParams.get('code') ?? '');
  const back = await arrive(one.bench, state, mixed);
  expect(await poll(one.bench, back)).toMatchObject({
    status: 'failed',
    providerCode: 'invalid_grant',
  });
});

test.each([
  ['decline', 'userCancel', 'access_denied'],
  ['break', 'providerUnavailable', 'temporarily_unavailable'],
] as const)('a return with %s fails with %s', async (decision, code, providerCode) => {
  const bench = openCscBench({ key: 'P-256' });
  const { state, challenge } = await bench.driver.start(request(), bench.environment);
  const way = bench.server.visit(challenge.redirectUrl ?? '', decision);
  const back = await arrive(bench, state, way);
  expect(await poll(bench, back)).toEqual({ status: 'failed', code, providerCode });
  expect(JSON.stringify(back)).not.toContain('verifier');
});

test('an unreachable token endpoint leaves the session open', async () => {
  const { bench, state, way } = await begun();
  const http = async () => {
    throw new EidError('providerUnavailable', 'no answer came');
  };
  const environment = { ...bench.environment, http };
  const first = bench.driver.callback?.(state, way, environment);
  await expect(first).rejects.toMatchObject({ code: 'providerUnavailable' });
  const back = await arrive(bench, state, way);
  expect(await poll(bench, back)).toMatchObject({ status: 'complete' });
});

test('a return after the time limit finds the session expired', async () => {
  const { bench, state, way } = await begun();
  bench.advance(300_000);
  const back = await arrive(bench, state, way);
  expect(await poll(bench, back)).toEqual({ status: 'failed', code: 'expiredTransaction' });
});

test('cancelling revokes the token at the provider', async () => {
  const { bench, state, way } = await begun();
  const back = await arrive(bench, state, way);
  await bench.driver.cancel(back, bench.environment);
  expect(bench.server.paths().at(-1)).toBe('/oauth2/revoke');
  expect(await poll(bench, back)).toMatchObject({
    status: 'failed',
    providerCode: 'invalid_token',
  });
});

test('a state of another driver is rejected', async () => {
  const { bench } = await begun();
  const work = bench.driver.poll({ scheme: 'other', phase: 'ready' }, bench.environment);
  await expect(work).rejects.toMatchObject({ code: 'internalError' });
});
