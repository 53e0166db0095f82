import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { languages } from '../../src/domain/message/index.ts';
import { costlyTest } from '../support/sample.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { type PageBrowser, pageBrowser } from './support/page-browser.ts';

const words = pageWords('En');
const htmlType = 'text/html; charset=utf-8';
const form = readFileSync(new URL('../../fixtures/pdf/form-with-text-field.pdf', import.meta.url));
const template = {
  v: 1,
  title: 'Loan {{number}}',
  blocks: [
    { type: 'values', rows: [{ name: 'Lender', text: '{{lender.name}}' }] },
    { type: 'paragraph', text: '{{guarantor}} stands surety.', when: 'guarantor' },
    { type: 'paragraph', text: 'Note: {{note?}}' },
    {
      type: 'table',
      each: 'payments',
      columns: [
        { title: 'Day', text: '{{day}}' },
        { title: 'Amount', text: '{{amount}}' },
      ],
    },
  ],
};
const schema = {
  type: 'object',
  required: ['kind', 'lender'],
  properties: {
    number: { type: 'integer', title: 'Number of the loan', minimum: 1 },
    lender: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    kind: { enum: ['short', 'long'], description: '<b>How long</b>' },
    isNew: { type: 'boolean' },
    payments: { type: 'array', maxItems: 2, items: { properties: { day: { format: 'date' } } } },
  },
};

let api: TestApi;
let loan: string;
let paper: string;
beforeAll(async () => {
  api = await openTestApi();
  const made = await api.toolkit.flows.create(
    {
      ...{ name: 'Loan', type: 'RenderFlow', language: 'En' },
      settings: { initiationMethod: 'Customer', signatureType: 'Simple' },
    },
    Buffer.from(JSON.stringify(template)),
  );
  loan = made.key;
  await api.toolkit.flows.putSchema(loan, { version: '1', schema: JSON.stringify(schema) });
  await api.toolkit.flows.publish(loan, '1');
  const settings = { initiationMethod: 'Customer', signatureType: 'ClickToSign' };
  const request = { name: 'Paper', type: 'FillAndSign', language: 'En', settings };
  paper = (await api.toolkit.flows.create(request, form)).key;
}, 60_000);
// After an hour the limit of a mailbox no longer applies.
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

const open = (browser: PageBrowser, key: string, query = '') => browser.open(`/s/${key}${query}`);
const anna = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };
const processes = async () => (await api.toolkit.processes.list({})).length;

/** The ID of the field with this label. */
function idOf(body: string, label: string): string {
  const [, id] = new RegExp(`<label for="([\\w.]+)">${label}[ <]`).exec(body) ?? [];
  if (id === undefined) throw new Error(`no field ${label} in ${body}`);
  return id;
}

describe('the form of a template', () => {
  test('asks for each placeholder with the labels of template and schema, escaped', async () => {
    const { status, body, title, headers } = await open(pageBrowser(api), loan);
    expect([status, title]).toEqual([200, 'Loan']);
    for (const label of ['Number of the loan', 'Lender', 'Guarantor', 'Note', 'Day', 'Kind']) {
      expect(idOf(body, label)).toMatch(/^q\d/);
    }
    expect(body).toContain('&lt;b&gt;How long&lt;/b&gt;');
    expect(body).not.toContain('<script');
    expect(body.match(/, row \d/g)).toEqual([', row 1', ', row 2']);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(String(headers['set-cookie'])).toContain('HttpOnly');
  });

  test('leads to the signing page of a document made from the answers', async () => {
    const browser = pageBrowser(api);
    const { body } = await open(browser, loan, '?lng=en-us');
    const [row] = [idOf(body, 'Day'), idOf(body, 'Amount')];
    const page = await browser.send('start', {
      ...anna,
      [idOf(body, 'Number of the loan')]: '7',
      [idOf(body, 'Lender')]: 'Acme <i>ehf.</i>',
      [idOf(body, 'Kind')]: 'long',
      [row]: '2027-01-31',
      [idOf(body, 'Amount')]: '1.000',
    });
    expect(page.status).toBe(200);
    expect(page.title).toBe(words.title);
    expect(page.body).toContain('…666');
    const [newest] = await api.toolkit.processes.list({});
    expect(JSON.parse(newest?.meta['pdfFieldData'] ?? '')).toMatchObject({
      number: 7,
      lender: { name: 'Acme <i>ehf.</i>' },
      payments: [{ day: '2027-01-31', amount: '1.000' }],
    });
    // The signees were named by a stranger: the evidence says so, and the limits of links apply to
    // their numbers.
    expect(newest?.signees).toMatchObject([{ byLink: { isAdded: true } }]);
    expect(newest?.activityDisplayName).toBe('Loan (Anna Example)');
  });

  test('marks missing and invalid answers, keeps the rest, and starts no process', async () => {
    const before = await processes();
    const browser = pageBrowser(api);
    const { body } = await open(browser, loan);
    const number = idOf(body, 'Number of the loan');
    const page = await browser.send('start', {
      ...anna,
      [number]: 'seven',
      [idOf(body, 'Lender')]: 'Acme "ehf."',
    });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(page.body).toContain(words.formFaults);
    expect(page.body).toContain(`id="${number}-fault">${words.formUnfit}`);
    expect(page.body).toContain(`id="${idOf(body, 'Kind')}-fault">${words.formMissing}`);
    expect(page.body).toContain('value="Acme &quot;ehf.&quot;"');
    const small = { [number]: '0', [idOf(body, 'Lender')]: 'A', [idOf(body, 'Kind')]: 'long' };
    const refused = await browser.send('start', { ...anna, ...small });
    expect([refused.sent, refused.status]).toEqual([303, 200]);
    expect(refused.body).toContain(`id="${number}-fault">${words.formUnfit}`);
    expect(await processes()).toBe(before);
  });

  test.each([
    ['phone0', { phone0: '12' }],
    ['email0', { email0: 'nobody' }],
    ['name0', { name0: 'evil.example/win' }],
    ['name0', { name0: ' ' }],
  ])('marks %s for the unusable contact data %o', async (id, wrong) => {
    const browser = pageBrowser(api);
    const { body } = await open(browser, loan);
    const fine = { [idOf(body, 'Number of the loan')]: '7', [idOf(body, 'Lender')]: 'A' };
    const kind = { [idOf(body, 'Kind')]: 'long' };
    const page = await browser.send('start', { ...anna, ...fine, ...kind, ...wrong });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(page.body).toContain(`id="${id}-fault"`);
  });
});

describe('the form of a PDF', () => {
  const dataOf = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');

  test('is prefilled from the URL, and sends the link to a signee by click by mail', async () => {
    const [field] = (await api.toolkit.flows.form(paper)).questions;
    const browser = pageBrowser(api);
    const data = dataOf({ [field?.name ?? '']: 'from "outside"', other: 1 });
    const { body } = await open(browser, paper, `?initialData=${data}&email=a%40example.com`);
    // The values stay when another language is chosen.
    const other = await browser.send('start', { q0: 'typed', go: 'language', lng: 'is' });
    expect(other.body).toContain('<html lang="is">');
    expect(other.body).toContain('value="typed"');
    expect(body).toContain('from &quot;outside&quot;');
    expect(body).toContain('value="a@example.com"');
    await open(browser, paper, `?initialData=${data}&email=a%40example.com`);
    const page = await browser.send('start', { ...anna, q0: 'written' });
    expect(page.status).toBe(200);
    expect(page.body).toContain('We have sent a link to anna@example.com.');
    expect(page.body).not.toMatch(/\/s\/\w+\/\w+"/);
    const [newest] = await api.toolkit.processes.list({});
    expect(newest?.signees[0]).toMatchObject({ delivery: 'Email', email: 'anna@example.com' });
  });

  test.each(['%25', 'bm8', dataOf([1]), dataOf({ ['__proto__x']: 1 }), `${'A'.repeat(1799)}`])(
    'is still shown if the prefilled values in the URL are unreadable: %s',
    async (data) => {
      const { status } = await open(pageBrowser(api), paper, `?initialData=${data}`);
      expect(status).toBe(200);
    },
  );

  test('rejects a form of another site and one of an outdated version', async () => {
    const before = await processes();
    const browser = pageBrowser(api);
    await open(browser, paper);
    expect((await browser.send('start', { ...anna, form: 'f'.repeat(32) })).status).toBe(403);
    const old = await browser.send('start', { ...anna, q0: 'kept?', version: 'old' });
    expect([old.sent, old.status]).toEqual([303, 200]);
    expect(old.body).toContain(words.formChanged);
    expect(old.body).not.toContain('kept?');
    for (const name of ['', 'x', 'f'.repeat(33)]) {
      const unnamed = await browser.send('start', { ...anna, q0: 'x', once: name });
      expect([unnamed.sent, unnamed.status]).toEqual([303, 200]);
    }
    expect(await processes()).toBe(before);
  });

  test.each(languages)('is available in %s', async (language) => {
    const { body } = await open(pageBrowser(api), paper, `?lng=${language.toLowerCase()}`);
    const own = pageWords(language);
    for (const text of [own.formPerson, own.formName, own.formEmail]) expect(body).toContain(text);
  });

  test('is reachable by /f/, too, with the values of the URL', async () => {
    const page = await pageBrowser(api).open(`/f/${paper}?email=a%2Bb%40example.com&x=1`);
    expect(page.title).toBe('Paper');
    expect(page.body).toContain('value="a+b@example.com"');
    const elsewhere = await api.app.inject({ url: '/f/%2F%2Fevil.example' });
    expect(elsewhere.headers.location).toBe('/s/%2F%2Fevil.example');
  });

  test('starts one process, however often the form is sent', async () => {
    const before = await processes();
    const browser = pageBrowser(api);
    await open(browser, paper);
    const sendAgain = () => browser.send('start', { ...anna, q0: 'twice' });
    const pages = await Promise.all([sendAgain(), sendAgain()]);
    for (const page of pages) expect(page.body).toContain('We have sent a link to');
    expect(await processes()).toBe(before + 1);
  });
});

test('requests that are too large, too frequent or of an unsupported type are answered with a page', async () => {
  const sendAs = (type: string, payload: string, from = '203.0.113.9') =>
    api.app.inject({
      ...{ method: 'POST', url: `/s/${paper}?lng=de`, remoteAddress: from, payload },
      headers: { 'content-type': type },
    });
  const type = 'application/x-www-form-urlencoded';
  const german = pageWords('De');
  const large = await sendAs(type, `q0=${'a'.repeat(1024 * 1024)}`);
  expect([large.statusCode, large.headers['content-type']]).toEqual([413, htmlType]);
  expect(large.body).toContain(german.formTooLarge);
  const other = await sendAs('text/csv', 'a', '203.0.113.10');
  expect([other.statusCode, other.headers['content-type']]).toEqual([415, htmlType]);
  let last = other;
  // A form without a file may be one of many steps; a file has to be verified.
  for (const [kind, most] of [
    ['multipart/form-data; boundary=x', 10],
    [type, 80],
  ] as const) {
    const from = `203.0.113.1${most}`;
    let taken = -1;
    do {
      last = await sendAs(kind, 'q0=1', from);
      taken += 1;
    } while (last.statusCode === 403);
    expect(last.statusCode).toBe(429);
    // While the requests are sent, some capacity becomes free again.
    expect([taken >= most, taken < 2 * most]).toEqual([true, true]);
  }
  expect([last.statusCode, last.headers['content-type']]).toEqual([429, htmlType]);
  expect(last.body).toContain(german.errorThrottled);
});

costlyTest(
  'limits invitations per mailbox and processes per flow, from any number of addresses',
  async () => {
    const settings = { initiationMethod: 'Customer', signatureType: 'ClickToSign' };
    const request = { name: 'Busy', type: 'FillAndSign', language: 'En', settings };
    const { key } = await api.toolkit.flows.create(request, form);
    const sendTo = async (email: string) => {
      const browser = pageBrowser(api);
      await open(browser, key);
      return (await browser.send('start', { name0: 'Anna', email0: email, q0: 'x' })).status;
    };
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push(await sendTo(count % 2 === 0 ? 'victim@example.com' : 'Victim@Example.com '));
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await sendTo('other@example.com')).toBe(200);
    api.pass(600_000);
    expect(await sendTo('victim@example.com')).toBe(200);
    // A busy machine takes seconds for them, and each second allows one more.
    let last = 200;
    for (let count = 0; count < 200 && last === 200; count += 1) {
      last = await sendTo(`${count}@example.com`);
    }
    expect(last).toBe(429);
    const browser = pageBrowser(api);
    expect((await open(browser, paper)).status).toBe(200);
  },
);

test('does not ask for reserved names and for fields that people may not change', async () => {
  const blocks = [
    { type: 'paragraph', text: '{{toString}} {{constructor.name}} {{__proto__.x?}}' },
    { type: 'list', items: ['{{__proto__.y?}} {{valueOf}}'], each: 'rows' },
  ];
  const bytes = Buffer.from(JSON.stringify({ v: 1, title: 'Odd', blocks }));
  const settings = { initiationMethod: 'Customer', signatureType: 'ClickToSign' };
  const request = { name: 'Odd', type: 'RenderFlow', language: 'En', settings };
  const { key } = await api.toolkit.flows.create(request, bytes);
  const { questions } = await api.toolkit.flows.form(key);
  expect(questions.map(({ name }) => name)).toEqual(['toString', 'constructor.name', 'rows']);
  const browser = pageBrowser(api);
  await open(browser, key);
  const page = await browser.send('start', { ...anna, q0: 'a', q1: 'b', 'q2.0.0': 'c' });
  expect(page.body).toContain('We have sent a link to');
  const [newest] = await api.toolkit.processes.list({});
  expect(newest?.meta['pdfFieldData']).toBe(
    '{"toString":"a","constructor":{"name":"b"},"rows":[{"valueOf":"c"}]}',
  );
});

describe('a form that is closed', () => {
  test('answers 404 for company-initiated, inactive and unknown flows', async () => {
    const { key } = await api.toolkit.flows.create(
      { name: 'Own', type: 'FillAndSign', settings: {} },
      form,
    );
    const shut = await api.toolkit.flows.create(
      { name: 'Shut', type: 'FillAndSign', settings: { initiationMethod: 'Customer' } },
      form,
    );
    await api.toolkit.flows.update(shut.key, { isActive: false });
    for (const path of [key, shut.key, api.flowKey, 'f0', 'f%00', '%F0']) {
      const page = await pageBrowser(api).open(`/s/${path}`);
      expect([404, 400]).toContain(page.status);
    }
    const started = api.toolkit.processes.startByForm({
      ...{ flowKey: key, values: {}, persons: [{ name: 'A', email: 'a@example.com' }] },
    });
    await expect(started).rejects.toMatchObject({ code: 'flow.not_found' });
  });
});

test('further signees are named on the form, and receive their links by mail', async () => {
  const settings = {
    ...{ initiationMethod: 'Customer', signatureType: 'Simple' },
    ...{ minAdditionalSignees: 1, maxAdditionalSignees: 2 },
  };
  const flow = await api.toolkit.flows.create(
    { name: 'Both', type: 'FillAndSign', language: 'En', settings },
    form,
  );
  const browser = pageBrowser(api);
  const { body } = await open(browser, flow.key);
  expect(body.match(/name="name\d"/g)).toEqual(['name="name0"', 'name="name1"', 'name="name2"']);
  const alone = await browser.send('start', { ...anna, q0: 'x' });
  expect([alone.sent, alone.status]).toEqual([303, 200]);
  const birna = { name1: 'Birna', email1: 'birna@example.com', phone1: '5550100' };
  const page = await browser.send('start', { ...anna, ...birna, q0: 'x' });
  expect(page.title).toBe(words.title);
  const [newest] = await api.toolkit.processes.list({});
  expect(newest?.signees.map(({ delivery }) => delivery)).toEqual(['None', 'Email']);
});

test('a list grows on request without scripts, and keeps its values', async () => {
  const blocks = [{ type: 'list', each: 'owners', items: ['{{name}}'] }];
  const bytes = Buffer.from(JSON.stringify({ v: 1, title: '{{firm}}', blocks }));
  const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };
  const request = { name: 'Owners', type: 'RenderFlow', language: 'En', settings };
  const { key } = await api.toolkit.flows.create(request, bytes);
  const browser = pageBrowser(api);
  const rowsOf = ({ body }: { readonly body: string }) => body.match(/, row \d+/g)?.length;
  const moreOf = ({ body }: { readonly body: string }) =>
    /name="more" value="([^"]+)"/.exec(body)?.[1];
  let page = await open(browser, key);
  const counts = [rowsOf(page)];
  for (let more = moreOf(page); more !== undefined; more = moreOf(page)) {
    page = await browser.send('start', { more, q0: 'Acme', 'q1.0.0': 'Anna' });
    expect([page.status, page.body.includes('class="fault"')]).toEqual([200, false]);
    expect(page.body).toMatch(/id="q1\.0\.0"[^>]*value="Anna"/);
    counts.push(rowsOf(page));
  }
  expect(counts).toEqual([5, 10, 15, 20]);
  const last = { q0: 'Acme', 'q1.0.0': 'Anna', 'q1.19.0': 'Zoe' };
  const faulty = await browser.send('start', { ...last, name0: 'Anna' });
  expect([faulty.sent, rowsOf(faulty)]).toEqual([303, 20]);
  for (const more of ['q1.99999999', 'q1.-1', 'x', 'q1.1e9']) {
    const odd = await browser.send('start', { more });
    expect([odd.status, Number(rowsOf(odd)) <= 20]).toEqual([200, true]);
  }
  expect((await browser.send('start', { ...anna, ...last })).title).toBe(words.title);
  const [newest] = await api.toolkit.processes.list({});
  expect(JSON.parse(newest?.meta['pdfFieldData'] ?? '')).toEqual({
    firm: 'Acme',
    owners: [{ name: 'Anna' }, { name: 'Zoe' }],
  });
});
