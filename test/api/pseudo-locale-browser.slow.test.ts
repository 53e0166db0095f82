import { describe, expect, test } from 'vitest';
import { browserMissing } from './support/browser.ts';
import { launchBrowser, pseudoLocaleFaults } from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;

describe.skipIf(browserMissing !== undefined)(
  `the pseudo-locale check of the screens${why}`,
  () => {
    test.each([
      ['a text that may wrap fits', '<p>Sign the document</p>', []],
      [
        'a text that cannot wrap overflows',
        '<p style="white-space:nowrap">Sign the document</p>',
        ['p', 'window'],
      ],
      [
        'a button of fixed width overflows',
        '<button style="width:5.5em">Continue</button>',
        ['button'],
      ],
      ['a page without texts has no fault', '<p></p>', ['no text']],
    ])(
      '%s',
      async (_, body, faults) => {
        const browser = await launchBrowser();
        const page = await browser.newPage({ viewport: { width: 180, height: 400 } });
        await page.setContent(`<style>body{margin:8px;font:16px sans-serif}</style>${body}`);
        const before = await page.content();
        const found = await pseudoLocaleFaults(page);
        expect(found).toEqual(faults.map((each) => expect.stringContaining(each)));
        expect(await page.content()).toBe(before);
        await browser.close();
      },
      60_000,
    );
  },
);
