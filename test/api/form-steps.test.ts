import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { limits } from '../../src/base/limits.ts';
import { languages } from '../../src/domain/message/index.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { type Page, type PageBrowser, pageBrowser } from './support/page-browser.ts';

const words = pageWords('En');
const pdfForm = readFileSync(
  new URL('../../fixtures/pdf/form-with-text-field.pdf', import.meta.url),
);
const template = {
  v: 1,
  title: 'Order {{number}}',
  blocks: [
    { type: 'values', rows: [{ name: 'Buyer', text: '{{buyer}}' }] },
    { type: 'paragraph', text: 'Express to {{street}}.', when: 'express' },
    { type: 'paragraph', text: 'Gift for {{friend?}}' },
    { type: 'table', each: 'items', columns: [{ title: 'Item', text: '{{item}}' }] },
  ],
};
const only = (name: string, value: unknown) => ({
  properties: { [name]: { const: value } },
  required: [name],
});
const schema = {
  type: 'object',
  required: ['number', 'buyer'],
  properties: {
    number: { type: 'integer', minimum: 1 },
    express: { type: 'boolean', title: 'Express delivery' },
    friend: { type: 'string', title: 'Name of the friend' },
    items: { type: 'array', maxItems: 10 },
  },
  if: only('express', true),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['street'] },
  else: { properties: { street: false, friend: false } },
};

let api: TestApi;
let order = '';
let whole = '';
let paper = '';
const makeFlow = async (name: string, settings: object, own: object = schema) => {
  const made = await api.toolkit.flows.create(
    {
      ...{ name, type: 'RenderFlow', language: 'En' },
      settings: { initiationMethod: 'Customer', signatureType: 'Simple', ...settings },
    },
    Buffer.from(JSON.stringify(template)),
  );
  await api.toolkit.flows.putSchema(made.key, { version: '1', schema: JSON.stringify(own) });
  await api.toolkit.flows.publish(made.key, '1');
  return made.key;
};
beforeAll(async () => {
  api = await openTestApi();
  order = await makeFlow('Order', { questionMode: 'One' });
  whole = await makeFlow('Whole', {});
  const settings = {
    ...{ initiationMethod: 'Customer', signatureType: 'ClickToSign', questionMode: 'One' },
  } as const;
  const request = { name: 'Paper', type: 'FillAndSign', language: 'En', settings } as const;
  paper = (await api.toolkit.flows.create(request, pdfForm)).key;
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

const anna = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };
const newest = async () => {
  const [process] = await api.toolkit.processes.list({});
  return JSON.parse(process?.meta['pdfFieldData'] ?? '{}');
};
const count = async () => (await api.toolkit.processes.list({})).length;
const stepOf = ({ body }: Page) => /name="step" value="([^"]+)"/.exec(body)?.[1];
const legendOf = ({ body }: Page) => /<legend[^>]*>([^<]+)</.exec(body)?.[1];
const labelOf = ({ body }: Page) => /<label (?:for="[^"]+"|class="check")>/.test(body);

/** Fills in a form step by step, by the labels of its questions. */
async function answer(browser: PageBrowser, page: Page, all: Readonly<Record<string, string>>) {
  let last = page;
  for (let turn = 0; turn < 20 && last.acts.includes('step'); turn += 1) {
    const ids = [
      ...last.body.matchAll(/<(?:input type="(?!hidden)[^"]*"|textarea|select) id="([^"]+)"/g),
    ];
    const fields: Record<string, string> = {};
    for (const [, id = ''] of ids) {
      const label = new RegExp(`<label for="${id}">([^<]+)</label>`).exec(last.body)?.[1] ?? id;
      const value = all[id] ?? all[label];
      if (value !== undefined) fields[id] = value;
    }
    last = await browser.send('step', fields);
    if (last.status !== 200) return last;
  }
  return last;
}
/** The first row of the list is question 4. */
const orderAnswers = { ...anna, Number: '7', Buyer: 'Acme', 'q5.0.0': 'Pen' };

describe('a form with one question per step', () => {
  test('asks in the order of the form, shows the progress, and shows a review before it is sent', async () => {
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}`);
    expect([first.status, stepOf(first), legendOf(first)]).toEqual([200, 'p0', 'Step 1 of 5']);
    expect(first.body).toContain('<title>Step 1 of 5 – Order</title>');
    expect(first.body).not.toContain('<script');
    expect(first.body).not.toContain(`>${words.formBack}<`);
    const second = await browser.send('step', anna);
    expect([second.status, stepOf(second), legendOf(second)]).toEqual([200, 'q0', 'Step 2 of 5']);
    expect(second.body).not.toContain('anna@example.com');
    expect(labelOf(second)).toBe(true);
    const review = await answer(browser, second, orderAnswers);
    expect(review.acts).toEqual(['review']);
    expect(review.body).toContain(words.formReview);
    for (const text of ['Anna Example', 'Acme', 'Pen', 'No']) expect(review.body).toContain(text);
    const done = await browser.send('review');
    expect(done.title).toBe(words.title);
    expect(await newest()).toEqual({
      ...{ number: 7, buyer: 'Acme', express: false, items: [{ item: 'Pen' }] },
    });
  });

  test('continues at the first open question when the link is opened again', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    await browser.send('step', anna);
    await browser.send('step', { q0: '7' });
    const again = await browser.open(`/s/${order}`);
    expect(legendOf(again)).toBe('Step 3 of 5');
    // Earlier answers are still there.
    const back = await browser.open(`/s/${order}?step=p0`);
    expect(back.body).toContain('value="Anna Example"');
    // A different browser, or a different URL, does not see them.
    expect(legendOf(await pageBrowser(api).open(`/s/${order}`))).toBe('Step 1 of 5');
    const other = await browser.open(`/s/${order}?email=b%40example.com`);
    expect(other.body).toContain('b@example.com');
    expect(other.body).not.toContain('Anna');
    api.pass(limits.formDraftMs + 1);
    expect(legendOf(await browser.open(`/s/${order}`))).toBe('Step 1 of 5');
  });

  test('shows a fault at its question and keeps what was typed', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    const none = await browser.send('step', { name0: 'Anna <b>', email0: 'nobody' });
    expect([none.sent, stepOf(none)]).toEqual([303, 'p0']);
    expect(none.body).toContain(words.formFaults);
    expect(none.body).toContain('id="phone0-fault"');
    expect(none.body).toContain('value="Anna &lt;b&gt;"');
    await browser.send('step', anna);
    const wrong = await browser.send('step', { q0: 'seven' });
    expect([wrong.sent, stepOf(wrong)]).toEqual([303, 'q0']);
    expect(wrong.body).toContain(`id="q0-fault">${words.formUnfit}`);
  });

  test('a fault found only by the schema is linked from the review to its question', async () => {
    const browser = pageBrowser(api);
    const before = await count();
    const first = await browser.open(`/s/${order}`);
    await answer(browser, first, { ...orderAnswers, Number: '0' });
    const page = await browser.send('review');
    expect([page.sent, page.acts]).toEqual([303, ['review']]);
    const link = `<a href="/s/${order}?step=q0&amp;from=review">Number</a> ${words.formUnfit}`;
    expect(page.body).toContain(`<li>${link}`);
    expect(page.body).toContain(`<dd class="fault">${words.formUnfit}`);
    expect(await count()).toBe(before);
    const question = await browser.open(`/s/${order}?step=q0&from=review`);
    expect(question.body).toContain(`id="q0-fault">${words.formUnfit}`);
    const mended = await browser.send('step', { q0: '8' });
    expect(mended.acts).toEqual(['review']);
    expect(mended.body).not.toContain('fault');
  });

  test('goes back without validation, and returns to the review after a change', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    await browser.send('step', anna);
    const back = await browser.send('step', { q0: 'seven', go: 'back' });
    expect([back.status, stepOf(back)]).toEqual([200, 'p0']);
    const again = await browser.send('step', anna);
    // Earlier input is still there, and not marked as faulty before it is sent.
    expect(again.body).toContain('value="seven"');
    expect(again.body).not.toContain('-fault');
    const review = await answer(browser, again, orderAnswers);
    expect(review.body).toContain(`href="/s/${order}?step=q0&amp;from=review"`);
    await browser.open(`/s/${order}?step=q0&from=review`);
    const changed = await browser.send('step', { q0: '9' });
    expect(changed.acts).toEqual(['review']);
    const last = await browser.send('review', { go: 'back' });
    expect(legendOf(last)).toBe('Step 5 of 5');
  });

  test.each(['q99', 'q-1', 'q0.0.0', 'review', '__proto__', 'p1', '<script>'])(
    'shows the first open step for the invalid step %s',
    async (step) => {
      const page = await pageBrowser(api).open(`/s/${order}?step=${encodeURIComponent(step)}`);
      expect([page.status, stepOf(page)]).toEqual([200, 'p0']);
      expect(page.body).not.toContain('<script');
    },
  );

  test('accepts only the answers of the current step', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    await browser.send('step', { ...anna, q0: '666', q1: 'Evil', name1: 'Other' });
    const page = await browser.open(`/s/${order}?step=q0`);
    expect(page.body).not.toContain('666"');
    const gone = await browser.send('step', { step: 'q77', q77: 'x' });
    expect([gone.status, stepOf(gone)]).toEqual([200, 'q0']);
  });

  test('lets a list grow, and keeps its values', async () => {
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}`);
    const review = await answer(browser, first, orderAnswers);
    const [, id] =
      /step=(q\d+)&amp;from=review" aria-label="Change: Items"/.exec(review.body) ?? [];
    await browser.open(`/s/${order}?step=${id}`);
    const more = await browser.send('step', { [`${id}.0.0`]: 'Ink', more: `${id}.10` });
    expect(more.status).toBe(200);
    expect(more.body.match(/, row \d+/g)).toHaveLength(10);
    expect(more.body).toContain('value="Ink"');
  });

  test('two windows lose no answers, and only reviewed answers can be sent', async () => {
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}`);
    const review = await answer(browser, first, orderAnswers);
    const [, seen = ''] = /name="answers" value="(\w+)"/.exec(review.body) ?? [];
    const before = await count();
    await browser.open(`/s/${order}?step=q0`);
    await browser.send('step', { q0: '12' });
    await browser.open(`/s/${order}`);
    const stale = await browser.send('review', { answers: seen });
    expect([stale.sent, stale.status, stale.acts]).toEqual([303, 200, ['review']]);
    // Without a message, an unchanged page would look as if nothing had been sent.
    expect(stale.body).toContain(words.formOthers);
    expect(stale.body).not.toContain(words.formFaults);
    expect(await count()).toBe(before);
    expect((await browser.send('review')).title).toBe(words.title);
    expect((await newest()).number).toBe(12);
  });

  test('starts one process if sent twice, and leads to the same page', async () => {
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}`);
    const review = await answer(browser, first, orderAnswers);
    const hidden = Object.fromEntries(
      [...review.body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    const payload = new URLSearchParams(hidden).toString();
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const before = await count();
    const post = () => api.app.inject({ method: 'POST', url: `/s/${order}`, headers, payload });
    const [one, two] = await Promise.all([post(), post()]);
    const three = await post();
    expect([one.statusCode, two.statusCode, three.statusCode]).toEqual([303, 303, 303]);
    expect(new Set([one, two, three].map(({ headers: { location } }) => location)).size).toBe(1);
    expect(await count()).toBe(before + 1);
    // Answers are deleted once they have been sent.
    expect(legendOf(await browser.open(`/s/${order}`))).toBe('Step 1 of 5');
    // A review under a different name has nothing to send.
    const other = new URLSearchParams({ ...hidden, once: 'f'.repeat(32) }).toString();
    const gone = await api.app.inject({
      ...{ method: 'POST', url: `/s/${order}` },
      headers,
      payload: other,
    });
    expect(gone.statusCode).toBe(409);
    expect(await count()).toBe(before + 1);
  });

  test('does not disclose the answers saved by another browser', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    await browser.send('step', anna);
    const other = pageBrowser(api);
    for (const name of ['', 'f'.repeat(32), '../x', `${'f'.repeat(31)}'`]) {
      other.cookies.set('innsigli-draft', name);
      const page = await other.open(`/s/${order}?step=p0`);
      expect(page.body).not.toContain('Anna Example');
    }
    const foreign = await other.send('step', { ...anna, form: 'f'.repeat(32) });
    expect([foreign.status, stepOf(foreign)]).toEqual([403, 'p0']);
  });

  test('lets the person delete saved answers', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    await browser.send('step', anna);
    const asked = await browser.send('step', { q0: '7', go: 'clear' });
    expect([asked.status, asked.acts]).toEqual([200, ['clear']]);
    expect(asked.body).toContain(words.formClearAsk);
    // A person who keeps them finds all their input.
    expect(asked.body).toContain(`href="/s/${order}?step=q0">${words.formKeep}`);
    expect((await browser.open(`/s/${order}?step=q0`)).body).toContain('value="7"');
    await browser.open(`/s/${order}?step=delete`);
    const page = await browser.send('clear');
    expect([page.sent, stepOf(page)]).toEqual([303, 'p0']);
    expect(page.body).toContain(words.formCleared);
    expect(page.body).not.toContain('Anna');
    expect(legendOf(await browser.open(`/s/${order}`))).toBe('Step 1 of 5');
  });

  test('reports answers that are too large to save, and does not count them as saved', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${paper}`);
    await browser.send('step', { name0: 'Anna', email0: 'anna@example.com' });
    const large = await browser.send('step', { q0: 'a'.repeat(limits.formDraftBytes) });
    expect([large.status, stepOf(large)]).toEqual([413, 'q0']);
    expect(large.body).toContain(words.formTooLarge);
    // The whole form accepts them: it is sent directly.
    const all = await browser.send('step', { q0: 'a'.repeat(limits.formDraftBytes), go: 'all' });
    expect([all.status, all.acts]).toEqual([200, ['start']]);
    expect(all.body).toContain('a'.repeat(limits.formDraftBytes));
    expect(all.body).toContain('value="Anna"');
  });

  test('sends the link to a signee by click by mail, as the whole form does', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${paper}`);
    await browser.send('step', { name0: 'Anna', email0: 'anna@example.com' });
    await browser.send('step', { q0: 'written' });
    const page = await browser.send('review');
    expect(page.body).toContain('We have sent a link to anna@example.com.');
  });

  test('does not reuse answers if their questions have changed', async () => {
    const flow = await makeFlow('Changing', { questionMode: 'One' });
    const browser = pageBrowser(api);
    await browser.open(`/s/${flow}`);
    await browser.send('step', anna);
    await browser.send('step', { q0: '7' });
    const next = { ...schema, properties: { ...schema.properties, buyer: { title: 'Purchaser' } } };
    await api.toolkit.flows.putSchema(flow, { version: '2', schema: JSON.stringify(next) });
    await api.toolkit.flows.publish(flow, '2');
    const page = await browser.send('step', { q1: 'Acme' });
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(page.body).toContain(words.formChanged);
    const again = await browser.open(`/s/${flow}?step=q0`);
    expect(again.body).not.toContain('value="7"');
    expect((await browser.open(`/s/${flow}?step=p0`)).body).toContain('Anna Example');
  });

  test.each(languages)('is available in %s', async (language) => {
    const own = pageWords(language);
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}?lng=${language.toLowerCase()}`);
    const page = await browser.send('step', anna);
    for (const text of [own.formAll, own.formClear]) expect(page.body).toContain(text);
    for (const { body } of [first, page]) expect(body).not.toContain('{{');
    // Without answers there is nothing to delete.
    expect(first.body).not.toContain(own.formClear);
  });
});

describe('switching between steps and whole form', () => {
  test('keeps all answers, and the choice is remembered', async () => {
    const browser = pageBrowser(api);
    const page = await browser.open(`/s/${whole}`);
    expect(page.acts).toEqual(['start']);
    const steps = await browser.send('start', { ...anna, q0: '7', go: 'one' });
    expect([steps.status, stepOf(steps)]).toEqual([200, 'p0']);
    expect(steps.body).toContain('value="Anna Example"');
    expect((await browser.open(`/s/${whole}`)).acts).toEqual(['step']);
    const all = await browser.send('step', { ...anna, go: 'all' });
    expect(all.acts).toEqual(['start']);
    expect(all.body).toContain('value="7"');
    expect((await browser.open(`/s/${whole}`)).acts).toEqual(['start']);
  });

  test('the whole form saves answers by its button and when it has faults', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${whole}`);
    const saved = await browser.send('start', { ...anna, go: 'save' });
    expect(saved.body).toContain('Your answers are saved for 24 hours.');
    expect((await browser.open(`/s/${whole}`)).body).toContain('value="Anna Example"');
    const wrong = await browser.send('start', { ...anna, q0: 'seven' });
    expect([wrong.sent, wrong.status]).toEqual([303, 200]);
    expect((await browser.open(`/s/${whole}`)).body).toContain('value="seven"');
  });

  test('the whole form offers to delete answers only once they are saved', async () => {
    const browser = pageBrowser(api);
    const says = ({ body }: Page) => [
      body.includes('Your answers are saved for 24 hours.'),
      body.includes(words.formClear),
    ];
    expect(says(await browser.open(`/s/${whole}`))).toEqual([false, false]);
    expect(says(await browser.send('start', { ...anna, go: 'save' }))).toEqual([true, true]);
    expect(says(await browser.open(`/s/${whole}`))).toEqual([true, true]);
    await browser.send('start', { ...anna, go: 'clear' });
    const cleared = await browser.send('clear');
    expect(cleared.body).toContain(words.formCleared);
    expect(cleared.body).not.toContain('Anna');
    expect(says(cleared)).toEqual([false, false]);
    expect(says(await browser.open(`/s/${whole}`))).toEqual([false, false]);
  });
});

describe('a conditional question', () => {
  const branch = { ...anna, Number: '7', Buyer: 'Acme' };
  const express = (page: Page) => /id="(q\d+)" name="q\d+" value="checked"/.exec(page.body)?.[1];

  test('becomes a step when its condition holds, and is then required', async () => {
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}`);
    expect(legendOf(first)).toBe('Step 1 of 5');
    await browser.send('step', anna);
    await browser.send('step', { q0: '7' });
    const asked = await browser.send('step', { q1: 'Acme' });
    const id = express(asked) ?? '';
    const street = await browser.send('step', { [id]: 'checked' });
    expect([street.status, legendOf(street)]).toEqual([200, 'Step 5 of 7']);
    expect(street.body).toContain('>Street</label>');
    const missing = await browser.send('step', {});
    expect([missing.sent, missing.status]).toEqual([303, 200]);
    expect(missing.body).toContain(words.formMissing);
    const friend = await browser.send('step', { [stepOf(street) ?? '']: 'Main street 1' });
    expect(friend.body).toContain('>Name of the friend (optional)</label>');
    const review = await answer(browser, friend, branch);
    expect(review.acts).toEqual(['review']);
    await browser.send('review');
    expect(await newest()).toMatchObject({ express: true, street: 'Main street 1' });
  });

  test('is neither required nor kept when its condition no longer holds', async () => {
    const browser = pageBrowser(api);
    const first = await browser.open(`/s/${order}`);
    const all = { ...branch, Street: 'Hidden street' };
    const id = 'q2';
    const page = await answer(browser, first, { ...all, [id]: 'checked' });
    expect(page.body).toContain('Hidden street');
    await browser.open(`/s/${order}?step=${id}&from=review`);
    const review = await browser.send('step', {});
    expect(review.acts).toEqual(['review']);
    expect(review.body).not.toContain('Hidden street');
    await browser.send('review');
    expect(Object.keys(await newest())).not.toContain('street');
    expect((await newest()).express).toBe(false);
  });

  test('cannot be answered by a forged form, neither by step nor on the whole form', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${order}`);
    await browser.send('step', { ...anna, q3: 'forged', q4: 'forged' });
    const forged = await browser.send('step', { step: 'q3', q3: 'forged' });
    expect(stepOf(forged)).toBe('q0');
    const other = pageBrowser(api);
    await other.open(`/s/${whole}`);
    const page = await other.send('start', {
      ...{ ...anna, q0: '7', q1: 'Acme', q3: 'forged', q4: 'forged', asked: '3 4' },
    });
    expect(page.title).toBe(words.title);
    expect(JSON.stringify(await newest())).not.toContain('forged');
  });

  test('is asked on the whole form after the answer that enables it, before anything is sent', async () => {
    const browser = pageBrowser(api);
    const before = await count();
    const page = await browser.open(`/s/${whole}`);
    expect(page.body).not.toContain('>Street</label>');
    const fields = { ...anna, q0: '7', q1: 'Acme', q2: 'checked' };
    const further = await browser.send('start', fields);
    expect(further.status).toBe(200);
    expect(further.body).toContain(words.formFurther);
    expect(further.body).toContain('>Street</label>');
    expect(await count()).toBe(before);
    const missing = await browser.send('start', fields);
    expect([missing.sent, missing.status]).toEqual([303, 200]);
    await browser.send('start', { ...fields, q3: 'Main street 1' });
    expect(await newest()).toMatchObject({ express: true, street: 'Main street 1' });
  });

  const hidden = (name: string, when: object) => ({
    if: when,
    else: { properties: { [name]: false } },
  });
  const typed = { number: { type: 'integer' }, express: { type: 'boolean' } };
  test.each([
    [
      'in a cycle',
      { allOf: [hidden('street', only('friend', 'a')), hidden('friend', only('street', 'b'))] },
      /depends on its own answer/,
    ],
    ['on its own answer', hidden('friend', only('friend', 'a')), /on its own answer/],
    ['on a list', hidden('friend', only('items', 'a')), /which has no single answer/],
    [
      'on a value that is not asked for',
      hidden('friend', only('nobody', 1)),
      /which has no single answer/,
    ],
    ['on a value that the document requires', hidden('buyer', only('express', true)), /buyer/i],
  ])('a condition %s is rejected: no one could fill in the form', async (_, own, why) => {
    const flow = await makeFlow('Refused', {});
    const text = JSON.stringify({ type: 'object', properties: typed, ...own });
    await api.toolkit.flows.putSchema(flow, { version: '2', schema: text });
    await expect(api.toolkit.flows.publish(flow, '2')).rejects.toMatchObject({
      code: 'validation.error',
      message: expect.stringMatching(why),
    });
  });

  test.each([
    ['a condition that a page cannot evaluate', { if: { minProperties: 2 } }],
    [
      'a condition that holds without an answer',
      { if: { properties: { express: { enum: [true] } } } },
    ],
    ['an inverted condition', { if: only('express', false), isTurned: true }],
  ])(
    'the schema may have %s',
    async (_, { isTurned, ...own }: { isTurned?: boolean; if: object }) => {
      const rule = isTurned === true ? 'then' : 'else';
      const text = {
        type: 'object',
        properties: typed,
        ...own,
        [rule]: { properties: { street: false } },
      };
      const flow = await makeFlow('Allowed', {}, text);
      const { questions } = await api.toolkit.flows.form(flow);
      const street = questions.find(({ name }) => name === 'street');
      expect(street?.askedIf === undefined).toBe('minProperties' in own.if);
      const browser = pageBrowser(api);
      const page = await browser.open(`/s/${flow}`);
      expect(page.body.includes('>Street')).toBe('minProperties' in own.if);
    },
  );
});
