import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement, openTestApi, type TestApi } from '../api/support/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const create = (more: object) =>
  api.app.inject({
    method: 'POST',
    url: '/api/management/signing',
    headers: { authorization: api.basic },
    payload: {
      flowKey: api.flowKey,
      pdfDocument: agreement.toString('base64'),
      pdfFileName: 'agreement.pdf',
      createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      ...more,
    },
  });

const paths = [
  '../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\secret.pdf',
  '..',
  '.',
  'a\0.pdf',
  'a\r\nSet-Cookie: x=y.pdf',
  'a"; filename="b.pdf',
  'half \ud800.pdf',
  'CON',
  'nul.pdf',
  'Com1 .tar.gz',
  'LPT\u00b2.txt',
  'conout$',
  '\u202efdp.exe',
  'a\u2066b.pdf',
  'a\u200b.pdf',
];

describe('a file name with a path or control characters', () => {
  test.each(paths)('%j is rejected for a document', async (pdfFileName) => {
    const answer = await create({ pdfFileName });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errorCode: 'validation.error' });
    expect(answer.body).toContain('pdfFileName: ');
  });

  test.each(paths)('%j is rejected for an attachment', async (fileName) => {
    const answer = await create({ attachments: [{ fileName, fileContent: 'QQ==' }] });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('attachments[0].fileName: ');
  });

  test('a missing document is reported by its API name', async () => {
    const answer = await create({ pdfDocument: undefined, pdfFileName: undefined });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('pdfDocument: required');
  });

  test.each(paths)('%j is rejected for archiving', async (fileName) => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/management/archive',
      headers: { authorization: api.basic, accept: 'application/pdf' },
      payload: { pdfDocument: agreement.toString('base64'), fileName },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

test.each([
  ["Ödön (1)'s *final* 100%.pdf", '%C3%96d%C3%B6n%20%281%29%27s%20%2Afinal%2A%20100%25.pdf'],
  ['Þórður 沒有 𝒜;x=y,z.pdf', undefined],
  ['-rf.pdf', undefined],
  ['console nul COM10.pdf', undefined],
  ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f468}\u200d\u{1f467}.pdf', undefined],
])('%s is sent as one parameter of Content-Disposition', async (name, encoded) => {
  // An asterisk is rejected in names; the other characters are allowed.
  const fileName = name.replaceAll('*', '');
  const made = (await create({ pdfFileName: fileName })).json();
  const url = `/api/pdf/${made.key}/${made.signees[0].key}.pdf`;
  const { headers } = await api.app.inject({ url });
  const [, value = ''] =
    /^inline; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(
      String(headers['content-disposition']),
    ) ?? [];
  expect(decodeURIComponent(value)).toBe(fileName);
  if (encoded !== undefined) expect(value).toBe(encoded.replaceAll('%2A', ''));
});

describe('the URL of an attachment', () => {
  test.each([
    '..%2F..%2F..%2Fetc%2Fpasswd',
    '%2e%2e%2f%2e%2e%2fvault.key',
    'terms.txt%00.pdf',
    '....%2F%2Fterms.txt',
    '../../../../vault.key',
  ])('%s returns no other file', async (name) => {
    const attachments = [{ fileName: 'terms.txt', fileContent: 'QQ==' }];
    const { key, attachmentReferences } = (await create({ attachments })).json();
    const path = `/api/signing/${key}/attachment/${attachmentReferences[0].id}/fileName`;
    expect((await api.app.inject({ url: `${path}/terms.txt` })).body).toBe('A');
    const answer = await api.app.inject({ url: `${path}/${name}` });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errorCode).toMatch(/^(process|process\.file|route)\.not_found$/);
  });

  test.each(['/api/swagger-ui/..%2f..%2fpackage.json', '/api/swagger-ui/%2e%2e%2fpackage.json'])(
    '%s returns no file of the program',
    async (url) => {
      expect((await api.app.inject({ url })).statusCode).toBe(404);
    },
  );
});

describe('uploaded content is never served as a page', () => {
  const script = '<script>alert(1)</script>';

  test('an HTML attachment is a sandboxed download', async () => {
    const fileContent = Buffer.from(script).toString('base64');
    const attachments = [{ fileName: 'page.html', fileContent }];
    const { key, attachmentReferences } = (await create({ attachments })).json();
    const { id } = attachmentReferences[0];
    const url = `/api/signing/${key}/attachment/${id}/fileName/page.html`;
    const { headers, body } = await api.app.inject({ url });
    expect(body).toBe(script);
    expect(headers['content-disposition']).toMatch(/^attachment;/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(headers['content-type']).not.toMatch(/html|svg|xml/);
  });

  test('names in mails are escaped', async () => {
    const made = await create({
      pdfFileName: 'a & b.pdf',
      meta: { pdfFileName: script },
      createSignees: [
        {
          name: `Anna ${script}`,
          email: 'anna@example.test',
          signatureType: 'ClickToSign',
          communicationDeliveryType: 'Email',
        },
      ],
    });
    expect(made.statusCode).toBe(200);
    await api.service.work(['message']);
    const folder = join(api.dataDir, 'outbox', 'mail');
    const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const text = mails
      .join('')
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=');
    const [, html = ''] = /(<html[\s\S]*<\/html>)/i.exec(text) ?? [];
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<script/i);
  });

  test('errors do not repeat markup of the URL', async () => {
    const answer = await api.app.inject({ url: `/${encodeURIComponent(script)}?${script}` });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).not.toContain('script');
  });
});

test('no route redirects to another host', async () => {
  for (const { method, path, statuses } of api.app.routeFacts) {
    // These redirect within this host: test/api/{signing,verify,form}-page.test.ts. A login
    // redirects only to origins of the company: test/attacks/http-login-page.test.ts.
    const pages = ['GET /verify', 'GET /s/{FlowKey}', 'POST /s/{FlowKey}', 'GET /f/{FlowKey}'];
    const isPage = path === '/s/{Key}/{PersonKey}' || pages.includes(`${method} ${path}`);
    const stays = (status: number) => status === 304 || (isPage && status === 303);
    const away = statuses.filter((status) => status >= 300 && status < 400 && !stays(status));
    expect([method, path, ...away]).toEqual([method, path]);
  }
  for (const url of [
    '//evil.example/there',
    '/\\evil.example/there',
    '/api//evil.example/..',
    '/%2f%2fevil',
  ]) {
    const answer = await api.app.inject({ url });
    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.headers['location']).toBeUndefined();
  }
  const started = await api.app.inject({
    method: 'POST',
    url: '/auth/eid-se/start',
    payload: { flowKey: api.flowKey, returnUrl: 'https://evil.example/' },
  });
  expect(started.headers['location']).toBeUndefined();
});
