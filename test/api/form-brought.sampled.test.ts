import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { filled, pageWords } from '../../src/api/pages/index.ts';
import { localeOf } from '../../src/base/words/locale.ts';
import { languages, localeOfLanguage } from '../../src/domain/message/index.ts';
import { wordbookOf } from '../../src/seal/evidence/block-texts.ts';
import type { EvidenceRecord } from '../../src/seal/evidence/index.ts';
import { summaryBlocks } from '../../src/seal/evidence/summary-blocks.ts';
import { onePage, pdfWithTable } from '../support/pdf-builder.ts';
import { costlyRows } from '../support/sample.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { newestSms } from './support/outbox.ts';
import { pageBrowser } from './support/page-browser.ts';
import { pageBehind } from './support/upload.ts';

// A document brought by a customer is not a request of the company: pages, mails and evidence state
// who brought it.

const words = pageWords('En');
let api: TestApi;
let coded: string;
let clicked: string;
beforeAll(async () => {
  api = await openTestApi();
  const create = async (signatureType: string, more = {}) => {
    const settings = { initiationMethod: 'Customer', signatureType, ...more };
    const options = { name: signatureType, type: 'DropAndSign', language: 'En', settings };
    return (await api.toolkit.flows.create(options)).key;
  };
  coded = await create('Simple');
  clicked = await create('ClickToSign', { maxAdditionalSignees: 2 });
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

const pdf = Buffer.from(pdfWithTable(onePage));
const anna = { name: 'Anna Example', email: 'anna@example.com', phoneNumber: '6666666' };
const bring = async (flowKey: string, persons: readonly object[]) => {
  const documents = [{ pdf, fileName: 'Lease.pdf' }];
  const request = { flowKey, persons, values: {}, documents, language: 'En' };
  return (
    await api.toolkit.processes.startByForm(
      request as Parameters<typeof api.toolkit.processes.startByForm>[0],
    )
  ).process;
};
const newestMail = () => {
  const folder = join(api.dataDir, 'outbox', 'mail');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts.map((text) => text.replace(/=\r?\n/g, '').replaceAll('=3D', '='));
};

test('the signing page says in each language who brought the document, not that the company asks', async () => {
  const { key, signees } = await bring(coded, [anna]);
  for (const language of languages) {
    const { asked, brought } = pageWords(language);
    const link = `/s/${key}/${signees[0]?.key}?lng=${language.toLowerCase()}`;
    const { body } = await pageBrowser(api).open(link);
    const fill = (text: string) => filled(text, { company: 'Acme ehf.', name: anna.name });
    expect(body).toContain(fill(brought));
    expect(body).not.toContain(fill(asked));
  }
});

test('mails name the person who brought the document, to that person and to others', async () => {
  const bo = { name: 'Bo Example', email: 'bo@example.com' };
  const { key } = await bring(clicked, [anna, bo]);
  await api.toolkit.runDueJobs();
  const mails = newestMail();
  for (const { email } of [anna, bo]) {
    const mail = mails.find((text) => text.includes(`To: ${email}`) || text.includes(`<${email}>`));
    expect(mail).toContain('Anna Example has brought a document to Acme ehf. to be signed.');
    expect(mail).not.toContain('asks for your signature');
  }
  await api.toolkit.processes.cancel({ key, by: 'owner@example.com' });
  await api.toolkit.runDueJobs();
  expect(newestMail().some((text) => text.includes('can no longer be signed'))).toBe(true);
});

test('the evidence states who brought the document and that the form named the signee', async () => {
  const { key, signees } = await bring(coded, [anna]);
  const browser = pageBrowser(api);
  await browser.open(`/s/${key}/${signees[0]?.key}`);
  await browser.send('code');
  await api.toolkit.runDueJobs();
  const code = newestSms(api.dataDir);
  expect((await browser.send('confirm', { agree: 'yes', code })).title).toBe(words.signedHeading);
  await api.toolkit.runDueJobs();
  const process = await api.toolkit.processes.show({ key });
  const attachment = process.attachments.find(({ fileName }) =>
    /evidence.*\.json$/i.test(fileName),
  );
  const content = await api.toolkit.processes.openAttachment(key, attachment?.key ?? '');
  const pieces = [];
  for await (const piece of content.pieces()) pieces.push(piece);
  const record: EvidenceRecord = JSON.parse(Buffer.concat(pieces).toString());
  expect(record.process.broughtBy).toBe(anna.name);
  expect(record.signees[0]).toMatchObject({ namedByLink: true, namedByForm: true });
  for (const language of languages) {
    const [code2 = 'en'] = localeOfLanguage(language).tag.split('-');
    const own = localeOf(code2 as 'en').evidence;
    const texts = summaryBlocks(record, wordbookOf(record, code2 as 'en')).map(({ text }) => text);
    expect(texts).toContain(own.brought.replace('{{name}}', anna.name));
    expect(texts).toContain(own.byForm);
    expect(texts).not.toContain(own.byLink);
  }
});

test('a document sent by the company remains a request of the company', async () => {
  const signee = { name: 'Anna', email: 'anna@example.com', signatureType: 'ClickToSign' } as const;
  const made = await api.toolkit.processes.create({
    ...{ flowKey: api.flowKey, pdf },
    signees: [{ ...signee, language: 'En' }],
  });
  const { body } = await pageBrowser(api).open(`/s/${made.key}/${made.signees[0]?.key}`);
  expect(body).toContain('Acme ehf. asks you to sign a document.');
});

describe('several documents brought at once', () => {
  const send = async (flow: string, files: readonly (readonly [string, Buffer])[]) => {
    const page = await api.app.inject({ method: 'GET', url: `/s/${flow}?lng=en` });
    const hidden = page.body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
    const texts = [...hidden].map(([, name = '', value = '']) => [name, value] as const);
    const person = Object.entries({ name0: anna.name, email0: anna.email, phone0: '6666666' });
    const form = new FormData();
    for (const [name, text] of [...texts, ...person]) form.append(name, text);
    for (const [name, bytes] of files) form.append('document', new Blob([bytes]), name);
    const { headers, body } = new Response(form) as Response & { body: ReadableStream };
    const payload = Buffer.from(await new Response(body).arrayBuffer());
    const cookie = String([page.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
    const type = headers.get('content-type') ?? '';
    const reply = await api.app.inject({
      ...{ method: 'POST', url: `/s/${flow}?lng=en`, payload },
      headers: { cookie, 'content-type': type },
    });
    const isForm = reply.statusCode === 303 && reply.headers.location?.startsWith(`/s/${flow}?`);
    return { page, reply: isForm ? await pageBehind(api, reply, cookie) : reply };
  };
  const count = async () => (await api.toolkit.processes.list({})).length;

  test('become a sequence: one link for one person, document after document', async () => {
    const before = await count();
    const { page, reply } = await send(coded, [
      ...([['Lease.pdf', pdf]] as const),
      ...([['Keys.pdf', pdf]] as const),
    ]);
    expect(page.body).toContain(' multiple ');
    expect([reply.statusCode, await count()]).toEqual([303, before + 2]);
    const link = String(reply.headers['location']);
    expect(link).toMatch(/^\/s\/pg\w+\/\w+\?lng=en$/);
    const browser = pageBrowser(api);
    for (const [at, name] of ['Lease.pdf', 'Keys.pdf'].entries()) {
      const shown = await browser.open(link);
      expect(shown.body).toContain(`Document ${at + 1} of 2`);
      expect(shown.body).toContain(name);
      expect(shown.body).toContain('Anna Example has brought this document');
      await browser.send('code');
      await api.toolkit.runDueJobs();
      await browser.send('confirm', { agree: 'yes', code: newestSms(api.dataDir) });
    }
    expect((await browser.open(link)).title).toBe(words.signedHeading);
    const made = (await api.toolkit.processes.list({})).slice(0, 2);
    for (const { policy, signees } of made) {
      expect(policy).toMatchObject({ isByCustomer: true, isBrought: true });
      expect(signees[0]?.byLink).toMatchObject({ isAdded: true, isByForm: true });
    }
  });

  test('are announced in a single mail if they are signed by click', async () => {
    const invitations = () => newestMail().filter((text) => text.includes('has brought a'));
    const before = invitations().length;
    const { reply } = await send(clicked, [
      ...([['Lease.pdf', pdf]] as const),
      ...([['Keys.pdf', pdf]] as const),
    ]);
    expect([reply.statusCode, reply.headers['location']]).toEqual([200, undefined]);
    await api.toolkit.runDueJobs();
    expect(invitations().length).toBe(before + 1);
  });

  test('are all rejected, by file name, if one is rejected or there is one too many', async () => {
    const before = await count();
    const catalog = '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/Launch>>>>';
    const bad = Buffer.from(pdfWithTable([catalog, ...onePage.slice(1)]));
    const { reply } = await send(coded, [
      ...([['Lease.pdf', pdf]] as const),
      ...([['Bad.pdf', bad]] as const),
    ]);
    expect([reply.statusCode, await count()]).toEqual([200, before]);
    expect(reply.body).toContain('Bad.pdf: Launch');
    const many = await send(coded, Array(11).fill(['Lease.pdf', pdf]));
    expect([many.reply.statusCode, await count()]).toEqual([200, before]);
    expect(many.reply.body).toContain(words.formFileMany.replace('{{count}}', '10'));
  });

  test.each<[string, readonly (readonly [string, Buffer])[], string?]>([
    [
      'empty',
      [
        ['Lease.pdf', pdf],
        ['Keys.pdf', Buffer.alloc(0)],
      ],
    ],
    [
      'not a PDF',
      [
        ['Lease.pdf', pdf],
        ['Keys.pdf', Buffer.from('<html>')],
      ],
      'Keys.pdf: ',
    ],
    [
      'cut',
      [
        ['Lease.pdf', pdf.subarray(0, 200)],
        ['Keys.pdf', pdf],
      ],
      'Lease.pdf: ',
    ],
    ...costlyRows<[string, [string, Buffer][]]>([
      'too large together with the others',
      Array(3).fill(['Lease.pdf', Buffer.alloc(7_000_000, '%PDF')]),
    ]),
  ])('are all rejected if one is %s', async (_, files, named = '') => {
    const before = await count();
    const { reply } = await send(coded, files);
    expect([reply.statusCode, await count()]).toEqual([200, before]);
    expect(reply.body).toContain(`id="document-fault">${named}${words.formFileUnfit}`);
  });

  test('must fit the storage quota together', async () => {
    const { storedBytes } = Object.fromEntries(
      (await api.toolkit.quotas()).map(({ name, used }) => [name, used]),
    );
    await api.toolkit.setQuotas({ storedBytes: (storedBytes ?? 0) + Math.ceil(1.5 * pdf.length) });
    const before = await count();
    const files = [
      ['Lease.pdf', pdf],
      ['Keys.pdf', pdf],
    ] as const;
    const { reply } = await send(coded, files);
    await api.toolkit.setQuotas({ storedBytes: null });
    expect([reply.statusCode, await count()]).toEqual([200, before]);
    expect(reply.body).toContain(filled(words.formClosed, { company: 'Acme ehf.' }));
  });

  test('get safe file names, whatever the browser sends', async () => {
    const names = [
      ...[
        '../../etc/passwd',
        'C:\\temp\\CON.pdf',
        'a\u202efdp.exe',
        '<b>"x".pdf',
        '..',
        '/',
        'a%0d%0ab',
      ],
      ...['www.example.com', 'Lease.pdf', 'Lease.pdf'],
    ];
    const { reply } = await send(
      coded,
      names.map((name) => [name, pdf] as const),
    );
    expect(reply.statusCode).toBe(303);
    const made = (await api.toolkit.processes.list({})).slice(0, 10);
    for (const { fileName } of made) {
      expect(fileName).toMatch(/^[^/\\:*?"<>|\p{Cc}\p{Cf}]+\.pdf$/u);
      expect(fileName).not.toMatch(/^(CON|\.+)\.|example\.com/i);
    }
    expect(made.filter(({ fileName }) => fileName === 'Lease.pdf')).toHaveLength(2);
    const { body } = await pageBrowser(api).open(String(reply.headers['location']));
    expect(body).not.toContain('<b>');
  });
});
