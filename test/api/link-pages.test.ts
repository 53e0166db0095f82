import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const signee = {
  name: 'Anna <b>',
  email: 'anna@example.test',
  signatureType: 'ClickToSign',
  communicationDeliveryType: 'Email',
  language: 'En',
};
const page = (url: string, method: 'GET' | 'POST' = 'GET', more = {}) =>
  api.app.inject({ method, url, ...more });
const stop = { 'content-type': 'application/x-www-form-urlencoded' };

describe('pages of unknown links', () => {
  test.each([
    ['GET', ''],
    ['GET', '/unsubscribe'],
    ['POST', '/unsubscribe'],
  ] as const)(
    '%s %s is answered with a 404 page that repeats nothing of the URL',
    async (method, end) => {
      const place = await api.process(signee);
      for (const url of [
        `/s/sp00/<script>${end}`,
        `/s/${place.processKey}/si00${end}`,
        `/s/pg0/x${end}`,
      ]) {
        const reply = await page(encodeURI(url), method);
        expect([url, reply.statusCode]).toEqual([url, 404]);
        expect(reply.body).toContain('This link does not exist');
        expect(reply.body).not.toContain('script');
      }
    },
  );
});

describe('unsubscribing from reminders', () => {
  const remindersOf = async (processKey: string) =>
    (await api.toolkit.processes.show({ key: processKey })).signees.map(
      ({ unsubscribed }) => unsubscribed,
    );

  test('GET changes nothing; the form and the one-click POST of mail programs unsubscribe', async () => {
    const place = await api.process(signee, { reminderRule: '1:3' });
    const url = `/s/${place.processKey}/${place.signeeKey}/unsubscribe`;
    const asked = await page(url);
    expect(asked.body).toContain('<form method="post">');
    expect(await remindersOf(place.processKey)).toEqual([undefined]);
    const payload = 'List-Unsubscribe=One-Click';
    const done = await page(url, 'POST', { payload, headers: stop });
    expect([done.statusCode, done.body.includes('any more reminders')]).toEqual([200, true]);
    expect(await remindersOf(place.processKey)).toEqual([true]);
    const again = await page(url, 'POST', { payload, headers: stop });
    expect(again.statusCode).toBe(200);
  });

  test('accepts multipart bodies as in RFC 8058, and no other text', async () => {
    const place = await api.sequence([signee]);
    const url = `/s/${place.sequenceKey}/${place.personKeys[0]}/unsubscribe`;
    const type = 'multipart/form-data; boundary=x';
    const payload =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const done = await page(url, 'POST', { payload, headers: { 'content-type': type } });
    expect(done.statusCode).toBe(200);
    const plain = { payload: 'One-Click', headers: { 'content-type': 'text/plain' } };
    expect((await page(url, 'POST', plain)).statusCode).toBe(415);
  });

  test.each([
    ['nothing', '', stop],
    ['a different value', 'List-Unsubscribe=No', stop],
    ['a different member', 'note=List-Unsubscribe', stop],
    [
      'a different part',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nOne-Click\r\n--x--\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
  ])(
    'a form with %s shows the question again and changes nothing',
    async (_what, payload, headers) => {
      const place = await api.process(signee, { reminderRule: '1:3' });
      const url = `/s/${place.processKey}/${place.signeeKey}/unsubscribe`;
      const reply = await page(url, 'POST', { payload, headers });
      expect([reply.statusCode, reply.body.includes('<form')]).toEqual([200, true]);
      expect(await remindersOf(place.processKey)).toEqual([undefined]);
    },
  );
});
