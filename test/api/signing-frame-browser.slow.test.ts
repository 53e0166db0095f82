import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTestPki } from '../support/pki.ts';
import { serveTls } from '../support/tls.ts';
import { browserMissing } from './support/browser.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { launchBrowser, openListened, openPage } from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const anna = {
  ...{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' },
  ...{ communicationDeliveryType: 'Email', language: 'En' },
};
const bo = { ...anna, name: 'Bo', email: 'bo@example.test' };
const odon = { ...anna, ...einar, email: 'o@example.test', signatureType: 'Qualified' };
const sign = 'form:has([value="sign"]) button:not([type="button"])';
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
const embed = readFileSync(new URL('../../dist/embed.js', import.meta.url));
const example = readFileSync(new URL('../../docs/examples/embed.html', import.meta.url), 'utf8');

/** The web site of a company: the example of the documentation, with a link from its query. */
function answerAsSite({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://x');
  const isScript = pathname === '/embed.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
  const link = searchParams.get('link') ?? '';
  const page = example.replace('https://sign.example.com/s/PROCESS/SIGNEE', link);
  response.end(isScript ? embed : page);
}

/** Events received by the example, in order. */
const heard = async (page: Page): Promise<{ readonly type: string; readonly height?: number }[]> =>
  (await page.locator('ol li').allTextContents()).map((text) => JSON.parse(text));
const told = async (page: Page) =>
  (await heard(page)).filter(({ type }) => type !== 'ready' && type !== 'resize');

describe.skipIf(browserMissing !== undefined)(
  `the embedded signing page in a browser${why}`,
  () => {
    let api: IdentityApi;
    let base = '';
    let origin = '';
    let browser: Browser;
    const site = createServer(answerAsSite);
    beforeAll(async () => {
      api = await openIdentityApi();
      // One machine and two origins: over http, browsers accept cookies of a frame only for its own
      // site.
      base = await api.app.listen({ host: '127.0.0.1', port: 0 });
      base = base.replace('127.0.0.1', 'localhost');
      site.listen(0, '127.0.0.1');
      await once(site, 'listening');
      origin = `http://localhost:${(site.address() as AddressInfo).port}`;
      await api.toolkit.addOrigins([origin]);
      browser = await launchBrowser();
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      site.closeAllConnections();
      site.close();
      await api?.close();
    });

    const embedded = (path: string, from = base) =>
      `/?link=${encodeURIComponent(`${from}${path}`)}`;
    const digestOf = async (processKey: string) =>
      createHash('sha256')
        .update(await api.toolkit.processes.document(processKey))
        .digest('base64');

    test('its script is at most 3 KiB compressed', () => {
      expect(gzipSync(embed).length).toBeLessThanOrEqual(3 * 1024);
    });

    test('a signature by click posts ready, resize and the published events, in order', async () => {
      const place = await api.process(anna);
      const page = await openPage(browser, origin, embedded(linkOf(place)));
      const frame = page.frameLocator('iframe');
      await frame.getByRole('checkbox').check();
      const before = await heard(page);
      expect(before[0]).toEqual({ v: 1, type: 'ready' });
      const height = await page.locator('iframe').evaluate((each) => each.clientHeight);
      expect(before.at(-1)).toEqual({ v: 1, type: 'resize', height });
      expect(height).not.toBe(700);
      await frame.locator(sign).click();
      await page.getByText('Thank you. We have your signature.').waitFor();
      const { processKey, signeeKey } = place;
      const digest = await digestOf(processKey);
      const keys = { v: 1, processKey, signeeKey };
      expect(await told(page)).toEqual([
        { ...keys, type: 'document_signed', signedDocument: { digest, fileName: 'Samningur.pdf' } },
        { ...keys, type: 'signing_completed' },
      ]);
      await page.reload();
      await page.getByText('You have signed already.').waitFor();
      expect(await told(page)).toEqual([{ ...keys, type: 'already_signed' }]);
    }, 60_000);

    test('a signature by e-ID: the last event includes the document', async () => {
      const place = await api.process(odon);
      const page = await openPage(browser, origin, embedded(linkOf(place)));
      const frame = page.frameLocator('iframe');
      await frame.getByText('Your number is already known').first().waitFor();
      expect(await frame.getByLabel('Phone number').count()).toBe(0);
      await frame.getByRole('checkbox').first().check();
      await frame.getByRole('button', { name: 'Continue with electronic ID' }).first().click();
      await frame.locator('.code').waitFor();
      api.answer();
      await page.getByText('Thank you. We have your signature.').waitFor();
      const events = await told(page);
      expect(events.map(({ type }) => type)).toEqual(['document_signed', 'signing_completed']);
      const [first, last] = events as { signedDocument?: { fileName: string } }[];
      expect(first?.signedDocument?.fileName).toBe('Samningur.pdf');
      expect(last?.signedDocument).toEqual(first?.signedDocument);
    }, 60_000);

    test('a sequence posts one event per document, and one at the end', async () => {
      const made = await api.sequence([anna]);
      const page = await openPage(
        browser,
        origin,
        embedded(`/s/${made.sequenceKey}/${made.personKeys[0]}`),
      );
      const frame = page.frameLocator('iframe');
      for (const count of [1, 2]) {
        await frame.getByText(`Document ${count} of 2`).waitFor();
        await frame.getByRole('checkbox').check();
        await frame.locator(sign).click();
      }
      await page.getByText('Thank you. We have your signature.').waitFor();
      const events = (await told(page)) as { type: string; processKey: string }[];
      expect(events.map(({ type }) => type)).toEqual([
        ...['document_signed', 'document_signed', 'signing_completed'],
      ]);
      const keys = made.processes.map(({ key }) => key);
      expect(events.map(({ processKey }) => processKey)).toEqual([...keys, keys[1]]);
    }, 60_000);

    test.each([
      [
        'process_canceled',
        async ({ processKey: key }: Place) => {
          await api.toolkit.processes.cancel({ key, by: 'owner@example.test' });
        },
      ],
      [
        'process_blocked',
        async ({ processKey, signeeKeys: [, signeeKey = ''] }: Place) => {
          await api.toolkit.signing.decline({ processKey, signeeKey }, 'No.');
        },
      ],
      [
        'process_expired',
        async () => {
          api.pass(31 * 86_400_000);
          await api.toolkit.runDueJobs();
        },
      ],
    ])(
      'posts the event %s',
      async (type, end) => {
        const settings = { mayDecline: true };
        const offers = { name: 'Offers', type: 'DropAndSign', settings } as const;
        const { key: flowKey } = await api.toolkit.flows.create(offers);
        const place = await api.process([anna, bo], { flowKey });
        await end(place);
        const page = await openPage(browser, origin, embedded(linkOf(place)));
        await expect.poll(() => told(page)).toHaveLength(1);
        const { processKey, signeeKey } = place;
        expect(await told(page)).toEqual([{ v: 1, type, processKey, signeeKey }]);
      },
      60_000,
    );

    test('is not shown to an unregistered origin', async () => {
      await api.toolkit.removeOrigins([origin]);
      const place = await api.process(anna);
      const { page, said } = await openListened(browser, origin, embedded(linkOf(place)));
      await expect.poll(() => said.join()).toContain('frame-ancestors');
      expect(await page.frameLocator('iframe').getByText('asks you to sign').count()).toBe(0);
      expect(await heard(page)).toEqual([]);
      await api.toolkit.addOrigins([origin]);
    }, 60_000);
  },
);

describe.skipIf(browserMissing !== undefined)(
  `the signing page in a cross-site frame${why}`,
  () => {
    test('signs after a login although the browser stores no third-party cookies', async () => {
      const api = await openIdentityApi({}, { INNSIGLI_FRONT_END: 'https://sign.example' });
      const base = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
      const pki = makeTestPki();
      const server = await serveTls(
        pki,
        (given, response) => {
          const { method, url, headers } = given;
          if (String(headers['host']).startsWith('shop.test')) return answerAsSite(given, response);
          // An unpartitioned cookie, to check that the browser does not send it in frames.
          const forwarded = request(
            { ...{ port: base.port, method, path: url, headers } },
            (found) => {
              const cookies = [found.headers['set-cookie'] ?? []].flat();
              const control = 'control=1; Path=/; Secure; SameSite=None';
              const all = { ...found.headers, 'set-cookie': [...cookies, control] };
              response.writeHead(found.statusCode ?? 500, all);
              found.pipe(response);
            },
          );
          given.pipe(forwarded);
        },
        { asks: false },
      );
      const { port } = new URL(server.url);
      const [shop, signing] = [`https://shop.test:${port}`, `https://sign.example:${port}`];
      await api.toolkit.addOrigins([shop]);
      const browser = await launchBrowser(
        '--host-resolver-rules=MAP shop.test 127.0.0.1,MAP sign.example 127.0.0.1',
        '--test-third-party-cookie-phaseout',
      );
      try {
        const place = await api.process(odon, { requiresAuth: true });
        const link = encodeURIComponent(`${signing}${linkOf(place)}`);
        const page = await openPage(browser, shop, `/?link=${link}`, { ignoreHTTPSErrors: true });
        const frame = page.frameLocator('iframe');
        for (const name of ['Log in', 'Continue with electronic ID']) {
          if (name !== 'Log in') await frame.getByRole('checkbox').first().check();
          await frame.getByRole('button', { name }).first().click();
          await frame.locator('.code').waitFor();
          api.answer();
          if (name === 'Log in') await frame.getByText('Samningur.pdf').waitFor();
        }
        await page.getByText('Thank you. We have your signature.').waitFor();
        const sent = server.seen
          .filter(
            ({ headers, method }) =>
              String(headers['host']).startsWith('sign.') && method === 'POST',
          )
          .map(({ headers }) => String(headers['cookie']));
        expect(sent.length).toBeGreaterThan(1);
        for (const cookies of sent) expect(cookies).toContain('__Host-innsigli-form=');
        for (const cookies of sent) expect(cookies).not.toContain('control=');
        const kept = await page.context().cookies(signing);
        const own = kept.filter(({ name }) => name.startsWith('__Host-innsigli-'));
        expect(own.map(({ sameSite, secure, httpOnly }) => [sameSite, secure, httpOnly])).toEqual(
          own.map(() => ['None', true, true]),
        );
      } finally {
        await browser.close();
        await api.close();
      }
    }, 90_000);
  },
);
