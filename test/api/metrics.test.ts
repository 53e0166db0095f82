import { afterEach, expect, test } from 'vitest';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

const operatorToken = 'correct-horse-battery-staple';
const stranger = '203.0.113.7';

let api: TestApi;
afterEach(() => api.close());

test('/metrics counts responses, due jobs and completed jobs', async () => {
  api = await openTestApi();
  const headers = { authorization: api.basic };
  for (let at = 0; at < 3; at += 1) {
    await api.app.inject({ url: '/api/Management/Flow/?x=secret', headers });
  }
  await api.app.inject({ url: '/none/secret' });
  await api.toolkit.processes.create({
    flowKey: api.flowKey,
    pdf: agreement,
    fileName: 'agreement.pdf',
    signees: [
      { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign', delivery: 'Email' },
    ],
  });
  api.pass(60_000);
  const before = await api.app.inject({ url: '/metrics' });
  expect(before.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(before.body).toContain(
    'innsigli_http_request_seconds_count{method="GET",route="/api/management/flow",status="200"} 3\n',
  );
  expect(before.body).toContain('route="unknown",status="404"} 1\n');
  expect(before.body).not.toContain('secret');
  expect(before.body).toContain('innsigli_jobs_due{kind="message"} 1\n');
  const [, lag] = /innsigli_jobs_lag_seconds\{kind="message"\} ([\d.]+)/.exec(before.body) ?? [];
  expect(Number(lag)).toBeGreaterThan(59);
  await api.service.work(['message']);
  api.pass(60_000);
  const after = await api.app.inject({ url: '/metrics' });
  expect(after.body).not.toContain('innsigli_jobs_due{kind="message"}');
  expect(after.body).toMatch(/innsigli_jobs_done_total [1-9]/);
  requirePrometheus(after.body);
}, 60_000);

test('/metrics is limited to this machine if there is no operator token', async () => {
  api = await openTestApi();
  const refused = [
    { remoteAddress: stranger },
    { headers: { 'x-forwarded-for': stranger } },
    { headers: { host: 'evil.example' } },
    { remoteAddress: stranger, headers: { authorization: api.basic } },
    { remoteAddress: stranger, headers: { authorization: 'Bearer undefined' } },
  ];
  for (const given of refused) {
    const answer = await api.app.inject({ url: '/metrics', ...given });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="innsigli"',
    ]);
  }
}, 60_000);

test('/metrics requires the operator token if there is one', async () => {
  api = await openTestApi({ operatorToken });
  const statusOf = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await api.app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${operatorToken}x` })).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${operatorToken}` }, stranger)).toBe(200);
  const ready = await api.app.inject({
    url: '/readyz',
    headers: { authorization: `Bearer ${operatorToken}` },
    remoteAddress: stranger,
  });
  expect(ready.json().checks.length).toBeGreaterThan(3);
}, 60_000);

/** Every line is a comment or a sample, and every sample has a declared name. */
function requirePrometheus(text: string): void {
  const announced = new Set<string>();
  for (const line of text.trimEnd().split('\n')) {
    const comment = /^# (HELP|TYPE) (\w+) \S/.exec(line);
    if (comment?.[2] !== undefined) announced.add(comment[2]);
    if (comment !== null) continue;
    const sample = /^(\w+?)(_bucket|_sum|_count)?(\{(\w+="[^"\n]*",?)+\})? [\d.e+-]+$/.exec(line);
    expect(sample, line).not.toBeNull();
    expect([...announced]).toContain(sample?.[1]);
  }
}
