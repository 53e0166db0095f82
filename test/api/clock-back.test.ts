import { expect, test } from 'vitest';
import { agreement, openTestApi } from './support/open-api.ts';

const DAY_MS = 86_400_000;

test('a clock that is days behind the log is answered with 500 clock.back on every route, as documented', async () => {
  const api = await openTestApi();
  api.pass(10 * DAY_MS);
  const { key, signees } = await api.toolkit.processes.create({
    ...{ flowKey: api.flowKey, pdf: agreement, fileName: 'agreement.pdf' },
    signees: [{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' }],
  });
  api.pass(-7 * DAY_MS);
  const place = `${key}/signee/${signees[0]?.key}`;
  const headers = { authorization: api.basic };
  for (const [method, url] of [
    ['POST', `/api/signing/sign/${place}/click`],
    ['GET', `/api/signing/${place}`],
    ['DELETE', `/api/management/signing?ProcessKey=${key}`],
  ] as const) {
    // Viewing without a key is logged, viewing by the company is not.
    const more = { DELETE: { headers }, POST: { payload: {} }, GET: {} }[method];
    // support/recorder.ts checks after each response that the description has the code.
    const response = await api.app.inject({ method, url, ...more });
    expect([response.statusCode, response.json().errorCode]).toEqual([500, 'clock.back']);
  }
  await api.close();
});
