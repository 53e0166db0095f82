import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { limits } from '../../src/base/limits.ts';
import { languages } from '../../src/domain/message/index.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { type Page, pageBrowser } from './support/page-browser.ts';

// Whatever button a person presses, their input is still there afterwards. A page with validation
// messages has its own URL, so that a reload or the Back button sends nothing again.

const words = pageWords('En');
const template = {
  v: 1,
  title: 'Order {{number}}',
  blocks: [
    { type: 'paragraph', text: 'For {{buyer}}. {{remarks?}}' },
    { type: 'paragraph', text: 'Express to {{street}}.', when: 'express' },
  ],
};
const schema = {
  type: 'object',
  required: ['number', 'buyer'],
  properties: {
    number: { type: 'integer', minimum: 1 },
    remarks: { type: 'string', maxLength: 90_000 },
    express: { type: 'boolean' },
  },
  if: { properties: { express: { const: true } }, required: ['express'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['street'] },
  else: { properties: { street: false } },
};

let api: TestApi;
let stepped = '';
let whole = '';
let upload = '';
beforeAll(async () => {
  api = await openTestApi();
  const make = async (type: string, more: object) => {
    const settings = { initiationMethod: 'Customer', signatureType: 'Simple', ...more } as const;
    const request = { name: 'Order', type, language: 'En', settings };
    const bytes = type === 'RenderFlow' ? Buffer.from(JSON.stringify(template)) : undefined;
    const { key } = await api.toolkit.flows.create(request, bytes);
    if (bytes === undefined) return key;
    await api.toolkit.flows.putSchema(key, { version: '1', schema: JSON.stringify(schema) });
    await api.toolkit.flows.publish(key, '1');
    return key;
  };
  stepped = await make('RenderFlow', { questionMode: 'One' });
  whole = await make('RenderFlow', {});
  upload = await make('DropAndSign', {});
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

const anna = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };
const stepOf = ({ body }: Page) => /name="step" value="([^"]+)"/.exec(body)?.[1];
const legendOf = ({ body }: Page) => /<legend[^>]*>([^<]+)</.exec(body)?.[1];
const times = ({ body }: Page, text: string) => body.split(text).length - 1;
const open = async (flow: string, query = '') => {
  const browser = pageBrowser(api);
  return { browser, page: await browser.open(`/s/${flow}${query}`) };
};

describe('choosing another language', () => {
  const is = { go: 'language', lng: 'is' };

  test('keeps what was typed on the whole form, including invalid values, and marks no faults', async () => {
    const { browser } = await open(whole);
    const page = await browser.send('start', { ...anna, email0: 'nobody', q0: 'seven', ...is });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(page.body).toContain('<html lang="is">');
    for (const text of ['Anna Example', 'nobody', 'seven']) {
      expect(page.body).toContain(`value="${text}"`);
    }
    expect(page.body).not.toContain('-fault');
  });

  test('keeps what was typed at a step, and the step', async () => {
    const { browser } = await open(stepped);
    await browser.send('step', anna);
    const page = await browser.send('step', { q0: 'seven', ...is });
    expect([page.sent, stepOf(page)]).toEqual([303, 'q0']);
    expect(page.body).toContain('<html lang="is">');
    expect(page.body).toContain('value="seven"');
    expect(page.body).not.toContain('-fault');
  });

  test('keeps what a person who brings a document has typed', async () => {
    const { browser, page } = await open(upload);
    expect(page.body).toContain('formenctype="application/x-www-form-urlencoded"');
    const other = await browser.send('start', { ...anna, document: 'Lease.pdf', ...is });
    expect(other.body).toContain('<html lang="is">');
    expect(other.body).toContain('value="Anna Example"');
    expect(other.body).toContain(pageWords('Is').formClear);
  });

  test('saves nothing if nothing was typed, and keeps the values of the URL', async () => {
    for (const flow of [whole, stepped, upload]) {
      const { browser, page } = await open(flow, '?email=a%40example.com');
      const act = page.acts[0] ?? '';
      const more = flow === stepped ? { step: 'p0' } : {};
      const other = await browser.send(act, { email0: 'a@example.com', ...more, ...is });
      expect(other.body).toContain('<html lang="is">');
      expect(other.body).toContain('value="a@example.com"');
      expect(browser.cookies.has('innsigli-draft')).toBe(false);
    }
  });

  test('shows validation messages in the chosen language', async () => {
    const { browser } = await open(whole);
    const faulty = await browser.send('start', { ...anna, q0: 'seven', q1: 'Acme' });
    expect(faulty.body).toContain(`id="q0-fault">${words.formUnfit}`);
    const other = await browser.open(`/s/${whole}?lng=is`);
    expect(other.body).toContain(`id="q0-fault">${pageWords('Is').formUnfit}`);
  });

  test.each(['xx', '', '__proto__', '<b>', 'is'.repeat(50)])(
    'falls back to the current language for the invalid choice %j',
    async (lng) => {
      const { browser } = await open(whole);
      const page = await browser.send('start', { ...anna, go: 'language', lng });
      expect([page.sent, page.status]).toEqual([303, 200]);
      expect(page.body).toContain('<html lang="en-US">');
      expect(page.body).toContain('value="Anna Example"');
    },
  );

  test('answers 413 in the chosen language if the answers are too large, and shows them again', async () => {
    const { browser } = await open(whole);
    const q2 = 'a'.repeat(limits.formDraftBytes);
    const page = await browser.send('start', { ...anna, q2, ...is });
    expect(page.status).toBe(413);
    expect(page.body).toContain('<html lang="is">');
    expect(page.body).toContain(q2);
  });
});

describe('a page with validation messages', () => {
  test('has a URL without personal data, repeats the messages on reload, then drops them', async () => {
    for (const [flow, act] of [
      [stepped, 'step'],
      [whole, 'start'],
    ] as const) {
      const { browser } = await open(flow);
      const faulty = await browser.send(act, { ...anna, email0: 'nobody' });
      expect(faulty.sent).toBe(303);
      expect(faulty.body).toContain(words.formFaults);
      const own = `/s/${flow}${act === 'step' ? '?step=p0' : ''}`;
      const again = await browser.open(own);
      expect(again.body).toContain(`id="email0-fault">${words.formUnfit}`);
      await browser.send(act, { ...anna, go: act === 'step' ? 'back' : 'save' });
      const fine = await browser.open(own);
      expect(fine.body).not.toContain('-fault');
      expect(fine.body).toContain('value="anna@example.com"');
    }
  });

  test('links to the faulty fields and says that the answers are saved', async () => {
    const { browser } = await open(whole);
    const page = await browser.send('start', { ...anna, email0: 'nobody', q0: 'seven', q1: 'A' });
    expect(page.body).toMatch(
      /<div class="note bad" role="alert" tabindex="-1" autofocus>.*href="#email0".*href="#q0"/s,
    );
    expect(times(page, 'Your answers are saved for 24 hours.')).toBe(1);
    expect(page.body).toContain(words.formClear);
  });

  test('is returned directly if nothing may be saved', async () => {
    const { browser } = await open(whole);
    const foreign = await browser.send('start', { ...anna, form: 'f'.repeat(32) });
    expect([foreign.sent, foreign.status]).toEqual([403, 403]);
    expect(browser.cookies.has('innsigli-draft')).toBe(false);
    await browser.open(`/s/${whole}`);
    const large = { ...anna, q0: 'seven', q2: 'a'.repeat(limits.formDraftBytes) };
    const page = await browser.send('start', large);
    expect([page.sent, page.status]).toEqual([422, 422]);
    expect(page.body).toContain(`id="q0-fault">${words.formUnfit}`);
    expect(page.body).toContain(large.q2);
  });

  test('says only once that answers were saved', async () => {
    const { browser } = await open(whole);
    const saved = await browser.send('start', { ...anna, go: 'save' });
    expect([saved.sent, times(saved, 'Your answers are saved for 24 hours.')]).toEqual([303, 1]);
  });
});

describe('labels of form buttons', () => {
  test.each(languages)('a whole form is sent and a step continues, in %s', async (language) => {
    const own = pageWords(language);
    const { page } = await open(whole, `?lng=${language.toLowerCase()}`);
    expect(page.body).toContain(`<button>${own.formSend}</button>`);
    const { page: step } = await open(stepped, `?lng=${language.toLowerCase()}`);
    expect(step.body).toContain(`<button>${own.continueButton}</button>`);
    expect(step.body).not.toContain(own.formSend);
  });

  test('the review is sent, and an upload continues', async () => {
    const { browser } = await open(stepped);
    await browser.send('step', anna);
    await browser.send('step', { q0: '7' });
    await browser.send('step', { q1: 'Acme' });
    await browser.send('step', {});
    const review = await browser.send('step', {});
    expect(review.acts).toEqual(['review']);
    expect(review.body).toContain(`<button>${words.formSend}</button>`);
    const { page } = await open(upload);
    expect(page.body).toContain(`<button>${words.continueButton}</button>`);
  });
});

describe('validation of a question shown for the first time', () => {
  test('reports no fault although the question was answered before it became inapplicable', async () => {
    const { browser } = await open(stepped);
    await browser.send('step', anna);
    for (const fields of [{ q0: '7' }, { q1: 'A' }, {}, { q3: 'checked' }]) {
      await browser.send('step', fields);
    }
    await browser.send('step', { q4: 'Main street 1' });
    for (const box of [{}, { q3: 'checked' }]) {
      await browser.open(`/s/${stepped}?step=q3&from=review`);
      await browser.send('step', box as Record<string, string>);
    }
    const street = await browser.open(`/s/${stepped}`);
    expect(stepOf(street)).toBe('q4');
    expect(street.body).not.toContain('-fault');
  });

  test('reports no fault for a value emptied before the form changed its mode', async () => {
    const { browser } = await open(stepped);
    await browser.send('step', anna);
    await browser.send('step', { q0: '7', go: 'all' });
    await browser.send('start', { ...anna, q0: '7', name0: '', go: 'one' });
    const page = await browser.open(`/s/${stepped}`);
    expect(legendOf(page)).toBe('Step 1 of 5');
    expect(page.body).not.toContain('-fault');
  });
});

test('deleting the answers must be confirmed, and can be declined', async () => {
  for (const [flow, act] of [
    [stepped, 'step'],
    [whole, 'start'],
    [upload, 'start'],
  ] as const) {
    const { browser } = await open(flow);
    const asked = await browser.send(act, { ...anna, go: 'clear' });
    expect([asked.sent, asked.acts]).toEqual([303, ['clear']]);
    expect((await browser.open(`/s/${flow}`)).body).toContain('value="Anna Example"');
    await browser.open(`/s/${flow}?step=delete`);
    const foreign = await browser.send('clear', { form: 'f'.repeat(32) });
    expect(foreign.status).toBe(403);
    await browser.open(`/s/${flow}?step=delete`);
    const gone = await browser.send('clear');
    expect([gone.sent, gone.body.includes(words.formCleared)]).toEqual([303, true]);
    expect(gone.body).not.toContain('Anna Example');
    // If nothing is saved, no confirmation is needed.
    expect((await browser.open(`/s/${flow}?step=delete`)).acts).toEqual([act]);
  }
});
