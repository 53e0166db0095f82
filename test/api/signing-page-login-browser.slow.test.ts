import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';
import { browserMissing } from './support/browser.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { contextOf, keepScreen, onStage, pageFaults, views } from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const odon = {
  ...{ ...einar, email: 'o@example.test', signatureType: 'ClickToSign' },
  ...{ communicationDeliveryType: 'Email', language: 'En' },
};
/** A test person who never responds. */
const silent = { ...odon, name: 'Silent', ssn: '0103901419', phoneNumber: '0100014' };
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;

describe.skipIf(browserMissing !== undefined)(
  `logging in by a scanned code in a browser${why}`,
  () => {
    let api: IdentityApi;
    let base = '';
    let browser: Browser;
    onStage(openIdentityApi, (stage) => {
      ({ api, base, browser } = stage);
    });

    const logIn = async (page: Page, label: string) => {
      await page.getByLabel(label).check();
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('img.qr').waitFor();
    };
    /** The content of the code on the screen. */
    const scan = async (page: Page) => {
      const file = join(newTemporaryFolder('qr'), 'code.png');
      await page.screenshot({ path: file, fullPage: true });
      return execFileSync('zbarimg', ['-q', '--raw', file], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    };

    const ways = [
      ['BankID (Sverige)', /^eid-simulator\.\w+\.\d+\./],
      ['Electronic ID in an app that scans a code', /^https:.*deviceLinkType=QR/],
    ] as const;

    test.each(ways)(
      '%s: the code can be scanned, and is refreshed in place',
      async (label, text) => {
        const place = await api.process(silent, { requiresAuth: true });
        const page = await browser.newPage({ baseURL: base });
        page.setDefaultTimeout(8_000);
        const said: string[] = [];
        page.on('console', (message) => said.push(message.text()));
        page.on('pageerror', (error) => said.push(error.message));
        await page.goto(linkOf(place));
        await logIn(page, label);
        const first = await scan(page);
        expect(first).toMatch(text);
        const left = page.locator('[data-left]');
        const before = await left.textContent();
        expect(before).toMatch(/^\d+ seconds left$/);
        await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
        const code = await page.locator('img.qr').getAttribute('src');
        const newer = () => page.locator('img.qr').getAttribute('src');
        await expect.poll(newer, { timeout: 8_000 }).not.toBe(code);
        expect(await scan(page)).not.toBe(first);
        expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
        expect(await left.textContent()).not.toBe(before);
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Log in' }).waitFor();
        expect(said).toEqual([]);
        await page.close();
      },
      60_000,
    );

    test.each(ways)(
      '%s: a person who has responded can sign',
      async (label) => {
        const place = await api.process(odon, { requiresAuth: true });
        const page = await browser.newPage({ baseURL: base });
        page.setDefaultTimeout(8_000);
        await page.goto(linkOf(place));
        await logIn(page, label);
        const isIn = async () => {
          api.answer();
          return page.getByRole('checkbox').count();
        };
        await expect.poll(isIn, { timeout: 20_000, interval: 1_000 }).toBe(1);
        await page.getByRole('checkbox').check();
        await page.getByRole('button', { name: 'Sign the document' }).click();
        await page.getByRole('heading', { name: 'You have signed' }).waitFor();
        await page.close();
      },
      60_000,
    );

    test.each(views)(
      'axe finds no fault at $width px, $colorScheme',
      async (view) => {
        const place = await api.process(odon, { requiresAuth: true });
        const page = await browser.newPage({ baseURL: base, ...contextOf(view) });
        const check = async (name: string) => {
          await keepScreen(page, name, view);
          expect([name, await pageFaults(page)]).toEqual([name, []]);
        };
        await page.goto(linkOf(place));
        await check('login');
        await logIn(page, 'Electronic ID in an app that scans a code');
        await check('login-code');
        await page.close();
      },
      60_000,
    );
  },
);
