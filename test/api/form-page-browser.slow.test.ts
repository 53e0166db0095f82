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
const template = {
  v: 1,
  title: 'Loan {{number}}',
  blocks: [
    {
      type: 'values',
      rows: [
        { name: 'Lender', text: '{{lender}}' },
        { name: 'Ends on', text: '{{ends}}' },
        { name: 'Kind', text: '{{kind}}' },
      ],
    },
    { type: 'paragraph', text: 'The loan may be paid back early.', when: 'early' },
    { type: 'paragraph', text: '{{remarks?}}' },
    {
      type: 'table',
      each: 'payments',
      columns: [
        { title: 'Day', text: '{{day}}' },
        { title: 'Amount', text: '{{amount}}' },
      ],
    },
  ],
};
const schema = {
  type: 'object',
  required: ['number', 'lender', 'ends', 'kind'],
  properties: {
    number: { type: 'integer', title: 'Number of the loan' },
    ends: { type: 'string', format: 'date' },
    kind: { enum: ['short', 'long'], description: 'Long loans last more than a year.' },
    early: { type: 'boolean', title: 'May be paid back early' },
    remarks: { type: 'string', maxLength: 1000 },
    payments: { type: 'array', maxItems: 2 },
  },
};
const ownersTemplate = {
  ...{ v: 1, title: '{{firm}}' },
  blocks: [{ type: 'list', each: 'owners', items: ['{{name}}'] }],
};
const form = readFileSync(new URL('../../fixtures/pdf/form-with-text-field.pdf', import.meta.url));

describe.skipIf(browserMissing !== undefined)(
  `forms filled in by customers, in a browser${why}`,
  () => {
    let api: TestApi;
    let base = '';
    let loan = '';
    let paper = '';
    let owners = '';
    let browser: Browser;
    onStage(openTestApi, async (stage) => {
      ({ api, base, browser } = stage);
      const open = { initiationMethod: 'Customer', maxAdditionalSignees: 1 } as const;
      const flowOf = (name: string, type: string, signatureType: string) => ({
        ...{ name, type, language: 'En', settings: { ...open, signatureType } },
      });
      const bytes = Buffer.from(JSON.stringify(template));
      loan = (await api.toolkit.flows.create(flowOf('Loan', 'RenderFlow', 'Simple'), bytes)).key;
      await api.toolkit.flows.putSchema(loan, { version: '1', schema: JSON.stringify(schema) });
      await api.toolkit.flows.publish(loan, '1');
      paper = (await api.toolkit.flows.create(flowOf('Paper', 'FillAndSign', 'ClickToSign'), form))
        .key;
      const list = Buffer.from(JSON.stringify(ownersTemplate));
      owners = (await api.toolkit.flows.create(flowOf('Owners', 'RenderFlow', 'Simple'), list)).key;
    });

    const visit = (options: BrowserContextOptions = {}, path = `/s/${loan}`) =>
      openPage(browser, base, path, options);
    const fillIn = async (page: Page) => {
      const person = page.getByRole('group', { name: 'Your details' });
      await person.getByLabel('Full name').fill('Ödön Kőrösi');
      await person.getByLabel('E-mail address').fill('odon@example.com');
      await person.getByLabel('Phone number').fill('6666666');
      await page.getByLabel('Number of the loan').fill('7');
      await page.getByLabel('Lender').fill('Acme ehf.');
      await page.getByLabel('Ends on').fill('2027-01-31');
      await page.getByLabel('Kind').selectOption('long');
      await page.getByLabel('May be paid back early').check();
      await page.getByLabel('Remarks').fill('First line\nsecond line');
      const row = page.getByRole('group', { name: 'Payments, row 1' });
      await row.getByLabel('Day').fill('2027-01-31');
      await row.getByLabel('Amount').fill('1.000');
    };
    const proceed = (page: Page) =>
      page.getByRole('button', { name: 'Send answers', exact: true }).click();

    test('a list grows by its button, and Enter still sends the form', async () => {
      for (const view of views) {
        const page = await visit(contextOf(view), `/s/${owners}`);
        const person = page.getByRole('group', { name: 'Your details' });
        await person.getByLabel('Full name').fill('Anna Example');
        await person.getByLabel('E-mail address').fill('anna@example.com');
        await person.getByLabel('Phone number').fill('6666666');
        await page.getByRole('button', { name: 'More rows' }).click();
        await page.getByRole('group', { name: 'Owners, row 10' }).waitFor();
        expect(page.url()).toMatch(/#q1\.5\.0$/);
        const first = page.getByRole('group', { name: 'Owners, row 6' }).getByLabel('Name');
        const { y = -1 } = (await first.boundingBox()) ?? {};
        expect([y >= 0, y < 800]).toEqual([true, true]);
        expect(await pageFaults(page)).toEqual([]);
        await keepScreen(page, 'form-rows', view);
        await page.getByLabel('Firm').fill('Acme');
        const last = page.getByRole('group', { name: 'Owners, row 10' }).getByLabel('Name');
        await last.fill('Zoe');
        await last.press('Enter');
        await page.getByRole('heading', { name: 'Request for a signature' }).waitFor();
        const [newest] = await api.toolkit.processes.list({});
        expect(JSON.parse(newest?.meta['pdfFieldData'] ?? '').owners).toEqual([{ name: 'Zoe' }]);
        await page.context().close();
        api.pass(3_600_000);
      }
    }, 120_000);

    test.each([true, false])(
      'a form is filled in and leads to the signature, scripts: %s',
      async (js) => {
        const page = await visit({ javaScriptEnabled: js });
        await fillIn(page);
        await proceed(page);
        await page.getByRole('heading', { name: 'Request for a signature' }).waitFor();
        const [newest] = await api.toolkit.processes.list({});
        expect(JSON.parse(newest?.meta['pdfFieldData'] ?? '')).toEqual({
          ...{ number: 7, lender: 'Acme ehf.', ends: '2027-01-31', kind: 'long', early: true },
          ...{
            remarks: 'First line\nsecond line',
            payments: [{ day: '2027-01-31', amount: '1.000' }],
          },
        });
        await page.context().close();
      },
      60_000,
    );

    test('a form can be filled in by keyboard alone, in the order of the page', async () => {
      const page = await visit({}, `/s/${paper}`);
      await page.keyboard.press('Tab');
      for (const text of ['Anna', 'anna@example.com']) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByText('We have sent a link to anna@example.com').waitFor();
      await page.context().close();
    }, 60_000);

    test.each(views)(
      'axe finds no fault at $width px, $colorScheme',
      async (view) => {
        const page = await visit(contextOf(view));
        await keepScreen(page, 'form', view);
        expect(await pageFaults(page)).toEqual([]);
        await fillIn(page);
        // The server validates, too: validation by the browser is turned off.
        await page.evaluate(() => {
          // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
          (globalThis as any).document.querySelector('form').noValidate = true;
        });
        await page.getByLabel('Number of the loan').fill('seven');
        await page.getByLabel('Lender').fill('');
        await proceed(page);
        await page.getByRole('alert').waitFor();
        expect(await page.getByLabel('Number of the loan').getAttribute('aria-invalid')).toBe(
          'true',
        );
        await keepScreen(page, 'form-faults', view);
        expect(await pageFaults(page)).toEqual([]);
        await page.context().close();
      },
      60_000,
    );

    test.each(languages)(
      '%s fits a phone of 320 px',
      async (language) => {
        const viewport = { width: 320, height: 640 };
        const page = await visit({ viewport }, `/s/${loan}?lng=${language.toLowerCase()}`);
        await page.getByText(pageWords(language).formPerson).waitFor();
        expect(await excessWidth(page)).toBe(0);
        await page.context().close();
      },
      60_000,
    );
  },
);
