import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { languages } from '../../src/domain/message/index.ts';
import { onePage, pdfWithTable } from '../support/pdf-builder.ts';
import { costlyTest } from '../support/sample.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { formOf, pageBehind } from './support/upload.ts';

const words = pageWords('En');
const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/pdf/${name}.pdf`, import.meta.url));
const document = fixture('form-with-text-field');
const encrypted = fixture('encrypted');

let api: TestApi;
let coded: string;
let clicked: string;
beforeAll(async () => {
  api = await openTestApi();
  const create = async (name: string, signatureType: string) => {
    const settings = { initiationMethod: 'Customer', signatureType };
    const options = { name, type: 'DropAndSign', language: 'En', settings };
    return (await api.toolkit.flows.create(options)).key;
  };
  [coded, clicked] = [await create('Papers', 'Simple'), await create('Clicks', 'ClickToSign')];
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

const anna = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };
const newest = async () => (await api.toolkit.processes.list({}))[0];
const count = async () => (await api.toolkit.processes.list({})).length;

/** The page of a flow, with the hidden fields of its form and the cookie of its browser. */
async function open(flow: string, lng = 'en-us') {
  const reply = await api.app.inject({ method: 'GET', url: `/s/${flow}?lng=${lng}` });
  const hidden = reply.body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
  const texts = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
  const cookie = [reply.headers['set-cookie'] ?? []].flat().map((text) => text.split(';')[0]);
  return { reply, texts, headers: { cookie: cookie.join('; ') } };
}

type Opened = Awaited<ReturnType<typeof open>>;
const send = (
  flow: string,
  { texts, headers }: Opened,
  { name = 'Lease.pdf', content = document, fields = anna as Record<string, string> } = {},
) => {
  const form = formOf('document', name, content, headers, { ...texts, ...fields });
  return api.app.inject({ method: 'POST', url: `/s/${flow}`, ...form });
};

/** The page with the messages. */
const refused = async (flow: string, page: Opened, options: Parameters<typeof send>[2]) =>
  pageBehind(api, await send(flow, page, options), page.headers.cookie);

describe('a document brought by a customer', () => {
  test('is asked for together with the person, in each language', async () => {
    const { reply } = await open(coded);
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain('enctype="multipart/form-data"');
    expect(reply.body).toContain('type="file" id="document"');
    for (const language of languages) {
      const { reply: page } = await open(coded, language.toLowerCase());
      expect(page.body).toContain(pageWords(language).formFile);
    }
  });

  test('is signed by the person who brought it: the signing page comes next', async () => {
    const page = await open(coded);
    const { statusCode, headers } = await send(coded, page);
    expect(statusCode).toBe(303);
    const made = await newest();
    expect(headers['location']).toMatch(new RegExp(`^/s/${made?.key}/`));
    expect(made).toMatchObject({
      ...{ fileName: 'Lease.pdf', flowKey: coded, activityDisplayName: 'Papers (Anna Example)' },
      signees: [{ name: 'Anna Example', byLink: { isAdded: true } }],
    });
    const shown = await api.app.inject({ method: 'GET', url: String(headers['location']) });
    expect(shown.body).toContain('Lease.pdf');
  });

  test('is signed by click only through the link mailed to the person', async () => {
    const { statusCode, body, headers } = await send(clicked, await open(clicked));
    expect([statusCode, headers['location']]).toEqual([200, undefined]);
    expect(body).toContain('anna@example.com');
  });

  test('is accepted once, however often the form is sent', async () => {
    const page = await open(coded);
    const before = await count();
    const [first, second] = await Promise.all([send(coded, page), send(coded, page)]);
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(await count()).toBe(before + 1);
    const other = await refused(coded, page, { content: fixture('agreement') });
    expect([other.statusCode, await count()]).toEqual([200, before + 1]);
    expect(other.body).toContain(words.formReused);
  });

  test.each([
    ['empty', Buffer.alloc(0), words.formFileChoose],
    ['not a PDF', Buffer.from('<html>no PDF</html>'), words.formFileUnfit],
    ['truncated', document.subarray(0, 300), words.formFileUnfit],
    ['encrypted', encrypted, words.formFileUnfit],
  ])(
    '%s: the page states the fault, keeps the rest, and starts no process',
    async (_what, content, text) => {
      const before = await count();
      const { statusCode, body } = await refused(coded, await open(coded), { content });
      expect([statusCode, await count()]).toEqual([200, before]);
      expect(body).toContain(`id="document-fault">${text}`);
      expect(body).toContain('value="Anna Example"');
    },
  );

  test('with a script is rejected, with the reason; the company may send it, and the log records that', async () => {
    const catalog = '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(x)>>>>';
    const content = Buffer.from(pdfWithTable([catalog, ...onePage.slice(1)]));
    const before = await count();
    const { statusCode, body } = await refused(coded, await open(coded), { content });
    expect([statusCode, await count()]).toEqual([200, before]);
    const why = words.formFileActive.replace('{{content}}', 'Lease.pdf: JavaScript');
    expect(body).toContain(`id="document-fault">${why}`);
    // Choosing it again would not help.
    expect(body).not.toContain(words.formFileChoose);
    const { flowKey } = api;
    const signees = [{ name: 'Anna', phoneNumber: '6666666' }];
    const made = await api.toolkit.processes.create({ flowKey, pdf: content, signees });
    const [log] = await api.toolkit.activity.list({
      ...{ processKey: made.key, take: 10, skip: 0 },
      ...{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER },
    });
    expect(JSON.stringify(log)).toContain('the document has JavaScript');
  });

  test('with more pages than can be signed is rejected, with the limit', async () => {
    const many = `<</Type/Pages/Kids[${'3 0 R '.repeat(30_000)}]/Count 30000>>`;
    const content = Buffer.from(pdfWithTable([onePage[0] ?? '', many, onePage[2] ?? '']));
    const { statusCode, body } = await refused(coded, await open(coded), { content });
    expect(statusCode).toBe(200);
    const why = words.formFilePages.replace('{{pages}}', '20000');
    expect(body).toContain(`id="document-fault">${why}`);
  });

  test('must be chosen again if another field is invalid', async () => {
    const fields = { ...anna, phone0: '12' };
    const { statusCode, body } = await refused(coded, await open(coded), { fields });
    expect(statusCode).toBe(200);
    expect(body).toContain(`id="phone0-fault">${words.formUnfit}`);
    expect(body).toContain(`id="document-fault">${words.formFileChoose}`);
  });

  test.each([
    ['C:\\fakepath\\Lease.pdf', 'Lease.pdf'],
    ['../../etc/Lease.PDF', 'Lease.pdf'],
    ['win at evil.example.pdf', 'win at evil. example.pdf'],
    ['a\u202efdp.exe', 'a fdp. exe.pdf'],
    ['', 'document.pdf'],
    ['CON.pdf', '_CON.pdf'],
    ['<b>.pdf', 'b.pdf'],
  ])('with the file name %j is named %j', async (name, kept) => {
    expect((await send(coded, await open(coded), { name })).statusCode).toBe(303);
    expect((await newest())?.fileName).toBe(kept);
  });

  test('is rejected from another site and without the cookie', async () => {
    const page = await open(coded);
    const before = await count();
    const { reply } = page;
    for (const headers of [{}, { ...page.headers, 'sec-fetch-site': 'cross-site' }]) {
      const { statusCode } = await send(coded, { reply, texts: page.texts, headers } as Opened);
      expect(statusCode).toBe(403);
    }
    expect(await count()).toBe(before);
  });

  test('is ignored if the flow creates the document itself', async () => {
    const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };
    const options = { name: 'Form', type: 'FillAndSign', language: 'En', settings };
    const { key } = await api.toolkit.flows.create(options, document);
    const { statusCode } = await send(key, await open(key), { content: fixture('agreement') });
    expect(statusCode).toBe(303);
    expect((await newest())?.fileName).not.toBe('Lease.pdf');
  });

  costlyTest('that exceeds the size limit is rejected on a page', async () => {
    const content = Buffer.alloc(20 * 1024 * 1024 + 1);
    for (const each of [content, Buffer.alloc(22 * 1024 * 1024)]) {
      const { statusCode, body, headers } = await send(coded, await open(coded), { content: each });
      expect([statusCode, headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
      expect(body).toContain(words.formTooLarge);
    }
  });
});

describe('a flow that accepts documents', () => {
  test('has no page until customers may initiate it', async () => {
    const options = { name: 'Own', type: 'DropAndSign', language: 'En' };
    const { key } = await api.toolkit.flows.create(options);
    expect((await open(key)).reply.statusCode).toBe(404);
  });

  test.each([
    [{}, 'documents'],
    [{ documents: [{ pdf: document }], values: { a: 'b' } }, 'values'],
    [{ documents: [{ pdf: Buffer.alloc(20 * 1024 * 1024 + 1) }] }, 'documents'],
    [{ documents: [{ pdf: document }, { pdf: Buffer.alloc(0) }] }, 'documents[1].pdf'],
    [{ documents: Array(11).fill({ pdf: document }) }, 'documents'],
  ])('rejects invalid input of the library: case %#', async (given, field) => {
    const request = {
      flowKey: coded,
      values: {},
      persons: [{ name: 'Anna', phoneNumber: '6666666' }],
    };
    await expect(api.toolkit.processes.startByForm({ ...request, ...given })).rejects.toMatchObject(
      {
        ...{ code: 'validation.error', details: { field } },
      },
    );
  });
});
