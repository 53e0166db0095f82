import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/domain/message/index.ts';
import { noisePdf } from '../support/noise-pdf.mjs';
import { browserMissing } from './support/browser.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
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
const bo = { ...anna, name: 'Bo', email: 'bo@example.test', phoneNumber: '5812345' };
const coded = { ...bo, signatureType: 'Simple' };
const odon = { ...anna, ...einar, email: 'o@example.test', signatureType: 'Qualified' };
const sign = 'form:has([value="sign"]) button:not([type="button"])';
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;

describe.skipIf(browserMissing !== undefined)(`the signing page in a browser${why}`, () => {
  let api: IdentityApi;
  let base = '';
  let browser: Browser;
  onStage(openIdentityApi, (stage) => {
    ({ api, base, browser } = stage);
  });

  const visit = (path: string, options: BrowserContextOptions = {}) =>
    openListened(browser, base, path, options);
  const title = (page: Page) => page.textContent('h1');

  test('three people sign a sequence: by click, by code and by e-ID', async () => {
    const made = await api.sequence([anna, coded, odon]);
    const link = (at: number) => `/s/${made.sequenceKey}/${made.personKeys[at]}`;
    const first = (await visit(link(0))).page;
    for (const count of [1, 2]) {
      await first.getByText(`Document ${count} of 2`).waitFor();
      await first.getByRole('button', { name: 'Read the document' }).click();
      await first.locator('.sheet canvas').waitFor();
      await first.getByRole('checkbox').check();
      await first.click(sign);
    }
    await first.getByRole('heading', { name: 'You have signed' }).waitFor();
    const second = (await visit(link(1))).page;
    for (const count of [1, 2]) {
      await second.getByText(`Document ${count} of 2`).waitFor();
      await second.getByRole('button', { name: 'Send the code' }).click();
      await second.getByLabel('Code from the text message').waitFor();
      await api.toolkit.runDueJobs();
      await second.getByLabel('Code from the text message').fill(newestSms(api.dataDir));
      await second.getByRole('checkbox').check();
      await second.getByRole('button', { name: 'Sign with the code' }).click();
    }
    await second.getByRole('heading', { name: 'You have signed' }).waitFor();
    const third = (await visit(link(2))).page;
    for (const count of [1, 2]) {
      await third.getByText(`Document ${count} of 2`).waitFor();
      await third.getByRole('checkbox').first().check();
      await third.getByRole('button', { name: 'Continue with electronic ID' }).first().click();
      await third.locator('.code').waitFor();
      // The page polls by itself.
      api.answer();
    }
    await third.getByRole('heading', { name: 'You have signed' }).waitFor();
    await api.toolkit.runDueJobs();
    await third.reload();
    await third.getByText('Everyone has signed.').waitFor();
    for (const { key } of made.processes) {
      expect((await api.toolkit.processes.show({ key })).status).toBe('Completed');
    }
  }, 90_000);

  test('works by keyboard alone: read, agree, sign', async () => {
    const place = await api.process(anna);
    const { page, said } = await visit(linkOf(place));
    const tabTo = async (isThere: (focus: { type: string; name: string }) => boolean) => {
      for (let count = 0; count < 20; count++) {
        await page.keyboard.press('Tab');
        const focus = await page.evaluate(() => {
          // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
          const { activeElement } = (globalThis as any).document;
          return { type: activeElement.type, name: activeElement.textContent };
        });
        if (isThere(focus)) return;
      }
      throw new Error('the keyboard does not come there');
    };
    await tabTo(({ name }) => name === 'Read the document');
    await page.keyboard.press('Enter');
    await page.locator('.sheet canvas').waitFor();
    await page.locator('.textLayer span').first().waitFor();
    expect(await page.locator('[role=status]').textContent()).toBe('Page 1 of 1');
    await tabTo(({ type }) => type === 'checkbox');
    await page.keyboard.press('Space');
    await tabTo(({ name }) => name === 'Sign the document');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    expect(said).toEqual([]);
  }, 60_000);

  /** Opens a document of many pages in the reader, and counts the bytes received. */
  const readLong = async (signees: readonly object[]) => {
    const long = await noisePdf(40, 90_000);
    const place = await api.process(signees, { pdfDocument: long.toString('base64') });
    const { page, said } = await visit(linkOf(place));
    let received = 0;
    page.on('response', async (response) => {
      if (!response.url().includes('/documents/')) return;
      received += Number(response.headers()['content-length'] ?? 0);
    });
    await page.getByRole('button', { name: 'Read the document' }).click();
    await page.locator('.sheet canvas').first().waitFor();
    return { place, page, said, lengthBytes: long.length, received: () => received };
  };
  const scrollTo = (page: Page, share: number) =>
    page.locator('.pages').evaluate((box, part) => {
      box.scrollTop = part * box.scrollHeight;
    }, share);

  test('shows the page number on one line on a phone, in every language', async () => {
    const long = await noisePdf(60, 1000);
    const place = await api.process(anna, { pdfDocument: long.toString('base64') });
    for (const language of languages) {
      const path = `${linkOf(place)}?lng=${language.toLowerCase()}`;
      const { page } = await visit(path, { viewport: { width: 320, height: 800 } });
      await page.locator('[data-read] button').click();
      await page.locator('.bar [role=status]').waitFor();
      const lines = await page.locator('.bar [role=status]').evaluate((state) => {
        // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
        const style = (globalThis as any).getComputedStyle(state);
        return Math.round(state.clientHeight / Number.parseFloat(style.lineHeight));
      });
      expect([language, lines, await excessWidth(page)]).toEqual([language, 1, 0]);
      await page.context().close();
    }
  }, 120_000);

  test('loads only the ranges of a long document that are shown', async () => {
    const { page, said, lengthBytes, received } = await readLong([anna]);
    await page.getByText('Page 1 of 40').waitFor();
    expect(received()).toBeLessThan(lengthBytes / 3);
    await scrollTo(page, 0.99);
    await page.locator('.sheet[data-page="40"] canvas').waitFor();
    await expect.poll(() => page.locator('.sheet[data-page="1"] canvas').count()).toBe(0);
    expect(received()).toBeLessThan(lengthBytes / 2);
    expect(said).toEqual([]);
  }, 60_000);

  test('stops reading a document that has changed, and can read it again', async () => {
    const { place, page } = await readLong([anna, bo]);
    const other = place.signeeKeys[1] ?? '';
    await api.toolkit.signing.signByClick({ processKey: place.processKey, signeeKey: other });
    // The same link in a second window reads the current document: that becomes the shown one.
    await api.toolkit.signing.view({ processKey: place.processKey, signeeKey: place.signeeKey });
    await scrollTo(page, 0.99);
    await page.getByText('The document has changed since you read it.').waitFor();
    expect(await page.locator('.sheet').count()).toBe(0);
    await page.getByRole('button', { name: 'Read the document' }).click();
    await page.locator('.sheet canvas').first().waitFor();
    await page.getByRole('checkbox').check();
    await page.click(sign);
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
  }, 60_000);

  test('also signs what others have signed after it was read', async () => {
    const place = await api.process([anna, bo]);
    const { page } = await visit(linkOf(place));
    await page.getByRole('button', { name: 'Read the document' }).click();
    await page.locator('.sheet canvas').waitFor();
    const other = place.signeeKeys[1] ?? '';
    await api.toolkit.signing.signByClick({ processKey: place.processKey, signeeKey: other });
    await page.getByRole('checkbox').check();
    await page.click(sign);
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
  }, 60_000);

  test('reports a reader that cannot be loaded, and enables the button again', async () => {
    const place = await api.process(anna);
    const { page } = await visit(linkOf(place));
    await page.route('**/pdf.worker.min.mjs', (route) => route.abort());
    await page.getByRole('button', { name: 'Read the document' }).click();
    await page.getByText('The document cannot be shown here.').waitFor();
    expect(await page.getByRole('button', { name: 'Read the document' }).isEnabled()).toBe(true);
  }, 60_000);

  test('a double click signs once, and two windows do not sign twice', async () => {
    const place = await api.process([anna, bo]);
    const { page } = await visit(linkOf(place));
    const other = await page.context().newPage();
    await other.goto(`${base}${linkOf(place)}`);
    await page.getByRole('checkbox').check();
    await page.dblclick(sign);
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    await other.getByRole('checkbox').check();
    await other.click(sign);
    await other.getByRole('heading', { name: 'You have signed' }).waitFor();
    const { signees, documentRev } = await api.toolkit.processes.show({ key: place.processKey });
    expect([signees[0]?.state, documentRev]).toEqual(['Signed', 1]);
    await page.goBack();
    expect(await title(page)).toBe('You have signed');
  }, 60_000);

  test.each(views)(
    'axe finds no fault at $width px, $colorScheme',
    async (view) => {
      const check = async (
        name: string,
        path: string,
        act?: (page: Page) => Promise<void>,
      ): Promise<void> => {
        const { page } = await visit(path, contextOf(view));
        await act?.(page);
        await keepScreen(page, name, view);
        expect([name, await pageFaults(page)]).toEqual([name, []]);
        await page.context().close();
      };
      const open = await api.process(anna, { user: 'owner@example.test' });
      await check('click', linkOf(open));
      await check('read', linkOf(open), async (page) => {
        await page.getByRole('button', { name: 'Read the document' }).click();
        await page.locator('.textLayer span').first().waitFor();
      });
      await check('code', linkOf(await api.process(coded)), async (page) => {
        await page.getByRole('button', { name: 'Send the code' }).click();
        await page.getByLabel('Code from the text message').waitFor();
      });
      const qualified = await api.process(odon);
      await check('e-id', linkOf(qualified));
      await check('waiting', linkOf(await api.process(odon)), async (page) => {
        await page.getByRole('checkbox').first().check();
        await page.getByRole('button', { name: 'Continue with electronic ID' }).first().click();
        await page.locator('.code').waitFor();
      });
      await check('signed', linkOf(await api.process([anna, bo])), async (page) => {
        await page.getByRole('checkbox').check();
        await page.click(sign);
        await page.getByRole('heading', { name: 'You have signed' }).waitFor();
      });
      await check('login', linkOf(await api.process(odon, { requiresAuth: true })));
      const behind = await api.sequence([{ ...anna, passcode: 'long enough' }]);
      await check('passcode', `/s/${behind.sequenceKey}/${behind.personKeys[0]}`);
      await check('unknown', '/s/sp00/si00');
      await api.toolkit.processes.cancel({ key: open.processKey, by: 'owner@example.test' });
      await check('canceled', linkOf(open));
      await check('unsubscribe', `${linkOf(qualified)}/unsubscribe`);
    },
    120_000,
  );

  test.each(languages)(
    '%s fits a phone of 320 px',
    async (language) => {
      for (const signee of [anna, coded, odon]) {
        const place = await api.process({ ...signee, language });
        const { page } = await visit(linkOf(place), { viewport: { width: 320, height: 640 } });
        expect(await excessWidth(page)).toBe(0);
        await page.context().close();
      }
    },
    60_000,
  );
});
