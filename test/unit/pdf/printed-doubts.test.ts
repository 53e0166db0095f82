import { describe, expect, test } from 'vitest';
import { look, type Parts, pdfWith, printedBox } from '../../support/printed-pdf.ts';

const title = 'BT /F 20 Tf 100 200 Td (Title) Tj ET';
const words = (content: string, parts?: Parts) =>
  printedBox(look(pdfWith(content, parts)), 'words');

describe('text is found where viewers show it', () => {
  test.each([
    ['more operands than Tm has', 'BT /F 20 Tf 9 1 0 0 1 100 200 Tm (Title) Tj ET'],
    ['more operands than Tf has', 'BT 7 /F 20 Tf 100 200 Td (Title) Tj ET'],
    ['more operands than Td has', 'BT /F 20 Tf 999 100 200 Td (Title) Tj ET'],
    ['more operands than cm has', 'q 9 1 0 0 1 100 200 cm BT /F 20 Tf (Title) Tj ET Q'],
    ['fewer operands than Tm has', 'BT /F 20 Tf 100 200 Td 0 0 Tm (Title) Tj ET'],
    ['an operand of Td that is not a number', 'BT /F 20 Tf 100 200 Td (a) 900 Td (Title) Tj ET'],
    ['Tz without an operand', `Tz ${title}`],
    ['numbers directly before the operator', 'BT /F 20Tf 100 200Td(Title)Tj ET'],
    ['data of an image before EI, without a space', `BI /W 1 /H 1 /BPC 8 /CS /G ID xEI ${title}`],
    ['EI and other characters', `BI /W 1 /H 1 /BPC 8 /CS /G ID x\nEI (\xe6\xf8) pop ${title}`],
    [
      'EI in data of an image',
      `BI /W 20 /H 1 /BPC 8 /CS /G ID 12345678\nEI ((((((((  \nEI ${title}`,
    ],
    ['EI in data of a mask', `BI /IM true /W 80 /H 2 ID 12345678\nEI ((((((((  \nEI ${title}`],
    ['EI after a filter', `BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID 00>EI ${title}`],
  ])('with %s', (_, content) => {
    const page = look(pdfWith(content));
    expect(page).toMatchObject({ isPartial: false });
    expect(printedBox(page as Exclude<typeof page, string>, 'words')).toBe(words(title));
  });

  test('in a form with a name of 400 characters', () => {
    const name = 'N'.repeat(400);
    const resources = `/Resources<</Font<</F 6 0 R>>/XObject<</${name} 5 0 R>>>>`;
    const parts = { resources, form: title, formDict: '/BBox[0 0 400 300]' };
    expect(words(`/${name} Do`, parts)).toBe(words(title));
  });

  test('in a form with a matrix of seven numbers', () => {
    const formDict = '/BBox[0 0 400 300]/Matrix[1 0 0 1 100 200 0]';
    const parts = { form: 'BT /F 20 Tf (Title) Tj ET', formDict };
    expect(words('/Form Do', parts)).toBe(words(title));
  });

  test('in a font whose ToUnicode map yields only spaces', () => {
    const codes = Array.from({ length: 94 }, (_, index) => (index + 33).toString(16));
    const map = `beginbfchar ${codes.map((code) => `<${code}> <0020>`).join(' ')} endbfchar`;
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 20 0 R>>';
    const parts: Parts = { font, more: (builder) => builder.stream(20, '', map) };
    expect(words(title, parts)).toBe(words(title));
  });

  test('in a composite font with a custom encoding and a default width of 0', () => {
    const parts: Parts = {
      font: '<</Type/Font/Subtype/Type0/Encoding 20 0 R/DescendantFonts[21 0 R]>>',
      more: (builder) => {
        const program = 'begincodespacerange <0000> <ffff> endcodespacerange';
        builder.stream(20, '/Type/CMap', program).object(21, '<</Subtype/CIDFontType2/DW 0>>');
      },
    };
    const box = words('BT /F 20 Tf 100 200 Td <000100020003> Tj ET', parts);
    expect(box).toMatch(/^100 \d+ 160 /);
  });
});

describe('partial evaluation of a page', () => {
  const deep = (builder: Parameters<NonNullable<Parts['more']>>[0]) => {
    for (let depth = 0; depth < 30; depth++) {
      const next = `/Resources<</Font<</F 6 0 R>>/XObject<</Next ${41 + depth} 0 R>>>>`;
      const content = depth === 29 ? title : '/Next Do';
      builder.stream(40 + depth, `/Type/XObject/Subtype/Form/BBox[0 0 400 300]${next}`, content);
    }
  };
  test.each<[string, string, Parts?]>([
    ['an unterminated dictionary', `/Span <</MCID 0 BDC ${title}`],
    ['an unterminated string', `(abc ${title}`],
    ['an unterminated hexadecimal string', `<00 ${title}`],
    ['an unterminated image', `BI /W 9 /H 9 /BPC 8 /CS /G ID xxx ${title}`],
    ['an image with an ambiguous end', `BI /F /Fl ID x\nEI \xff\xff\nEI ${title}`],
    ['an image with two ends', `BI /F /Fl ID x\nEI abc\nEI ${title}`],
    ['2,049 saved graphics states', `${'q '.repeat(2049)}${title}`],
    [
      '30 nested forms',
      '/Next Do',
      { more: deep, resources: '/Resources<</XObject<</Next 40 0 R>>>>' },
    ],
    [
      'a damaged form that covers the page',
      '/Form Do',
      { formDict: '/BBox[0 0 400 300]/Filter/FlateDecode', form: 'no Flate' },
    ],
  ])('is reported: %s', (_, content, parts) => {
    expect(look(pdfWith(content, parts))).toMatchObject({ isPartial: true });
  });

  test.each([
    ['2,048 saved graphics states', 'q '.repeat(2048)],
    ['a well-formed page', `q ${title} Q`],
  ])('is not reported: %s', (_, content) => {
    expect(look(pdfWith(content))).toMatchObject({ isPartial: false });
  });
});

describe('backgrounds and clips', () => {
  const pattern = '/Type/Pattern/PatternType 1/PaintType 1/BBox[0 0 9 9]/XStep 9/YStep 9';
  const resources = '/Resources<</Pattern<</P 20 0 R/S 21 0 R>>>>';
  const more: Parts['more'] = (builder) =>
    builder
      .stream(20, pattern, '0 0 5 5 re f')
      .object(21, '<</Type/Pattern/PatternType 2/Shading<</ShadingType 2>>>>');
  test.each([
    ['tiles', '/Pattern cs /P scn 0 0 400 300 re f', true],
    [
      'a tiling pattern in four lines',
      '/Pattern cs /P scn 0 0 m 400 0 l 400 300 l 0 300 l f',
      true,
    ],
    ['a gradient', '/Pattern cs /S scn 0 0 400 300 re f', false],
    ['a colour after a tiling pattern', '/Pattern cs /P scn 0.5 g 0 0 400 300 re f', false],
  ])('count as a picture or not: %s', (_, content, isPicture) => {
    expect(look(pdfWith(content, { resources, more }))).toMatchObject({ isPicture });
  });

  test('hide nothing if a clip has no path', () => {
    const box = printedBox(look(pdfWith('W n 10 20 100 100 re 30 30 50 50 re f')));
    expect(box).toBe('10 20 111 121');
  });
});
