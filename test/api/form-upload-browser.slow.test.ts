import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { languages } from '../../src/domain/message/index.ts';
import { browserMissing } from './support/browser.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';
import {
  contextOf,
  excessWidth,
  keepScreen,
  onStage,
  openPage,
  pageFaults,
  views,
} from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const buffer = readFileSync(new URL('../../fixtures/pdf/agreement.pdf', import.meta.url));
const lease = { name: 'Lease.pdf', mimeType: 'application/pdf', buffer };

describe.skipIf(browserMissing !== undefined)(
  `documents brought by customers, in a browser${why}`,
  () => {
    let api: TestApi;
    let base = '';
    let path = '';
    let browser: Browser;
    onStage(openTestApi, async (stage) => {
      ({ api, base, browser } = stage);
      const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };
      const request = { name: 'Papers', type: 'DropAndSign', language: 'En', settings };
      path = `/s/${(await api.toolkit.flows.create(request)).key}`;
    });

    const visit = (options: BrowserContextOptions = {}, query = '') =>
      openPage(browser, base, `${path}${query}`, options);
    const fillIn = async (page: Page) => {
      await page.getByLabel('Full name').fill('Ödön Kőrösi');
      await page.getByLabel('E-mail address').fill('odon@example.com');
      await page.getByLabel('Phone number').fill('6666666');
    };
    const proceed = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();

    test.each([true, false])(
      'are chosen, sent and shown for signing, scripts: %s',
      async (javaScriptEnabled) => {
        const page = await visit({ javaScriptEnabled });
        await fillIn(page);
        const files = ['Leigu samningur.pdf', 'Keys.pdf'].map((name) => ({ ...lease, name }));
        await page.getByLabel('Document (PDF)').setInputFiles(files);
        await proceed(page);
        await page.getByRole('heading', { name: 'Document to sign' }).waitFor();
        await page.getByText('Ödön Kőrösi has brought this document').waitFor();
        await page.getByText('Leigu samningur.pdf').first().waitFor();
        await page.getByText('Document 1 of 2').waitFor();
        await page.setViewportSize({ width: 320, height: 700 });
        expect(await excessWidth(page)).toBeLessThanOrEqual(0);
        await page.context().close();
      },
      60_000,
    );

    test('must be chosen again when the form is shown again', async () => {
      const page = await visit();
      await fillIn(page);
      const file = page.getByLabel('Document (PDF)');
      await file.setInputFiles({ ...lease, buffer: Buffer.from('no PDF') });
      await proceed(page);
      await page.getByText('This file cannot be signed.').waitFor();
      expect(await file.getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Full name').inputValue()).toBe('Ödön Kőrösi');
      await file.setInputFiles(lease);
      await proceed(page);
      await page.getByRole('heading', { name: 'Document to sign' }).waitFor();
      await page.context().close();
    }, 60_000);

    test.each(views)(
      'axe finds no fault at $width px, $colorScheme',
      async (view) => {
        const page = await visit(contextOf(view));
        await keepScreen(page, 'upload', view);
        expect(await pageFaults(page)).toEqual([]);
        await fillIn(page);
        await page
          .getByLabel('Document (PDF)')
          .setInputFiles({ ...lease, buffer: Buffer.from('x') });
        await proceed(page);
        await page.getByText('This file cannot be signed.').waitFor();
        expect(await pageFaults(page)).toEqual([]);
        await page.context().close();
      },
      60_000,
    );

    test.each(languages)(
      '%s fits a phone of 320 px',
      async (language) => {
        const viewport = { width: 320, height: 640 };
        const page = await visit({ viewport }, `?lng=${language.toLowerCase()}`);
        await page.getByText(pageWords(language).formFile).waitFor();
        expect(await excessWidth(page)).toBe(0);
        await page.context().close();
      },
      60_000,
    );
  },
);
