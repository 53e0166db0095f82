import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { concatBytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asNumber,
  asStream,
  beginUpdate,
  firstPage,
  openPdf,
  type PdfDict,
  type PdfFile,
  PdfReference,
  serializeObject,
} from '../../../src/formats/pdf/index.ts';
import {
  drawStamp,
  importStamp,
  type Rotation,
  readStampImage,
  type Stamp,
  type StampContent,
  type StampLine,
} from '../../../src/seal/appearance/index.ts';
import { makeJpeg, makePng } from '../../support/images.ts';
import { fixture } from '../../support/sealing.ts';

const fonts = await readStampFonts();
const image = readStampImage(makePng({ width: 1, height: 1, colorType: 6, rows: [[9, 9, 9, 9]] }));
const line = (text: string, strong = false): StampLine => ({ text, strong });

function draw(changes: Partial<StampContent>): Promise<Stamp> {
  return drawStamp({ width: 200, height: 70, lines: [], ...changes }, fonts);
}

/** Every object of a file by its number, in PDF syntax; streams as their dictionary. */
function objectsOf(file: PdfFile): Map<number, string> {
  const found = new Map<number, string>();
  for (let number = 1; number < file.objectCount; number++) {
    const value = file.read(new PdfReference(number));
    const shown = asStream(value)?.dict ?? value;
    found.set(number, latin1Text(serializeObject(shown)));
  }
  return found;
}

function dictsOf(file: PdfFile, type: string): PdfDict[] {
  const dicts: PdfDict[] = [];
  for (let number = 1; number < file.objectCount; number++) {
    const dict = asDict(file.read(new PdfReference(number)));
    if (dict !== undefined && latin1Text(serializeObject(dict)).includes(type)) dicts.push(dict);
  }
  return dicts;
}

/** The operators of a stamp. */
function contentOf(stamp: Stamp): string {
  const file = openPdf(memorySource(stamp.bytes));
  return latin1Text(
    file.decode(asStream(file.resolve(firstPage(file).dict.get('Contents'))) as never),
  );
}

/** The text of a stamp as a reader copies it: glyphs mapped by /ToUnicode. */
function textOf(stamp: Stamp): string[] {
  const file = openPdf(memorySource(stamp.bytes));
  const page = firstPage(file).dict;
  const resources = asDict(file.resolve(page.get('Resources')));
  const pageFonts = asDict(file.resolve(resources?.get('Font')));
  const content = latin1Text(file.decode(asStream(file.resolve(page.get('Contents'))) as never));
  return [...content.matchAll(/\/(Text|Bold) [\d.]+ Tf\n[\d. -]+ Td\n<([0-9a-f]*)> Tj/gi)].map(
    ([, name = '', codes = '']) => {
      const font = asDict(file.resolve(pageFonts?.get(name)));
      const map = latin1Text(file.decode(asStream(file.resolve(font?.get('ToUnicode'))) as never));
      const characters = new Map(
        [...map.matchAll(/^<(\w{4})> <(\w+)>$/gm)].map(([, code, utf16]) => [
          code,
          Buffer.from(utf16 ?? '', 'hex')
            .swap16()
            .toString('utf16le'),
        ]),
      );
      return (codes.match(/.{4}/g) ?? []).map((code) => characters.get(code)).join('');
    },
  );
}

describe('the text of a stamp', () => {
  test.each([
    ['Icelandic', 'Þórunn Æsa Guðmundsdóttir'],
    ['Norwegian, Danish, Swedish', 'Åse Øvergård Ærø Öberg'],
    ['German', 'Jürgen Groß ẞ'],
    ['French', 'Œuvre façade à l’été'],
    ['Czech', 'Příliš žluťoučký kůň úpěl ďábelské ódy'],
    ['Polish', 'Zażółć gęślą jaźń'],
    ['Spanish', '¿Niño? ¡Pingüino!'],
    ['Hungarian', 'Árvíztűrő tükörfúrógép'],
    ['Greek', 'Ευάγγελος Παπαδόπουλος'],
    ['Cyrillic', 'Щёголь їжак Ґедзь Љубав'],
    ['Baltic', 'Šiauliai ģērbtuve Ķegums'],
    ['Romanian, Turkish', 'Țară șase İstanbul ığdır'],
    ['Vietnamese', 'Nguyễn Thị Ánh'],
    ['signs', '© 2026 № 7 – «x» “y” € … ½ −1'],
  ])('can be extracted unchanged: %s', async (_, text) => {
    const stamp = await draw({ width: 500, lines: [line(text), line(text, true)] });
    expect(stamp.missing).toEqual([]);
    expect(textOf(stamp)).toEqual([text, text]);
  });

  test('reports characters missing from the font and keeps their meaning', async () => {
    const stamp = await draw({ lines: [line('漢 a 字'), line('漢', true), line('𒀀')] });
    expect(stamp.missing.toSorted()).toEqual(['字', '漢', '𒀀'].toSorted());
    expect(textOf(stamp)).toEqual(['漢 a 字', '漢', '𒀀']);
    const file = openPdf(memorySource(stamp.bytes));
    const page = firstPage(file).dict;
    const content = latin1Text(file.decode(asStream(file.resolve(page.get('Contents'))) as never));
    // Archival formats forbid showing glyph 0.
    for (const [, codes = ''] of content.matchAll(/<([0-9a-f]+)> Tj/g)) {
      expect(codes.match(/.{4}/g)).not.toContain('0000');
    }
  });

  test('that does not fit is truncated with an ellipsis', async () => {
    const stamp = await draw({ width: 60, height: 12, lines: [line('word '.repeat(60))] });
    expect(stamp.cut).toBe(true);
    expect(textOf(stamp).at(-1)).toMatch(/…$/);
  });
});

describe('the background of a stamp', () => {
  const white = '/Rgb cs\n1 1 1 sc\n0 0 200 70 re\nf\n';

  test('is white, so that page text below does not show through', async () => {
    expect(contentOf(await draw({ lines: [line('Text')] }))).toMatch(new RegExp(`^q\n${white}`));
  });

  test('can be omitted', async () => {
    expect(contentOf(await draw({ background: false }))).not.toContain(white);
  });
});

describe('a stamp for archival formats', () => {
  const everything: Partial<StampContent> = {
    lines: [line('Text'), line('Bold', true)],
    image,
    qr: 'https://verify.example/1',
  };

  test('has no transparency, no device colours and no actions', async () => {
    const { bytes } = await draw(everything);
    const file = openPdf(memorySource(bytes));
    const all = [...objectsOf(file).values()].join('\n');
    expect(all).toContain('/CalRGB');
    expect(all).not.toMatch(/SMask|ExtGState|\/Group|Device|Interpolate|\/AA|\/Action|JPX|\/LZW/);
    const page = firstPage(file).dict;
    const content = latin1Text(file.decode(asStream(file.resolve(page.get('Contents'))) as never));
    expect(content).not.toMatch(/\b(rg|RG|g|G|k|K|gs|sh|Do\s+BI)\s*$/m);
  });

  test('embeds fonts with the widths and glyph sets of exactly their glyphs', async () => {
    const { bytes } = await draw(everything);
    const file = openPdf(memorySource(bytes));
    const descendants = dictsOf(file, '/CIDFontType2');
    expect(descendants).toHaveLength(2);
    for (const descendant of descendants) {
      const descriptor = asDict(file.resolve(descendant.get('FontDescriptor')));
      const program = file.decode(asStream(file.resolve(descriptor?.get('FontFile2'))) as never);
      const cidSet = file.decode(asStream(file.resolve(descriptor?.get('CIDSet'))) as never);
      const table = (tag: string): Buffer => {
        const data = Buffer.from(program);
        const at = 12 + 16 * tagsOf(data).indexOf(tag);
        const start = data.readUInt32BE(at + 8);
        return data.subarray(start, start + data.readUInt32BE(at + 12));
      };
      const count = table('maxp').readUInt16BE(4);
      const [, widths] = asArray(descendant.get('W')) ?? [];
      const expected = Array.from({ length: count }, (_, i) => table('hmtx').readUInt16BE(4 * i));
      expect(asArray(widths)?.map(asNumber)).toEqual(expected);
      const bits = [...cidSet].map((byte) => byte.toString(2).padStart(8, '0')).join('');
      expect(bits).toBe('1'.repeat(count).padEnd(8 * Math.ceil(count / 8), '0'));
      const name = latin1Text(serializeObject(descriptor?.get('FontName') ?? null));
      expect(name).toMatch(/^\/[A-Z]{6}\+NotoSans-(Regular|Bold)$/);
    }
  });

  test('embeds a JPEG unchanged', async () => {
    const jpeg = makeJpeg(8, 4, 1);
    const { bytes } = await draw({ image: readStampImage(jpeg) });
    const all = [...objectsOf(openPdf(memorySource(bytes))).values()].join('\n');
    expect(all).toMatch(/\/CalGray.*\/DCTDecode/);
    expect(Buffer.from(bytes).includes(jpeg)).toBe(true);
  });

  test('is byte-identical for the same content, and differs otherwise', async () => {
    const [first, second, other] = await Promise.all([
      draw(everything),
      draw(everything),
      draw({ ...everything, qr: 'https://verify.example/2' }),
    ]);
    expect(Buffer.from(second.bytes).equals(first.bytes)).toBe(true);
    expect(Buffer.from(other.bytes).equals(first.bytes)).toBe(false);
  });
});

describe('stamp drawing', () => {
  test.each<[string, Partial<StampContent>, string]>([
    ['no width', { width: 0 }, 'seal.rect.invalid'],
    ['NaN as height', { height: Number.NaN }, 'seal.rect.invalid'],
    ['a stamp larger than any page', { width: 20_000 }, 'seal.rect.invalid'],
    ['a text that is too long', { lines: [line('x'.repeat(3_000))] }, 'limit.exceeded'],
    ['a QR code that is too long', { qr: 'x'.repeat(2_332) }, 'limit.exceeded'],
  ])('rejects %s with %s', async (_, changes, code) => {
    await expect(draw(changes)).rejects.toThrow(expect.objectContaining({ code }));
  });

  test.each<[string, Partial<StampContent>]>([
    ['a frame only', {}],
    ['a very small stamp', { width: 1, height: 1, lines: [line('x')], image, qr: 'x' }],
    ['the largest QR code', { qr: 'x'.repeat(2_331) }],
    ['a QR code with non-Latin text', { qr: 'Þjóðskrá 漢字 🙂' }],
  ])('supports %s', async (_, changes) => {
    const { bytes } = await draw(changes);
    expect(openPdf(memorySource(bytes)).objectCount).toBeGreaterThan(3);
  });
});

describe('the form XObjects of a stamp', () => {
  const stampFor = async (rotations: readonly Rotation[]): Promise<[PdfFile, PdfReference[]]> => {
    const stamp = await draw({ lines: [line('Text'), line('Bold', true)], image, qr: 'x' });
    const input = fixture('agreement.pdf');
    const file = openPdf(memorySource(input));
    const update = beginUpdate(file);
    const imported = importStamp(stamp, update);
    const forms = rotations.map((rotation) => imported.formFor(rotation));
    const { bytes } = update.finish();
    return [openPdf(memorySource(concatBytes([input, bytes]))), forms];
  };

  test.each<[Rotation, readonly number[]]>([
    [0, [0, 0, 200, 70]],
    [90, [0, 0, 70, 200]],
    [180, [0, 0, 200, 70]],
    [270, [0, 0, 70, 200]],
  ])('on a page with rotation %i cover %j', async (rotation, expected) => {
    const [file, [form]] = await stampFor([rotation]);
    const dict = asStream(file.read(form as PdfReference))?.dict;
    const [a, b, c, d, e, f] = (asArray(dict?.get('Matrix')) ?? []) as number[] as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const [left, bottom, right, top] = asArray(dict?.get('BBox')) as number[] as [
      number,
      number,
      number,
      number,
    ];
    const x = [a * left + c * bottom + e, a * right + c * top + e];
    const y = [b * left + d * bottom + f, b * right + d * top + f];
    expect([Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]).toEqual(expected);
    // The right side of the stamp is the right side of the rotated page for the reader.
    const right90 = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] }[rotation];
    expect([a, b]).toEqual(right90);
  });

  test('share their resources, with one form per rotation', async () => {
    const [file, [first, second, again]] = await stampFor([0, 90, 0]);
    expect(again?.objectNumber).toBe(first?.objectNumber);
    const resourcesOf = (form: PdfReference | undefined): number | undefined => {
      const value = asStream(file.read(form as PdfReference))?.dict.get('Resources');
      return value instanceof PdfReference ? value.objectNumber : undefined;
    };
    expect(resourcesOf(first)).toBeGreaterThan(0);
    expect(resourcesOf(second)).toBe(resourcesOf(first));
  });

  test('contain the content of the stamp', async () => {
    const [file, [form]] = await stampFor([0]);
    const stream = asStream(file.read(form as PdfReference));
    expect(latin1Text(inflateSync(stream?.raw ?? new Uint8Array(0)))).toContain('/Bold');
  });
});

function tagsOf(font: Buffer): string[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) =>
    font.toString('latin1', 12 + 16 * index, 16 + 16 * index),
  );
}
