import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import cs from '../../../locales/cs.json' with { type: 'json' };
import da from '../../../locales/da.json' with { type: 'json' };
import de from '../../../locales/de.json' with { type: 'json' };
import en from '../../../locales/en.json' with { type: 'json' };
import es from '../../../locales/es.json' with { type: 'json' };
import fr from '../../../locales/fr.json' with { type: 'json' };
import hu from '../../../locales/hu.json' with { type: 'json' };
import is from '../../../locales/is.json' with { type: 'json' };
import nb from '../../../locales/nb.json' with { type: 'json' };
import pl from '../../../locales/pl.json' with { type: 'json' };
import sv from '../../../locales/sv.json' with { type: 'json' };
import { findLocale, type LocaleCode, localeOf, locales } from '../../../src/base/words/locale.ts';
import type { Locale } from '../../../src/base/words/locale.types.ts';

// The type check ensures that each file is a Locale.
const files: Readonly<Record<LocaleCode, Locale>> = {
  is,
  en,
  nb,
  da,
  de,
  fr,
  sv,
  cs,
  pl,
  es,
  hu,
};

/** Paths and values of all texts. */
function textsOf(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, `${path}.${name}`));
}

const keysOf = (value: unknown) =>
  textsOf(value)
    .map(([path]) => path)
    .sort();

describe('locale files', () => {
  test('exist for each language and no other', () => {
    const files = locales.map((code) => `${code}.json`).sort();
    expect(readdirSync('locales').sort()).toEqual([...files, 'page'].sort());
    expect(readdirSync('locales/page').sort()).toEqual(files);
  });

  test.each(locales)('%s has every text and no other', (code) => {
    const { terms, ...words } = files[code];
    const { terms: allTerms, ...allWords } = is;
    expect(keysOf(words)).toEqual(keysOf(allWords));
    // English names of record members that are already words need no translation.
    const known = code === 'en' ? keysOf({ ...allTerms, ...terms }) : keysOf(terms);
    expect(known).toEqual(keysOf(allTerms));
    for (const [, text] of textsOf(files[code])) expect(text).toMatch(/\S|^:?\s$/u);
    expect(localeOf(code)).toEqual(files[code]);
    expect(Intl.getCanonicalLocales(localeOf(code).tag)).toEqual([localeOf(code).tag]);
  });

  test.each([
    ['Is', 'is'],
    ['en-us', 'en'],
    ['NB', 'nb'],
    ['xx', undefined],
  ])('findLocale resolves %s', (name, code) => {
    expect(findLocale(name)).toBe(code);
  });
});
