import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePng } from '../support/images.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';

const logo = Buffer.from(makePng({ width: 2, height: 1, rows: [[1, 2, 3, 4, 5, 6]] }));
const css = 'main{border:3px solid rebeccapurple}';

let api: TestApi;
let flow: string;
let plain: string;
beforeAll(async () => {
  api = await openTestApi();
  const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };
  const request = { name: 'Papers', type: 'DropAndSign', language: 'En', settings };
  flow = (await api.toolkit.flows.create({ ...request, css })).key;
  plain = (await api.toolkit.flows.create(request)).key;
}, 60_000);
afterAll(() => api.close());

const get = (url: string) => api.app.inject({ method: 'GET', url });
const addressIn = (body: string, folder: string) =>
  new RegExp(`"(/s/${folder}/[^"]+)"`).exec(body)?.[1] ?? '';

describe('company branding of the pages', () => {
  test('loads the style sheet of the flow after the built-in one', async () => {
    const { body } = await get(`/s/${flow}`);
    const address = addressIn(body, 'styles');
    expect(body.indexOf(address)).toBeGreaterThan(body.indexOf('/s/assets/'));
    const sheet = await get(address);
    expect([sheet.statusCode, sheet.headers['content-type'], sheet.body]).toEqual([
      ...[200, 'text/css; charset=utf-8', css],
    ]);
  });

  test('a changed style sheet has a different URL', async () => {
    const before = addressIn((await get(`/s/${flow}`)).body, 'styles');
    await api.toolkit.flows.update(flow, { css: `${css}h1{color:green}` });
    const after = addressIn((await get(`/s/${flow}`)).body, 'styles');
    expect(after).not.toBe(before);
    expect((await get(after)).body).toContain('h1{color:green}');
  });

  test('a flow without a style sheet and a company without a logo link neither', async () => {
    const { body } = await get(`/s/${plain}`);
    expect(addressIn(body, 'styles')).toBe('');
    expect(addressIn(body, 'logos')).toBe('');
    expect((await get(`/s/logos/${plain}`)).statusCode).toBe(404);
  });

  test('shows the logo at the top of the form and of the signing page', async () => {
    await api.toolkit.setLogo(logo);
    const { key, signees } = await api.toolkit.processes.create({
      flowKey: plain,
      pdf: readFileSync(new URL('../../fixtures/pdf/agreement.pdf', import.meta.url)),
      signees: [{ name: 'Anna', email: 'anna@example.com', signatureType: 'ClickToSign' }],
    });
    for (const url of [`/s/${plain}`, `/s/${key}/${signees[0]?.key}`]) {
      const { body } = await get(url);
      const picture = await get(addressIn(body, 'logos'));
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
      expect(picture.rawPayload.equals(logo)).toBe(true);
    }
    await api.toolkit.setLogo(undefined);
  });

  test.each(['styles', 'logos'])('answers 404 for %s of an unknown flow', async (folder) => {
    for (const key of ['none', '%00', '..%2f..']) {
      expect((await get(`/s/${folder}/${key}`)).statusCode).toBe(404);
    }
  });
});
