import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { browserMissing } from './support/browser.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';
import { contextOf, keepScreen, onStage, pageFaults, views } from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;

describe.skipIf(browserMissing !== undefined)(
  `logging in for another site, in a browser${why}`,
  () => {
    let api: IdentityApi;
    let base = '';
    let flowKey = '';
    let site: Server;
    let origin = '';
    let browser: Browser;
    /** The person responds immediately. */
    let isQuick = false;

    /** A site with a login link, which greets the returning person. */
    const answer = async (url: URL): Promise<string> => {
      const { searchParams } = url;
      if (url.pathname === '/') {
        const query = new URLSearchParams({ returnUrl: `${origin}/in`, state: 'of this browser' });
        return `<a href="${base}/s/${flowKey}?${query}">Log in</a>`;
      }
      if (searchParams.get('state') !== 'of this browser') return 'Not ours';
      if (searchParams.has('error')) return `No login: ${searchParams.get('error')}`;
      const code = searchParams.get('result') ?? '';
      const asked = { code, flowKey };
      const { body } = await api.post('/auth/result', asked, { authorization: api.basic });
      return `Hello ${body.customer?.ssn ?? body.errorCode}`;
    };

    onStage(openIdentityApi, async (stage) => {
      ({ api, base, browser } = stage);
      api.app.server.on('request', ({ method }, response) => {
        if (isQuick && method === 'POST') response.once('finish', () => api.answer());
      });
      site = createServer(async ({ url = '/' }, response) => {
        const text = await answer(new URL(url, origin));
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      await api.toolkit.addOrigins([origin]);
      const settings = { initiationMethod: 'Customer' } as const;
      const request = { name: 'My pages', type: 'Auth', language: 'En', settings } as const;
      flowKey = (await api.toolkit.flows.create(request)).key;
    });
    afterAll(() => void site?.close());

    /** Opens the page from the site; its console must stay empty. */
    const visit = async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      await page.goto(origin);
      await page.getByRole('link', { name: 'Log in' }).click();
      await page.getByText('asks you to log in: My pages.').waitFor();
      return { page, said };
    };
    const logIn = async (page: Page, label: string, number = '') => {
      await page.getByLabel(label, { exact: true }).check();
      const fields = page.locator('.own input:visible');
      // The field of the chosen method, and no other.
      expect(await fields.count()).toBe(number === '' ? 0 : 1);
      const name = number.length === 10 ? 'National number' : 'Phone number';
      if (number !== '') await page.getByLabel(name).fill(number);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
    };
    /** The person responds, and the page continues by itself. */
    const isGreeted = async (page: Page) => {
      const text = async () => {
        api.answer();
        return page.textContent('body');
      };
      await expect.poll(text, { timeout: 25_000, interval: 1_000 }).toBe('Hello 6000101994');
    };

    test.each([
      ['Electronic ID in the app', '6000101994'],
      ['Electronic ID on the SIM card', '6666666'],
      ['Electronic ID in an app that scans a code', ''],
      ['BankID (Sverige)', ''],
      ['MitID (Danmark)', ''],
    ])(
      '%s: leads from the site and back, where the person is logged in',
      async (label, number) => {
        const { page, said } = await visit();
        await logIn(page, label, number);
        await isGreeted(page);
        expect(said).toEqual([]);
        await page.context().close();
      },
      60_000,
    );

    test('works without scripts', async () => {
      const { page } = await visit({ javaScriptEnabled: false });
      await logIn(page, 'Electronic ID in the app', '6000101994');
      await page.locator('.code').waitFor();
      await isGreeted(page);
      await page.context().close();
    }, 60_000);

    test('leads straight to the site if the person responds before the page has loaded', async () => {
      const { page, said } = await visit();
      isQuick = true;
      await page.getByLabel('Electronic ID in the app', { exact: true }).check();
      await page.getByLabel('National number').fill('6000101994');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Hello 6000101994').waitFor();
      isQuick = false;
      expect(said).toEqual([]);
      await page.context().close();
    }, 60_000);

    test('works in a frame of the site', async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(20_000);
      await page.goto(origin);
      const query = new URLSearchParams({ returnUrl: `${origin}/in`, state: 'of this browser' });
      const src = `${base}/s/${flowKey}?iframe=true&${query}`;
      await page.evaluate((address) => {
        // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
        const { document } = globalThis as any;
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.replaceChildren(frame);
      }, src);
      const frame = page.frameLocator('iframe');
      await frame.getByLabel('Electronic ID in the app', { exact: true }).check();
      await frame.getByLabel('National number').fill('6000101994');
      await frame.getByRole('button', { name: 'Log in' }).click();
      const text = async () => {
        api.answer();
        return frame.locator('body').textContent();
      };
      await expect.poll(text, { timeout: 25_000, interval: 1_000 }).toBe('Hello 6000101994');
      await page.close();
    }, 60_000);

    test('after Cancel leads back to the site without a login', async () => {
      const { page } = await visit();
      await logIn(page, 'Electronic ID on the SIM card', '0100014');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: /^Back to 127/ }).click();
      await page.getByText('No login: access_denied').waitFor();
      await page.context().close();
    }, 60_000);

    test.each(views)(
      'axe finds no fault at $width px, $colorScheme',
      async (view) => {
        const { page } = await visit(contextOf(view));
        const check = async (name: string) =>
          expect([name, await pageFaults(page)]).toEqual([name, []]);
        await keepScreen(page, 'login-site', view);
        await check('login-site');
        await logIn(page, 'Electronic ID in an app that scans a code');
        await check('code');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('link', { name: /^Back to 127/ }).waitFor();
        await logIn(page, 'Electronic ID on the SIM card', '0100011');
        api.answer();
        await page.getByRole('alert').waitFor();
        await check('refused');
        await page.goto(`${base}/s/${flowKey}?returnUrl=https://evil.example/`);
        await check('wrong link');
        await page.goto(`${base}/s/${flowKey}`);
        await logIn(page, 'Electronic ID in the app', '6000101994');
        api.answer();
        await page.getByText('You can close this window.').waitFor();
        await check('done');
        await page.context().close();
      },
      90_000,
    );
  },
);
