import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { costlyTest } from '../support/sample.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import { pageBrowser } from './support/page-browser.ts';

const template = {
  ...{ v: 1, title: 'Order' },
  blocks: [
    { type: 'paragraph', text: 'Express: {{express}}' },
    { type: 'paragraph', text: 'To {{street?}}, {{town?}}' },
  ],
};
const schema = {
  type: 'object',
  properties: {
    express: { type: 'string', enum: ['yes', 'no'] },
    street: { type: 'string', default: 'Main street 1' },
    town: { type: 'string' },
  },
  if: { properties: { express: { const: 'yes' } }, required: ['express'] },
  else: { properties: { street: false, town: false } },
};
const data = Buffer.from(JSON.stringify({ town: 'Bergen' })).toString('base64url');
const anna = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };

let api: TestApi;
const makeFlow = async (questionMode: 'One' | 'All') => {
  const made = await api.toolkit.flows.create(
    {
      ...{ name: 'Order', type: 'RenderFlow', language: 'En' },
      settings: { initiationMethod: 'Customer', signatureType: 'Simple', questionMode },
    },
    Buffer.from(JSON.stringify(template)),
  );
  await api.toolkit.flows.putSchema(made.key, { version: '1', schema: JSON.stringify(schema) });
  await api.toolkit.flows.publish(made.key, '1');
  return made.key;
};
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

describe('the prefilled answer of a conditional question', () => {
  test('is shown when the question is asked step by step, from the schema and from the URL', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${await makeFlow('One')}?initialData=${data}`);
    await browser.send('step', anna);
    const street = await browser.send('step', { q0: 'yes' });
    expect(street.body).toContain('value="Main street 1"');
    const town = await browser.send('step', { q1: 'Other street 2' });
    expect(town.body).toContain('value="Bergen"');
  });

  test('is shown when the question is asked on one page, from the schema and from the URL', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${await makeFlow('All')}?initialData=${data}`);
    const further = await browser.send('start', { ...anna, q0: 'yes' });
    expect(further.body).toContain('value="Main street 1"');
    expect(further.body).toContain('value="Bergen"');
  });

  test('does not come back after the person has deleted it', async () => {
    const browser = pageBrowser(api);
    const flow = await makeFlow('One');
    await browser.open(`/s/${flow}?initialData=${data}`);
    await browser.send('step', anna);
    await browser.send('step', { q0: 'yes' });
    await browser.send('step', { q1: '' });
    const town = await browser.send('step', { q2: '' });
    expect(town.acts).toEqual(['review']);
    expect(town.body).not.toContain('Main street 1');
    expect(town.body).not.toContain('Bergen');
  });

  test('does not come back after being emptied, unless the question is asked again', async () => {
    const browser = pageBrowser(api);
    await browser.open(`/s/${await makeFlow('All')}?initialData=${data}`);
    await browser.send('start', { ...anna, q0: 'yes' });
    const wrong = await browser.send('start', { ...anna, phone0: 'x', q0: 'yes', q1: '', q2: '' });
    expect([wrong.sent, wrong.status]).toEqual([303, 200]);
    expect(wrong.body).not.toContain('Main street 1');
    await browser.send('start', { ...anna, q0: 'no', go: 'save', asked: '' });
    const anew = await browser.send('start', { ...anna, q0: 'yes', asked: '' });
    expect(anew.body).toContain('value="Main street 1"');
  });
});

describe('questions that changed after they were answered', () => {
  test.each(['One', 'All'] as const)(
    'are asked again with their new defaults (%s)',
    async (mode) => {
      const flow = await makeFlow(mode);
      const browser = pageBrowser(api);
      const act = mode === 'One' ? 'step' : 'start';
      await browser.open(`/s/${flow}`);
      await browser.send(act, { ...anna, go: 'save' });
      if (mode === 'One') {
        await browser.send('step', anna);
        for (const fields of [{ q0: 'yes' }, { q1: 'Other' }, { q2: '' }]) {
          await browser.send('step', fields);
        }
      }
      const next = {
        type: 'object',
        properties: { ...schema.properties, express: { type: 'string', default: 'maybe' } },
      };
      await api.toolkit.flows.putSchema(flow, { version: '2', schema: JSON.stringify(next) });
      await api.toolkit.flows.publish(flow, '2');
      const changed = await browser.send(mode === 'One' ? 'review' : 'start', anna);
      expect([changed.sent, changed.status]).toEqual([303, 200]);
      for (const page of [changed, await browser.open(`/s/${flow}`)]) {
        expect(page.acts).toEqual([act]);
        expect(page.body).toContain('value="maybe"');
      }
    },
  );
});

costlyTest(
  'two addresses that start forms without end do not block saved answers of anyone else',
  async () => {
    const flow = await makeFlow('One');
    const begin = async (ip: string) => {
      const head = { method: 'GET' as const, url: `/s/${flow}`, remoteAddress: ip };
      const page = await api.app.inject(head);
      const cookie = [page.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0]);
      const field = (name: string) =>
        new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)?.[1] ?? '';
      const names = ['form', 'version', 'act', 'step'];
      const body = new URLSearchParams(names.map((name): [string, string] => [name, field(name)]));
      for (const [name, value] of Object.entries(anna)) body.set(name, value);
      const sent = await api.app.inject({
        ...{ method: 'POST', url: `/s/${flow}`, remoteAddress: ip, payload: body.toString() },
        headers: {
          ...{ cookie: cookie.join('; ') },
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      return sent.statusCode;
    };
    expect(await begin('203.0.113.5')).toBe(303);
    const flood: number[] = [];
    for (let at = 0; at < 130; at += 1) {
      flood.push(await begin(at % 2 === 0 ? '198.51.100.7' : '192.0.2.7'));
    }
    expect(await begin('203.0.113.9')).toBe(303);
    expect(flood).toContain(429);
  },
);
