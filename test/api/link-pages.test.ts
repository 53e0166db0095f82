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

describe('the page behind a link', () => {
  test('The page behind a link says who asks for what until when, and whom to ask', async () => {
    const place = await api.process(signee, { user: 'owner@example.test' });
    const reply = await page(`/s/${place.processKey}/${place.signeeKey}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'sha/);
    expect(reply.body).toContain(`${api.toolkit.company.name} asks you to sign a document.`);
    expect(reply.body).toContain('Samningur.pdf');
    expect(reply.body).toMatch(/It can be signed until \w+ \d+, 20\d\d\./);
    expect(reply.body).toContain('owner@example.test');
    expect(reply.body).not.toContain('Anna');
  });

  test.each([
    ['Is', '<html lang="is">', 'Beiðni um undirritun'],
    ['Pl', '<html lang="pl">', 'Prośba o podpis'],
    ['De', '<html lang="en">', 'Request for a signature'],
  ])('in %s', async (language, tag, title) => {
    const place = await api.process({ ...signee, language });
    const { body } = await page(`/s/${place.processKey}/${place.signeeKey}`);
    expect(body).toContain(tag);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  test('The page behind a link names no document that asks for a login', async () => {
    const place = await api.process(signee, { requiresAuth: true, pdfFileName: 'Secret.pdf' });
    const { statusCode, body } = await page(`/s/${place.processKey}/${place.signeeKey}`);
    expect([statusCode, body.includes('Secret')]).toEqual([200, false]);
  });

  test('of a sequence counts its documents, and names none behind a passcode', async () => {
    const open = await api.sequence([signee]);
    const all = (await page(`/s/${open.sequenceKey}/${open.personKeys[0]}`)).body;
    expect(all).toContain('asks you to sign 2 documents');
    expect(all).toContain('<li>');
    const closed = await api.sequence([{ ...signee, passcode: 'long enough' }]);
    const none = (await page(`/s/${closed.sequenceKey}/${closed.personKeys[0]}`)).body;
    expect(none).toContain('asks you to sign 2 documents');
    expect(none).not.toContain('<li>');
  });

  test('The page behind a link says that it is signed, and that it is over', async () => {
    const place = await api.process(signee);
    const url = `/s/${place.processKey}/${place.signeeKey}`;
    const sign = `/api/signing/sign/${place.processKey}/signee/${place.signeeKey}/click`;
    expect((await api.post(sign, {})).status).toBe(200);
    expect((await page(url)).body).toContain('You have signed.');
    const other = await api.process(signee);
    await api.toolkit.processes.cancel({ key: other.processKey, by: 'owner@example.test' });
    const over = (await page(`/s/${other.processKey}/${other.signeeKey}`)).body;
    expect(over).toContain('The request has ended');
    expect(over).not.toContain('until');
  });

  test('of a purged document names nothing', async () => {
    const place = await api.process(signee);
    await api.toolkit.processes.cancel({ key: place.processKey, by: 'owner@example.test' });
    await api.toolkit.processes.purge({ key: place.processKey, by: 'owner@example.test' });
    const { statusCode, body } = await page(`/s/${place.processKey}/${place.signeeKey}`);
    expect([statusCode, body.includes('<li>')]).toEqual([200, false]);
  });

  test.each([
    ['GET', ''],
    ['GET', '/unsubscribe'],
    ['POST', '/unsubscribe'],
  ] as const)(
    '%s %s of an unknown link is a page, too, and repeats nothing',
    async (method, end) => {
      const place = await api.process(signee);
      for (const url of [
        `/s/sp00/<script>${end}`,
        `/s/${place.processKey}/si00${end}`,
        `/s/pg0/x${end}`,
      ]) {
        const reply = await page(encodeURI(url), method);
        expect([url, reply.statusCode]).toEqual([url, 404]);
        expect(reply.body).toContain('There is no such link');
        expect(reply.body).not.toContain('script');
      }
    },
  );
});

describe('the end of reminders', () => {
  const remindersOf = async (processKey: string) =>
    (await api.toolkit.processes.show({ key: processKey })).signees.map(
      ({ unsubscribed }) => unsubscribed,
    );

  test('a look changes nothing, the form and the button of mail programs do', async () => {
    const place = await api.process(signee, { reminderRule: '1:3' });
    const url = `/s/${place.processKey}/${place.signeeKey}/unsubscribe`;
    const asked = await page(url);
    expect(asked.body).toContain('<form method="post">');
    expect(await remindersOf(place.processKey)).toEqual([undefined]);
    const payload = 'List-Unsubscribe=One-Click';
    const done = await page(url, 'POST', { payload, headers: stop });
    expect([done.statusCode, done.body.includes('no more reminders')]).toEqual([200, true]);
    expect(await remindersOf(place.processKey)).toEqual([true]);
    const again = await page(url, 'POST', { payload, headers: stop });
    expect(again.statusCode).toBe(200);
  });

  test('multipart bodies are taken as RFC 8058 allows them, other text is not', async () => {
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
    ['another value', 'List-Unsubscribe=No', stop],
    ['another member', 'note=List-Unsubscribe', stop],
    [
      'another part',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nOne-Click\r\n--x--\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
  ])('a form with %s asks again and ends nothing', async (_what, payload, headers) => {
    const place = await api.process(signee, { reminderRule: '1:3' });
    const url = `/s/${place.processKey}/${place.signeeKey}/unsubscribe`;
    const reply = await page(url, 'POST', { payload, headers });
    expect([reply.statusCode, reply.body.includes('<form')]).toEqual([200, true]);
    expect(await remindersOf(place.processKey)).toEqual([undefined]);
  });
});
