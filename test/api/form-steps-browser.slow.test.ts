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
  title: 'Declaration of {{firm}}',
  blocks: [
    { type: 'paragraph', text: 'Turnover: {{turnover}}. Remarks: {{remarks?}}' },
    { type: 'paragraph', text: 'Abroad in {{country}}.', when: 'abroad' },
    {
      type: 'table',
      each: 'owners',
      columns: [
        { title: 'Owner', text: '{{owner}}' },
        { title: 'Share', text: '{{share}}' },
      ],
    },
  ],
};
const schema = {
  type: 'object',
  required: ['firm', 'turnover'],
  properties: {
    firm: { title: 'Name of the firm <script>alert(1)</script>' },
    turnover: { enum: ['less than 1 million', 'more'], description: 'Of the last year.' },
    remarks: { type: 'string', maxLength: 1000 },
    abroad: { type: 'boolean', title: 'The firm has customers abroad' },
    owners: { type: 'array', maxItems: 20 },
  },
  if: { properties: { abroad: { const: true } }, required: ['abroad'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['country'] },
  else: { properties: { country: false } },
};

/** Text and background colours; the code runs in the browser. */
const paint = (element: unknown) => {
  // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
  const { color, backgroundColor } = (globalThis as any).getComputedStyle(element);
  return [color, backgroundColor];
};

describe.skipIf(browserMissing !== undefined)(
  `a form with one question per step, in a browser${why}`,
  () => {
    let api: TestApi;
    let base = '';
    let browser: Browser;
    let path = '';
    let register = '';
    let declare = '';
    onStage(openTestApi, async (stage) => {
      ({ api, base, browser } = stage);
      const settings = {
        ...{ initiationMethod: 'Customer', signatureType: 'Simple', questionMode: 'One' },
        maxAdditionalSignees: 1,
      } as const;
      const bytes = Buffer.from(JSON.stringify(template));
      const make = async (name: string, type: string) => {
        const { key } = await api.toolkit.flows.create(
          { name, type, language: 'En', settings },
          bytes,
        );
        await api.toolkit.flows.putSchema(key, { version: '1', schema: JSON.stringify(schema) });
        await api.toolkit.flows.publish(key, '1');
        return key;
      };
      path = `/s/${await make('Declaration', 'RenderFlow')}`;
      register = `/f/${await make('Register', 'Compliance')}`;
      declare = `/f/${await make('Exposure', 'PEP')}`;
    });

    const visit = (options: BrowserContextOptions = {}, to = path) =>
      openPage(browser, base, to, options);
    /** Presses the button and waits for the resulting page: a click alone does not wait. */
    const press = (page: Page, name: string | RegExp) =>
      Promise.all([
        page.waitForEvent('load'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
    const goOn = (page: Page) => press(page, /^(?:Continue|Send answers)$/);
    const step = (page: Page, at: number, count = 7) =>
      page.getByRole('group', { name: `Step ${at} of ${count}` }).waitFor();
    const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
    const fillPerson = async (page: Page) => {
      const person = page.getByRole('group', { name: 'Your details' });
      await person.getByLabel('Full name').fill('Ödön Kőrösi');
      await person.getByLabel('E-mail address').fill('odon@example.com');
      await person.getByLabel('Phone number').fill('6666666');
    };
    const fillToTurnover = async (page: Page) => {
      await fillPerson(page);
      await goOn(page);
      // Further signees.
      await step(page, 2);
      await goOn(page);
      await page.getByLabel('Name of the firm').fill('Acme ehf.');
      await goOn(page);
      await page.getByLabel('Turnover').selectOption('more');
    };
    const answers = {
      ...{ firm: 'Acme ehf.', turnover: 'more', abroad: true, country: 'Norway' },
      owners: [{ owner: 'Anna', share: '100 %' }],
    };

    test.each([
      [true, 'RenderFlow'],
      [false, 'RenderFlow'],
      [false, 'Compliance'],
      [false, 'PEP'],
    ] as const)(
      'is filled in, left, reopened, reviewed and sent, scripts: %s, %s',
      async (javaScriptEnabled, type) => {
        const to = { RenderFlow: path, Compliance: register, PEP: declare }[type];
        const page = await visit({ javaScriptEnabled }, to);
        await step(page, 1);
        await fillToTurnover(page);
        await goOn(page);
        await step(page, 5);
        const again = await page.context().newPage();
        await page.close();
        await again.goto(`${base}${to}`);
        await step(again, 5);
        await again.getByRole('button', { name: 'Back' }).click();
        expect(await again.getByLabel('Turnover').inputValue()).toBe('more');
        await goOn(again);
        await goOn(again);
        await again.getByLabel('The firm has customers abroad').check();
        await goOn(again);
        await step(again, 7, 8);
        await again.getByLabel('Country').fill('Norway');
        await goOn(again);
        const row = again.getByRole('group', { name: 'Owners, row 1' });
        await row.getByLabel('Owner').fill('Anna');
        await row.getByLabel('Share').fill('100 %');
        await goOn(again);
        await again.getByRole('heading', { name: 'Check your answers' }).waitFor();
        await again.getByText('Anna · 100 %').waitFor();
        await goOn(again);
        await again.getByRole('heading', { name: 'Request for a signature' }).waitFor();
        const [newest] = await api.toolkit.processes.list({});
        expect(JSON.parse(newest?.meta['pdfFieldData'] ?? '')).toEqual(answers);
        await again.context().close();
        api.pass(3_600_000);
      },
      120_000,
    );

    test('works by keyboard alone, and each step starts at its progress heading', async () => {
      const page = await visit();
      expect(await focused(page)).toBe('Step 1 of 7');
      for (const text of ['Anna', 'anna@example.com', '6666666']) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await step(page, 2);
      expect(await focused(page)).toBe('Step 2 of 7');
      expect(await page.title()).toBe('Step 2 of 7 – Declaration');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await step(page, 3);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Acme');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Continue');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Back');
      await page.keyboard.press('Enter');
      await step(page, 2);
      await page.context().close();
    }, 60_000);

    test.each([true, false])(
      'Back, reload and a change of language lose no answer and send nothing again, scripts: %s',
      async (javaScriptEnabled) => {
        const page = await visit({ javaScriptEnabled });
        const wasSent = () => page.evaluate('performance.getEntriesByType("navigation")[0].type');
        await fillPerson(page);
        await page.getByLabel('Phone number').fill('12');
        await goOn(page);
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Phone number').fill('6666666');
        await goOn(page);
        await step(page, 2);
        // Back leads to the page with the messages: it is requested again, and nothing is sent.
        const back = await page.goBack();
        expect(back?.request().method() ?? 'GET').toBe('GET');
        expect(await page.getByLabel('Full name').inputValue()).toBe('Ödön Kőrösi');
        await page.reload();
        expect(await wasSent()).toBe('reload');
        await page.getByLabel('Full name').fill('Typed, not sent');
        await page.getByLabel('Language').selectOption('is');
        await page.getByRole('button', { name: pageWords('En').languageButton }).click();
        await page.getByRole('button', { name: pageWords('Is').languageButton }).waitFor();
        const name = page.getByLabel(pageWords('Is').formName);
        expect(await name.inputValue()).toBe('Typed, not sent');
        await page.context().close();
      },
      60_000,
    );

    test('faults are announced, and entered text is shown as text', async () => {
      const page = await visit();
      const said: string[] = [];
      page.on('dialog', (dialog) => said.push(dialog.message()));
      await fillPerson(page);
      await page.getByLabel('Phone number').fill('12');
      await goOn(page);
      await page.getByRole('alert').waitFor();
      expect(await focused(page)).toBe(pageWords('En').formFaults);
      expect(await page.getByLabel('Phone number').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Phone number').fill('6666666');
      await goOn(page);
      await goOn(page);
      await page.getByText('<script>alert(1)</script>').waitFor();
      await page.getByLabel('Name of the firm').fill('"><img src=x onerror=alert(2)>');
      for (let at = 3; at < 7; at += 1) {
        await step(page, at);
        const choice = page.getByLabel('Turnover');
        if ((await choice.count()) > 0) await choice.selectOption('more');
        await goOn(page);
      }
      await step(page, 7);
      await goOn(page);
      await page.getByText('"><img src=x onerror=alert(2)>').waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    }, 60_000);

    test.each(views)(
      'axe finds no fault at $width px, $colorScheme',
      async (view) => {
        const page = await visit(contextOf(view));
        const look = async (name: string) => {
          await keepScreen(page, name, view);
          expect(await pageFaults(page)).toEqual([]);
        };
        await look('form-step-person');
        await fillPerson(page);
        await page.getByLabel('Phone number').fill('12');
        await goOn(page);
        await page.getByRole('alert').waitFor();
        await look('form-step-faults');
        await page.getByLabel('Phone number').fill('6666666');
        await goOn(page);
        await goOn(page);
        await page.getByLabel('Name of the firm').fill('Acme ehf.');
        await goOn(page);
        await page.getByLabel('Turnover').selectOption('more');
        await look('form-step');
        await goOn(page);
        await goOn(page);
        await goOn(page);
        const row = page.getByRole('group', { name: 'Owners, row 1' });
        await row.getByLabel('Owner').fill('Anna');
        await look('form-step-rows');
        await row.getByLabel('Share').fill('100 %');
        await goOn(page);
        await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
        await look('form-review');
        await page.getByRole('button', { name: 'Delete my answers' }).click();
        await page.getByRole('heading', { name: pageWords('En').formClearAsk }).waitFor();
        await look('form-delete');
        await page.getByRole('link', { name: 'Keep my answers' }).click();
        await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
        await page.context().close();
      },
      120_000,
    );

    test.each(languages)(
      '%s fits a phone of 320 px, at a step and at the review',
      async (language) => {
        const words = pageWords(language);
        const query = `?lng=${language.toLowerCase()}`;
        const page = await visit({ viewport: { width: 320, height: 640 } }, `${path}${query}`);
        expect(await excessWidth(page)).toBe(0);
        await page.getByLabel(words.formName).fill('Wolfeschlegelsteinhausenbergerdorff'.repeat(2));
        await page.getByLabel(words.formEmail).fill('anna@example.com');
        await page.getByLabel(words.phoneLabel).fill('6666666');
        for (let at = 0; at < 7; at += 1) {
          const firm = page.getByLabel('Name of the firm');
          if ((await firm.count()) > 0) await firm.fill('Acme');
          const choice = page.getByLabel('Turnover');
          if ((await choice.count()) > 0) await choice.selectOption('more');
          await press(page, words.continueButton);
          expect(await excessWidth(page)).toBe(0);
        }
        await page.getByRole('heading', { name: words.formReview }).waitFor();
        await page.context().close();
      },
      120_000,
    );

    test('the printed review shows the answers and no buttons', async () => {
      const page = await visit({}, path);
      await fillToTurnover(page);
      for (const at of [5, 6, 7]) {
        await goOn(page);
        await step(page, at);
      }
      await goOn(page);
      const answer = page.getByRole('main').getByText('Acme ehf.', { exact: true });
      await answer.waitFor();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const ground = page.locator('.review section');
      await expect
        .poll(() => ground.evaluate(paint))
        .toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      expect(await page.locator('.saved').isVisible()).toBe(false);
      expect(await answer.isVisible()).toBe(true);
      expect(await page.getByText('odon@example.com').isVisible()).toBe(true);
      for (const name of [
        'Send answers',
        'Back',
        'Show all questions at once',
        'Delete my answers',
      ]) {
        const button = page.locator('button', { hasText: name });
        expect([name, await button.count(), await button.isVisible()]).toEqual([name, 1, false]);
      }
      expect(
        await page
          .getByRole('link', { name: /^Change/ })
          .first()
          .isVisible(),
      ).toBe(false);
      await page.context().close();
    }, 60_000);
  },
);
