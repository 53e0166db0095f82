import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../api/support/open-api.ts';
import { cpuMs } from '../support/cpu-time.ts';

// Anyone may send a form: whatever its fields, they must cost little.

const settings = { initiationMethod: 'Customer', signatureType: 'Simple' } as const;
const template = {
  v: 1,
  title: 'Order',
  blocks: [{ type: 'table', each: 'items', columns: [{ title: 'Item', text: '{{item}}' }] }],
};

let api: TestApi;
let order = '';
let upload = '';
beforeAll(async () => {
  api = await openTestApi();
  const request = { name: 'Order', type: 'RenderFlow', language: 'En' } as const;
  const form = Buffer.from(JSON.stringify(template));
  const stepped = { ...settings, questionMode: 'One' } as const;
  order = (await api.toolkit.flows.create({ ...request, settings: stepped }, form)).key;
  const brought = { name: 'Paper', type: 'DropAndSign', language: 'En', settings } as const;
  upload = (await api.toolkit.flows.create(brought)).key;
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

/** Opens the form of a flow, and sends its hidden fields together with others. */
async function send(flowKey: string, others: Readonly<Record<string, string>>, more = '') {
  const url = `/s/${flowKey}`;
  const { body, headers: answered } = await api.app.inject({ method: 'GET', url });
  const hidden = body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
  const own = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]));
  const [cookie = ''] = String(answered['set-cookie']).split(';', 1);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie };
  const payload = `${new URLSearchParams({ ...own, ...others })}${more}`;
  return api.app.inject({ method: 'POST', url, headers, payload });
}

const FIELDS = 80_000;

test.each([
  ...['language', 'clear', 'back', 'all', 'one', 'save', ''].map((go) => ['step', go] as const),
  ...['language', 'clear', 'save', ''].map((go) => ['start', go] as const),
  ...['back', ''].map((go) => ['review', go] as const),
])('a form with very many fields costs little: act=%s, go=%s', async (act, go) => {
  const fields = Array.from({ length: FIELDS }, (_, at) => `&q0.${at}=`).join('');
  const step = { act, step: 'q0', once: '0'.repeat(32), ...(go === '' ? {} : { go }) };
  await send(order, step);
  const begunMs = cpuMs();
  const { statusCode } = await send(order, step, fields);
  expect(cpuMs() - begunMs).toBeLessThan(2000);
  expect(statusCode).toBeLessThan(500);
});

test.each(['start', 'step', 'review', 'other'])(
  'an upload form without its one-time name is not sent: act=%s',
  async (act) => {
    const named = { name0: 'Anna Example', email0: 'anna@example.com', phone0: '6666666' };
    const { statusCode, headers } = await send(upload, { ...named, act, once: '', go: 'save' });
    expect([statusCode, headers.location]).toEqual([303, `/s/${upload}`]);
    const cookie = [headers['set-cookie']].flat().map((each) => String(each).split(';')[0]);
    const shown = await api.app.inject({
      method: 'GET',
      url: `/s/${upload}`,
      headers: { cookie: cookie.join('; ') },
    });
    expect(shown.body).toContain('The form has changed in the meantime.');
  },
);
