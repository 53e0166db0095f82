import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { pageBrowser } from './support/page-browser.ts';

const words = pageWords('En');
const htmlType = 'text/html; charset=utf-8';
const form = readFileSync(new URL('../../fixtures/pdf/form-with-text-field.pdf', import.meta.url));

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

/** A flow whose form is open to customers. */
async function openFlow(settings: object = {}): Promise<string> {
  const request = {
    ...{ name: 'Paper', type: 'FillAndSign', language: 'En' },
    settings: { initiationMethod: 'Customer', signatureType: 'ClickToSign', ...settings },
  };
  return (await api.toolkit.flows.create(request, form)).key;
}

describe('a rejected request to a page is answered with a page', () => {
  test.each([
    ['GET', '/s/KEY?lng=a&lng=b', 400],
    ['POST', '/s/KEY?lng=a&lng=b', 400],
    ['GET', '/s/KEY?email=a&email=b', 400],
    ['GET', '/f/KEY?lng=a&lng=b', 400],
    ['GET', `/f/KEY?lng=${'a'.repeat(21)}`, 400],
    ['GET', '/s/KEY/ze1?lng=a&lng=b', 400],
    ['POST', '/s/KEY/ze1?iframe=a&iframe=b', 400],
    ['GET', `/s/${'k'.repeat(101)}/ze1/unsubscribe`, 400],
    ['POST', '/s/KEY/ze1/unsubscribe', 415],
    ['GET', '/s/eid/callback?state=a&state=b', 400],
    ['GET', '/s/verify?lng=a&lng=b', 400],
    ['GET', '/api/verify?lng=a&lng=b', 400],
  ] as const)('%s %s', async (method, path, status) => {
    const url = path.replace('KEY', await openFlow());
    const type = status === 415 ? 'text/csv' : 'application/x-www-form-urlencoded';
    const body =
      method === 'POST' ? { payload: 'a=1', headers: { 'content-type': type } } : undefined;
    const reply = await api.app.inject({ method, url, ...body });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, htmlType]);
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

const anna = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };
const faultAt = (body: string, id: string) =>
  new RegExp(`id="${id}-fault">([^<]*)<`).exec(body)?.[1];
const hiddenOnce = (body: string) => /name="once" value="(\w+)"/.exec(body)?.[1];

describe('limits of forms', () => {
  const sendTo = async (key: string, fields: Readonly<Record<string, string>>) => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${key}`);
    const page = await browser.send('start', { ...anna, q0: 'x', ...fields });
    return page.acts.includes('start') && page.status === 200 ? 'refused' : page.status;
  };

  test('rejected forms do not count against the limit of a mailbox', async () => {
    const key = await openFlow();
    for (let count = 0; count < 7; count += 1) {
      expect(await sendTo(key, { name0: 'evil.example' })).toBe('refused');
    }
    expect(await sendTo(key, {})).toBe(200);
  });

  test('subaddresses (+tag) count as the same mailbox', async () => {
    const key = await openFlow();
    const statuses: (number | string)[] = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push(
        await sendTo(key, { email0: `Many${count === 0 ? '' : `+${count}`}@example.com` }),
      );
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a form that is sent again does not count again', async () => {
    const key = await openFlow();
    const browser = pageBrowser(api);
    const { body } = await browser.open(`/s/${key}`);
    const [, version] = /name="version" value="(\w+)"/.exec(body) ?? [];
    const [token] = [...browser.cookies].map((pair) => pair.join('='));
    const [, formToken] = /name="form" value="([^"]+)"/.exec(body) ?? [];
    const hidden = { form: formToken ?? '', act: 'start', version: version ?? '' };
    const payload = new URLSearchParams({
      ...hidden,
      once: hiddenOnce(body) ?? '',
      ...anna,
      q0: 'x',
    });
    for (let count = 0; count < 70; count += 1) {
      const reply = await api.app.inject({
        ...{ method: 'POST', url: `/s/${key}`, remoteAddress: `203.0.113.${count}` },
        headers: { cookie: token ?? '', 'content-type': 'application/x-www-form-urlencoded' },
        payload: payload.toString(),
      });
      expect(reply.statusCode).toBe(200);
    }
    expect(await sendTo(key, { email0: 'other@example.com' })).toBe(200);
  });

  test('forms use up at most half of a daily quota, so that the company can go on', async () => {
    const small = await openTestApi();
    try {
      const settings = { initiationMethod: 'Customer', signatureType: 'ClickToSign' };
      const request = { name: 'Paper', type: 'FillAndSign', language: 'En', settings };
      const { key } = await small.toolkit.flows.create(request, form);
      await small.toolkit.setQuotas({ processes: 4 });
      const send = async (email0: string) => {
        const browser = pageBrowser(small);
        const { status, body } = await browser.open(`/s/${key}`);
        return status === 200
          ? browser.send('start', { ...anna, email0, q0: 'x' })
          : { status, body };
      };
      expect((await send('a@example.com')).status).toBe(200);
      const late = pageBrowser(small);
      await late.open(`/s/${key}`);
      expect((await send('b@example.com')).status).toBe(200);
      const full = words.formFull.replace('{{company}}', 'Acme ehf.');
      for (const page of [
        await send('c@example.com'),
        await late.send('start', { ...anna, q0: 'x' }),
      ]) {
        expect(page.status).toBe(429);
        expect(page.body).toContain(full);
      }
      const own = { name: 'A', email: 'a@example.com' };
      const begun = small.toolkit.processes.create({
        ...{ flowKey: key, signees: [own], meta: { pdfFieldData: '{}' } },
      });
      await expect(begun).resolves.toMatchObject({ status: 'Active' });
      await small.toolkit.setQuotas({ processes: null, namedRequests: 4 });
      expect((await send('d@example.com')).status).toBe(429);
      small.pass(86_400_000);
      expect((await send('d@example.com')).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe('persons on a form', () => {
  test.each([
    ['punctuation alone', '!!! ***'],
    ['invisible characters', '\u3164\u3164'],
    ['zero-width spaces', '\u200b\u200bAnna'],
    ['a bidirectional override', 'Anna \u202egro.live'],
    ['a bidirectional isolate', '\u2067Anna'],
    ['a web address', 'evil.example'],
  ])('rejects the name %s', async (_, name0) => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${await openFlow()}`);
    const page = await browser.send('start', { ...anna, name0, q0: 'x' });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(faultAt(page.body, 'name0')).toBe(words.formUnfit);
  });

  test.each(['Ægir Þór', 'علی\u200cرضا', '葛\u{e0100}城', 'X Æ 7'])(
    'accepts names in any script: %s',
    async (name0) => {
      const browser = pageBrowser(api);
      await browser.open(`/s/${await openFlow()}`);
      const page = await browser.send('start', { ...anna, name0, q0: 'x' });
      expect(page.status).toBe(200);
    },
  );

  test('shows a fault at the person concerned, even if other persons are left empty', async () => {
    const key = await openFlow({ maxAdditionalSignees: 3 });
    const browser = pageBrowser(api);
    await browser.open(`/s/${key}`);
    const other = { name2: 'Birna', email2: 'nobody' };
    const page = await browser.send('start', { ...anna, ...other, q0: 'x' });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(faultAt(page.body, 'email2')).toBe(words.formUnfit);
    const half = await browser.send('start', { ...anna, name3: 'Carl', q0: 'x' });
    expect(faultAt(half.body, 'email3')).toBe(words.formMissing);
    expect(faultAt(half.body, 'email2')).toBeUndefined();
    const same = { name2: 'Anna Example', email2: 'ANNA@example.com' };
    const twice = await browser.send('start', { ...anna, ...same, q0: 'x' });
    expect(faultAt(twice.body, 'email2')).toBe(words.formTwice);
  });

  test('rejects a person who already is a signee of the flow', async () => {
    const boss = { name: 'Anna Example', email: 'anna@example.com' };
    const defaultSignees = [{ ...boss, signatureType: 'ClickToSign', delivery: 'Email' }];
    const key = await openFlow({ defaultSignees, maxAdditionalSignees: 1 });
    const browser = pageBrowser(api);
    await browser.open(`/s/${key}`);
    const page = await browser.send('start', { ...anna, q0: 'x' });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(faultAt(page.body, 'email0')).toBe(words.formTwice);
  });

  test('requires a number of every signee, even by click, if the flow logs in by number', async () => {
    const key = await openFlow({ requiresAuth: true, signeeIdentity: 'number' });
    const browser = pageBrowser(api);
    const { body } = await browser.open(`/s/${key}`);
    expect(body).toContain('name="phone0"');
    expect(body).toContain('name="ssn0"');
    expect(body).toContain(words.formEither);
    const { phone0: _, ...unnumbered } = anna;
    const page = await browser.send('start', { ...unnumbered, q0: 'x' });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(faultAt(page.body, 'phone0')).toBe(words.formEither);
    // The message replaces the hint, which has the same text.
    expect(page.body.split(words.formEither)).toHaveLength(2);
    expect(page.body).not.toContain('phone0-help');
    const fine = await browser.send('start', { ...anna, q0: 'x' });
    expect(fine.title).toBe(words.title);
    const named = await openFlow({ requiresAuth: true, signeeIdentity: 'name' });
    expect((await browser.open(`/s/${named}`)).body).not.toContain('name="phone0"');
  });
});

describe('the page says why a form cannot be sent', () => {
  const expectWord = async (
    opened: TestApi,
    flows: TestApi['toolkit']['flows'],
    settings: object,
    word: 'formClosed' | 'formMessages' | 'formEid',
  ) => {
    const request = {
      ...{ name: 'Paper', type: 'FillAndSign', language: 'En' },
      settings: { initiationMethod: 'Customer', signatureType: 'ClickToSign', ...settings },
    };
    const { key } = await flows.create(request, form);
    const page = await pageBrowser(opened).open(`/s/${key}`);
    const [text = ''] = words[word].split('{{company}}').slice(-1);
    expect([page.status, page.body.includes(text)]).toEqual([409, true]);
    expect(page.acts).toEqual([]);
  };

  test('message channels are disabled', async () => {
    const settings = { INNSIGLI_MAIL_SERVER: 'none', INNSIGLI_SMS_GATEWAY: 'none' };
    const closed = await openTestApi({}, settings);
    try {
      const { flows } = closed.toolkit;
      await expectWord(closed, flows, {}, 'formMessages');
      await expectWord(closed, flows, { signatureType: 'Simple' }, 'formMessages');
    } finally {
      await closed.close();
    }
  });

  test('the trial of the company has ended', async () => {
    const trialEndsAtMs = Date.now() - 1000;
    const { company } = await api.service.createCompany({ name: 'Trial', trialEndsAtMs });
    const { flows } = await api.service.open(company.key);
    await expectWord(api, flows, {}, 'formClosed');
  });

  test('no e-ID is configured', async () => {
    const without = await openTestApi({}, { INNSIGLI_PRODUCTION: 'true' });
    try {
      const { flows } = without.toolkit;
      await expectWord(without, flows, { requiresAuth: true }, 'formEid');
      await expectWord(without, flows, { signatureType: 'Qualified' }, 'formEid');
    } finally {
      await without.close();
    }
  });
});

test('a faulty form keeps its one-time name; reusing a used name with other answers is rejected', async () => {
  const browser = pageBrowser(api);
  const { body } = await browser.open(`/s/${await openFlow()}`);
  const name = hiddenOnce(body) ?? '';
  const faulty = await browser.send('start', { ...anna, email0: 'nobody', q0: 'x' });
  expect([faulty.sent, hiddenOnce(faulty.body)]).toEqual([303, name]);
  expect((await browser.send('start', { ...anna, q0: 'x' })).status).toBe(200);
  await browser.open(`/s/${await openFlow()}`);
  const first = await browser.send('start', { ...anna, q0: 'x', once: name });
  expect([first.sent, first.body.includes(words.formReused)]).toEqual([303, true]);
  expect(hiddenOnce(first.body)).not.toBe(name);
  expect((await browser.send('start', { ...anna, q0: 'x' })).status).toBe(200);
});

test('a form whose response was lost says so, and the button sends it once more', async () => {
  const key = await openFlow();
  const first = pageBrowser(api);
  const opened = await first.open(`/s/${key}`);
  const once = hiddenOnce(opened.body) ?? '';
  const again = pageBrowser(api);
  await again.open(`/s/${key}`);
  for (const [name, value] of first.cookies) again.cookies.set(name, value);
  await again.open(`/s/${key}`);
  const count = async () => (await api.toolkit.processes.list({})).length;
  const before = await count();
  const sentText = words.formSent.replace('{{email}}', anna.email0);
  expect((await first.send('start', { ...anna, q0: 'x' })).body).toContain(sentText);
  const database = new Database(join(api.dataDir, 'innsigli.db'));
  const statement = 'update kept_answer set data = null where key = ?';
  expect(database.prepare(statement).run(`form-${once}`).changes).toBe(1);
  database.close();
  api.pass(11 * 60_000);
  const lost = await again.send('start', { ...anna, q0: 'x', once });
  expect(lost.body).toContain(words.formLost);
  expect(hiddenOnce(lost.body)).not.toBe(once);
  expect(await count()).toBe(before + 1);
  expect((await again.send('start', { ...anna, q0: 'x' })).body).toContain(sentText);
  expect(await count()).toBe(before + 2);
});

describe("characters that the document's fonts lack", () => {
  const template = {
    v: 1,
    title: 'Order {{number}}',
    blocks: [
      { type: 'paragraph', text: 'For {{buyer.name}} in {{buyer.place?}}.' },
      { type: 'list', items: ['{{value}}'], each: 'terms' },
      {
        type: 'table',
        each: 'items',
        columns: [
          { title: 'Item', text: '{{item}}' },
          { title: 'Price', text: '{{price}}' },
        ],
      },
    ],
  };
  const good = {
    q0: '7',
    q1: 'Łucja',
    q2: 'Þórshöfn',
    'q3.0.0': 'a',
    'q4.0.0': 'b',
    'q4.0.1': 'c',
  };
  let key = '';
  beforeAll(async () => {
    const request = {
      ...{ name: 'Order', type: 'RenderFlow', language: 'En' },
      settings: { initiationMethod: 'Customer', signatureType: 'ClickToSign' },
    } as const;
    const bytes = Buffer.from(JSON.stringify(template));
    ({ key } = await api.toolkit.flows.create(request, bytes));
  });
  const sent = async (fields: Readonly<Record<string, string>>) => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${key}`);
    return browser.send('start', { ...anna, ...good, ...fields });
  };

  test.each<[string, string, Readonly<Record<string, string>>?]>([
    ['q0', '沒有'],
    ['q1', 'عنوان'],
    ['q2', 'Bonn 😀'],
    ['q3.0.0', '沒'],
    ['q4.0.0', '沒'],
    ['q4.1.1', '沒', { 'q4.1.0': 'd' }],
  ])('are rejected at their field %s: %s', async (id, text, more = {}) => {
    const { body } = await sent({ [id]: text, ...more });
    expect(body).toContain(words.formFaults);
    expect(faultAt(body, id)).toBe(words.formUnfit);
    expect(body.match(/ id="[^"]+-fault"/g)).toHaveLength(1);
  });

  test('other characters are accepted', async () => {
    const { status, acts } = await sent({});
    expect([status, acts]).toEqual([200, []]);
  });
});
