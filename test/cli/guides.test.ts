import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { locales } from '../../src/base/words/index.ts';
import { apiKeyScopes, companySettings } from '../../src/domain/company.ts';
import { flowSettings } from '../../src/domain/flow/flow-settings.table.ts';
import { flowTypes } from '../../src/domain/flow/index.ts';
import { listFormats } from '../../src/domain/list-formats.ts';
import { languages } from '../../src/domain/message/index.ts';
import { eventTypes, signatureTypes, webhookTypes } from '../../src/domain/process/index.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const guides = readdirSync('docs/guides').map((name) => `docs/guides/${name}`);
const inEnglish = new Intl.DisplayNames('en', { type: 'language' });
const names = locales.map((code) => (code === 'nb' ? 'Norwegian' : `${inEnglish.of(code)}`));

/** Values of the code and the page that documents each of them; without a page, any guide. */
const rows: readonly [what: string, words: readonly string[], page?: string][] = [
  ['events', eventTypes.map((t) => `\`${t}\` | ${webhookTypes[t]}`), 'docs/guides/webhooks.md'],
  ['formats of watchlists', listFormats, 'docs/guides/screening.md'],
  ['settings of a flow', Object.keys(flowSettings), 'docs/guides/flows.md'],
  ['languages of flows', languages, 'docs/guides/flows.md'],
  ['languages of messages', languages, 'docs/guides/messages.md'],
  ['languages of reports', names, 'docs/guides/verifying.md'],
  ['count of languages', [`${locales.length} languages`], 'docs/guides/signing-page.md'],
  ['count of languages', [`${locales.length} languages`], 'README.md'],
  ['types of signatures', signatureTypes, 'docs/guides/signing.md'],
  [
    'connections',
    [`${limits.connections.toLocaleString('en')} in each process`],
    'docs/guides/limits.md',
  ],
  ['types of flows', flowTypes],
  ['settings of a company', companySettings],
  ['scopes of API keys', apiKeyScopes],
];

const isIn = (text: string, word: string) =>
  new RegExp(`(?<![\\w-])${word.replaceAll('|', '\\|')}(?![\\w-])`).test(text);

describe('the guides name every value of a list in the code', () => {
  test.each(rows.map(([what, words, page]) => ({ what, words, page })))('$what: $page', (row) => {
    const { words, page } = row;
    const text = (page === undefined ? guides : [page]).map(read).join('\n');
    expect(words.length).toBeGreaterThan(0);
    const missing = words.filter((word) => !isIn(text, word));
    expect(missing, `missing in ${page ?? 'docs/guides'}`).toEqual([]);
  });

  test('a value inside a longer word does not count as named', () => {
    expect(isIn('`csv-like` and uncsv', 'csv')).toBe(false);
  });
});
