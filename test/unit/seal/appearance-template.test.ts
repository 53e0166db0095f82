import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../../src/base/errors.ts';
import { findLocale, type LocaleCode, localeOf } from '../../../src/base/words/locale.ts';
import {
  defaultTemplate,
  placeholders,
  type StampValues,
  textFromTemplate,
} from '../../../src/seal/appearance/index.ts';

const time = Date.UTC(2026, 2, 5, 6, 7, 8);
const all: StampValues = {
  name: 'Anna',
  company: 'Félag ehf.',
  reason: 'OK',
  location: 'Oslo',
  time,
};
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

function linesOf(template: string, values: StampValues, language: LocaleCode = 'en'): string[] {
  return textFromTemplate(template, values, language).map(({ text }) => plain(text));
}

describe('the default template', () => {
  test.each<[LocaleCode, string, string, string]>([
    ['is', 'Rafrænt innsigli', 'Ástæða: OK', 'Tími: 05.03.2026 06:07:08 UTC'],
    ['en', 'Electronic seal', 'Reason: OK', 'Time: 2026-03-05 06:07:08 UTC'],
    ['nb', 'Elektronisk segl', 'Årsak: OK', 'Tidspunkt: 05.03.2026 06:07:08 UTC'],
    ['da', 'Elektronisk segl', 'Årsag: OK', 'Tidspunkt: 05.03.2026 06.07.08 UTC'],
    ['de', 'Elektronisches Siegel', 'Grund: OK', 'Zeitpunkt: 05.03.2026 06:07:08 UTC'],
    ['fr', 'Cachet électronique', 'Motif : OK', 'Date : 05/03/2026 06:07:08 UTC'],
    ['sv', 'Elektronisk stämpel', 'Orsak: OK', 'Tidpunkt: 2026-03-05 06:07:08 UTC'],
    ['cs', 'Elektronická pečeť', 'Důvod: OK', 'Čas: 5. 3. 2026 06:07:08 UTC'],
    ['pl', 'Pieczęć elektroniczna', 'Powód: OK', 'Czas: 05.03.2026 06:07:08 UTC'],
    ['es', 'Sello electrónico', 'Motivo: OK', 'Fecha: 05/03/2026 06:07:08 UTC'],
    ['hu', 'Elektronikus bélyegző', 'Indok: OK', 'Időpont: 2026. 03. 05. 06:07:08 UTC'],
  ])('is filled in the language %s', (language, seal, reason, when) => {
    const lines = textFromTemplate(defaultTemplate(language), all, language);
    expect(lines.map(({ text }) => plain(text))).toEqual([
      seal,
      'Anna',
      'Félag ehf.',
      when,
      reason,
      expect.stringContaining('Oslo'),
    ]);
    expect(lines.filter(({ strong }) => strong).map(({ text }) => text)).toEqual(['Anna']);
    const signature = linesOf(defaultTemplate(language, 'signature'), all, language);
    expect(signature[0]).toBe(localeOf(language).seal.signature);
  });
});

describe('findLocale', () => {
  test.each([
    ['Is', 'is'],
    ['En', 'en'],
    ['en-us', 'en'],
    ['EN-US', 'en'],
    ['hu', 'hu'],
    ['Dk', undefined],
    ['toString', undefined],
    ['', undefined],
  ])('maps %s to %s', (code, expected) => {
    expect(findLocale(code)).toBe(expected);
  });
});

describe('a stamp template', () => {
  test.each<[string, StampValues, string[]]>([
    ['{name}, {title}', { name: 'A' }, ['A,']],
    ['x\n{reason}\ny', {}, ['x', 'y']],
    ['Nr. {reference}', { reference: '7' }, ['Nr. 7']],
    ['Nr. {reference}', { reference: '  ' }, []],
    ['{ NAME }', { name: 'A' }, ['A']],
    ['{{name}}', { name: 'A' }, ['{name}']],
    ['a\r\nb\rc', {}, ['a', 'b', 'c']],
    ['{name}', { name: '{reason}', reason: 'no' }, ['{reason}']],
    ['{name}', { name: '$& $1' }, ['$& $1']],
    ['{date}', { time }, ['2026-03-05']],
    ['{time}', { time, utcOffsetMinutes: 330 }, ['2026-03-05 11:37:08 UTC+05:30']],
    ['{time}', { time, utcOffsetMinutes: -600 }, ['2026-03-04 20:07:08 UTC−10:00']],
    ['#1 {name}', { name: 'A' }, ['#1 A']],
  ])('%j is filled with %j', (template, values, expected) => {
    expect(linesOf(template, values)).toEqual(expected);
  });

  test('accepts every documented placeholder', () => {
    for (const name of placeholders) expect(() => linesOf(`{${name}}`, all)).not.toThrow();
  });

  test.each([['{nme}'], ['{}'], ['{constructor}']])(
    '%s is rejected with usage.invalid',
    (template) => {
      const code = expect.objectContaining({ code: 'usage.invalid' });
      expect(() => linesOf(template, all)).toThrow(code);
    },
  );

  test('with an invalid time is rejected with usage.invalid', () => {
    expect(() => linesOf('{time}', { time: Number.NaN })).toThrow(InnsigliError);
  });
});
