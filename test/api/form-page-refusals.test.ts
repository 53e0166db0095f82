import { readFileSync } from 'node:fs';
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

/** A flow whose form is open. */
async function openFlow(settings: object = {}): Promise<string> {
  const wish = {
    ...{ name: 'Paper', type: 'FillAndSign', language: 'En' },
    settings: { initiationMethod: 'Customer', signatureType: 'ClickToSign', ...settings },
  };
  return (await api.toolkit.flows.create(wish, form)).key;
}

describe('a refusal of a page is a page', () => {
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
