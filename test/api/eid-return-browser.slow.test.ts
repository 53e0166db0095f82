import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IndependentProvider,
  independentProvider,
} from '../support/eid/oidc/independent-provider.ts';
import { keyNamed, person } from '../support/eid/oidc/oidc-bench.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { browserMissing } from './support/browser.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';
import { launchBrowser } from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const clientId = 'client-1';
const secret = 'a secret of the client';

/** A free port: the provider must know the URL before the service listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe.skipIf(browserMissing !== undefined)(
  `login at an independent OpenID provider in a browser${why}`,
  () => {
    const folder = newTemporaryFolder('oidc');
    let base = '';
    let provider: IndependentProvider;
    let api: IdentityApi;
    let browser: Browser;

    beforeAll(async () => {
      base = `http://127.0.0.1:${await freePort()}`;
      const redirectUri = `${base}/s/eid/callback`;
      const key = keyNamed('provider RS256', 'RS256');
      const { loa: _, ...claims } = person;
      provider = await independentProvider(
        {
          ...{ client_id: clientId, client_secret: secret, redirect_uris: [redirectUri] },
          ...{ application_type: 'native' },
        },
        claims,
        [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, alg: 'RS256', use: 'sig' }],
      );
      provider.asks = true;
      writeFileSync(join(folder, 'secret'), secret);
      const broker = {
        ...{ driver: 'oidc', issuer: provider.issuer, clientId, redirectUri },
        clientAuthentication: { method: 'client_secret_basic', secretFile: 'secret' },
        overrides: {
          scopes: ['openid', 'profile', 'national_id'],
          parameters: { prompt: 'login', ui_locales: '{language}' },
        },
      };
      const content = { providers: { broker }, methods: { 'eid-se': 'broker' } };
      const file = join(folder, 'eid.json');
      writeFileSync(file, JSON.stringify(content));
      api = await openIdentityApi({}, { INNSIGLI_EID: file, INNSIGLI_FRONT_END: base });
      await api.app.listen({ host: '127.0.0.1', port: Number(new URL(base).port) });
      browser = await launchBrowser();
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await api?.close();
      await provider?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const start = async () => {
      const reply = await api.post('/auth/eid-se/start', { flowKey: api.flowKey });
      expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
      return reply.body as { readonly token: string; readonly redirectUrl: string };
    };
    const status = async (token: string) => {
      api.pass(3_000);
      return api.get(`/auth/eid-se/status/token/${token}?FlowKey=${api.flowKey}`);
    };
    const waits = { status: 200, body: { waitingForUserInput: true } };
    const done = { status: 200, body: { customer: { ssn: '1201603389', name: person.name } } };

    /** The provider's page in a separate browser context, with the messages of its console. */
    const open = async (redirectUrl: string) => {
      const context = await browser.newContext({ locale: 'en' });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const said: string[] = [];
      page.on('console', (message) => {
        const { url } = message.location();
        if (url.startsWith(base)) said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(error.message));
      await page.goto(redirectUrl);
      return { context, page, said };
    };
    /** Presses the button until the browser has returned, or would have. */
    const goOn = async (page: Page, isBack: () => boolean) => {
      for (let press = 0; press < 4 && !isBack(); press++) {
        await page.getByRole('button', { name: 'Go on' }).click();
        await page.waitForLoadState();
      }
    };
    const cameBack = (page: Page) => page.url().startsWith(`${base}/s/eid/callback`);
    /** The callback URL of a person who approves; it never reaches the service. */
    const caught = async (redirectUrl: string): Promise<[URL, BrowserContext]> => {
      const { context, page } = await open(redirectUrl);
      let address: string | undefined;
      // Routes of Playwright do not intercept redirects.
      const tools = await context.newCDPSession(page);
      tools.on('Fetch.requestPaused', ({ requestId, request }) => {
        address = request.url;
        void tools.send('Fetch.fulfillRequest', { requestId, responseCode: 200 });
      });
      await tools.send('Fetch.enable', { patterns: [{ urlPattern: `${base}/s/eid/callback*` }] });
      await goOn(page, () => address !== undefined);
      return [new URL(address ?? 'missing:'), context];
    };

    test('a person who approves there returns, and the poll yields that person', async () => {
      const { token, redirectUrl } = await start();
      expect(await status(token)).toMatchObject(waits);
      const { context, page, said } = await open(redirectUrl);
      await goOn(page, () => cameBack(page));
      expect(await page.locator('body').textContent()).toContain('You can close this window.');
      expect(said).toEqual([]);
      const own = (await context.cookies()).filter(({ path }) => path.startsWith('/s/'));
      expect(own).toEqual([]);
      expect(await status(token)).toMatchObject(done);
      // The Back button or a reload sends the same URL again.
      await page.reload();
      expect(await page.locator('body').textContent()).not.toContain(person.name);
      expect(await status(token)).toMatchObject(done);
      await context.close();
    }, 60_000);

    test('a person who denies has cancelled the login', async () => {
      const { token, redirectUrl } = await start();
      const { context, page } = await open(redirectUrl);
      provider.agrees = false;
      await goOn(page, () => cameBack(page));
      provider.agrees = true;
      const { status: code, body } = await status(token);
      expect([code, body.responseStatus?.errorCode ?? body.errorCode]).toEqual([403, 'userCancel']);
      await context.close();
    }, 60_000);

    test.each([
      ['an unknown state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
      ['no state', (url: URL) => url.searchParams.delete('state')],
      ['a different issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
      ['no issuer', (url: URL) => url.searchParams.delete('iss')],
      ['two codes', (url: URL) => url.searchParams.append('code', 'stolen')],
    ])(
      'a callback with %s is rejected and does not use up the login',
      async (_, change) => {
        const { token, redirectUrl } = await start();
        const [url, context] = await caught(redirectUrl);
        const changed = new URL(url);
        change(changed);
        const page = await context.newPage();
        expect((await page.goto(changed.href))?.status()).toBeGreaterThanOrEqual(400);
        expect(await status(token)).toMatchObject(waits);
        // Rejected attempts use up nothing.
        expect((await page.goto(url.href))?.status()).toBe(200);
        expect(await status(token)).toMatchObject(done);
        await context.close();
      },
      60_000,
    );

    test('the code of one login with the state of another identifies no one', async () => {
      const victim = await start();
      const attacker = await start();
      const [stolen, context] = await caught(attacker.redirectUrl);
      const [own, other] = await caught(victim.redirectUrl);
      const mixed = new URL(own);
      mixed.searchParams.set('code', stolen.searchParams.get('code') ?? '');
      const page = await context.newPage();
      await page.goto(mixed.href);
      expect((await status(victim.token)).status).toBe(403);
      expect(await status(attacker.token)).toMatchObject(waits);
      await Promise.all([context.close(), other.close()]);
    }, 60_000);

    test("a callback URL planted by a stranger logs the victim's browser in nowhere", async () => {
      const own = await start();
      const stranger = await start();
      const [planted, context] = await caught(stranger.redirectUrl);
      const victim = await browser.newContext();
      const page = await victim.newPage();
      expect((await page.goto(planted.href))?.status()).toBe(200);
      expect(await victim.cookies()).toEqual([]);
      expect(await status(own.token)).toMatchObject(waits);
      await Promise.all([context.close(), victim.close()]);
    }, 60_000);
  },
);
