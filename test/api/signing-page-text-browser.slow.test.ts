import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/domain/message/index.ts';
import { browserMissing } from './support/browser.ts';
import { type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { newestSms } from './support/outbox.ts';
import {
  contextOf,
  excessWidth,
  keepScreen,
  onStage,
  openListened,
  pageFaults,
  views,
} from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const anna = {
  ...{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' },
  ...{ communicationDeliveryType: 'Email', language: 'En' },
};
const coded = { ...anna, signatureType: 'Simple', phoneNumber: '5812345' };
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
const asText = { name: 'Read as text' };

describe.skipIf(browserMissing !== undefined)(
  `the text view of a document in a browser${why}`,
  () => {
    let api: IdentityApi;
    let base = '';
    let browser: Browser;
    onStage(openIdentityApi, (stage) => {
      ({ api, base, browser } = stage);
    });

    test.each([
      ['a click', anna],
      ['a code', coded],
    ])(
      'is read, and the document signed by %s, without scripts',
      async (way, signee) => {
        const place = await api.process(signee);
        const { page, said } = await openListened(browser, base, linkOf(place), {
          javaScriptEnabled: false,
        });
        await page.getByRole('button', asText).click();
        await page.getByRole('heading', { name: 'Page 1 of 1' }).waitFor();
        const { document, signees } = await api.toolkit.processes.show({ key: place.processKey });
        expect(signees[0]?.viewedSha256).toBe(document?.sha256);
        await page.getByText('each further terabyte costs 95 euro a month.').waitFor();
        expect(await page.locator('code').textContent()).toBe(document?.sha256);
        expect(await page.locator('section [lang]').first().getAttribute('lang')).toBe('en');
        await page.getByRole('link', { name: 'Back to signing' }).click();
        if (way === 'a code') {
          await page.getByRole('button', { name: 'Send the code' }).click();
          await page.getByLabel('Code from the text message').waitFor();
          await api.toolkit.runDueJobs();
          await page.getByLabel('Code from the text message').fill(newestSms(api.dataDir));
        }
        await page.getByRole('checkbox').check();
        const button = way === 'a code' ? 'Sign with the code' : 'Sign the document';
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('heading', { name: 'You have signed' }).waitFor();
        expect(said).toEqual([]);
      },
      90_000,
    );

    test.each(views)(
      'axe finds no fault at $width px, $colorScheme',
      async (view) => {
        const place = await api.process(anna);
        const { page } = await openListened(browser, base, linkOf(place), contextOf(view));
        await page.getByRole('button', asText).click();
        await page.getByRole('heading', { name: 'Page 1 of 1' }).waitFor();
        expect(await pageFaults(page)).toEqual([]);
        await keepScreen(page, 'text', view);
        // On paper only the text remains.
        await page.emulateMedia({ media: 'print' });
        expect(await page.getByText('Back to signing').isVisible()).toBe(false);
        expect(await page.getByText('Page 1 of 1').isVisible()).toBe(true);
      },
      60_000,
    );

    test('fits a phone in every language', async () => {
      const place = await api.process(anna);
      const viewport = { width: 320, height: 800 };
      const { page } = await openListened(browser, base, linkOf(place), { viewport });
      await page.getByRole('button', asText).click();
      await page.getByRole('heading', { name: 'Page 1 of 1' }).waitFor();
      const address = page.url();
      for (const language of languages) {
        await page.goto(`${address}?lng=${language.toLowerCase()}`);
        expect([language, await excessWidth(page)]).toEqual([language, 0]);
      }
    }, 90_000);
  },
);
