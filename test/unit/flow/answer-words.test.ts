import { PDFDocument } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { flowWork } from '../../../src/app/flow/index.ts';
import { localeOf, locales } from '../../../src/base/words/locale.ts';

const work = flowWork(readStampFonts);
const titleOf = async (usual: string | undefined, language?: string) => {
  const title = '{{express}} {{deep.gift}} {{text}} {{number}} {{note?}}';
  const blocks = [{ type: 'list', items: ['{{value}}'], each: 'all' }];
  const bytes = Buffer.from(JSON.stringify({ v: 1, title, language, blocks }));
  const values = { express: true, deep: { gift: false }, text: 'true', number: 1, all: [true] };
  const pdf = await work.renderDocument(bytes, values, usual);
  return (await PDFDocument.load(pdf)).getTitle()?.trim();
};

describe('a template shows booleans as words', () => {
  test.each(locales)('of the language %s', async (code) => {
    const { yes, no } = localeOf(code).answers;
    expect(await titleOf(code)).toBe(`${yes} ${no} true 1`);
  });

  test.each([
    ['the language of the template rather than of its flow', 'De', 'is-IS', 'já nei'],
    ['the supported form of Norwegian', undefined, 'no', 'ja nei'],
    ['JSON, for an unknown language', 'En', 'fi', 'true false'],
    ['JSON, without a language', undefined, undefined, 'true false'],
  ])('of %s', async (_, usual, language, words) => {
    expect(await titleOf(usual, language)).toBe(`${words} true 1`);
  });
});
