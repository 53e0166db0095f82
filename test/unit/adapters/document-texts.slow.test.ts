import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { documentTexts } from '../../../src/adapters/pdf-text/index.ts';
import { pageDrawing, pdfWithContent } from './pdf-text-documents.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/pdf/${name}`, import.meta.url));

const read = (bytes: Uint8Array, page = 1, options: Parameters<typeof documentTexts>[0] = {}) =>
  documentTexts(options).read({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...{ page, owner: 'anybody' },
    open: async () => ({
      lengthBytes: bytes.length,
      pieces: async function* () {
        yield bytes;
      },
    }),
  });

describe('the text extracted from a PDF', () => {
  test('contains the paragraphs and the language', async () => {
    const text = await read(fixture('agreement.pdf'));
    expect([text?.pageCount, text?.language, text?.pages.length]).toEqual([1, 'en', 1]);
    const [page] = text?.pages ?? [];
    // Four lines of the page are one paragraph after its heading.
    expect(page?.paragraphs).toContain(
      '2 Fees\nThe Customer pays 1,250 euro for each month, within thirty days of the invoice. ' +
        'The fee covers up to ten terabytes; each further terabyte costs 95 euro a month.',
    );
    expect(page?.paragraphs.join(' ')).toContain('Fjallabyggð Data Services ehf.');
  });

  test('contains the values of form fields', async () => {
    const made = await PDFDocument.create();
    const page = made.addPage();
    const form = made.getForm();
    const name = form.createTextField('name');
    name.setText('Anna Jónsdóttir');
    name.addToPage(page, { x: 50, y: 700, width: 200, height: 20 });
    for (const box of ['yes', 'no']) {
      const field = form.createCheckBox(box);
      field.addToPage(page, { x: 50, y: box === 'yes' ? 600 : 500, width: 20, height: 20 });
      if (box === 'yes') field.check();
    }
    const text = await read(await made.save());
    expect(text?.pages[0]?.fields).toEqual([
      { name: 'name', value: 'Anna Jónsdóttir' },
      { name: 'yes', value: 'Yes' },
    ]);
  });

  test('contains the alternative texts of images', async () => {
    const text = await read(await pageDrawing({ alt: 'Map of Iceland' }));
    expect(text?.pages[0]?.pictures).toEqual(['Map of Iceland']);
  });

  test('covers the pages around the requested one', async () => {
    const made = await PDFDocument.create();
    const font = await made.embedFont(StandardFonts.Helvetica);
    for (let at = 1; at <= 45; at++) {
      made.addPage().drawText(`This is page ${at}`, { x: 50, y: 700, font });
    }
    const bytes = await made.save();
    const numbers = async (page: number) =>
      (await read(bytes, page))?.pages.map(({ number, paragraphs: [first] }) => [number, first]);
    const from = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => [first + at, `This is page ${first + at}`]);
    expect(await numbers(1)).toEqual(from(1, 20));
    expect(await numbers(33)).toEqual(from(21, 20));
    expect(await numbers(999)).toEqual(from(41, 5));
  }, 60_000);

  test('is empty for a page without text', async () => {
    const made = await PDFDocument.create();
    made.addPage();
    expect((await read(await made.save()))?.pages).toEqual([
      { number: 1, paragraphs: [], fields: [], pictures: [], isCut: false },
    ]);
  });

  test('is truncated for a page with too much text', async () => {
    const line = `BT /F1 2 Tf 20 700 Td (${'many words '.repeat(40)}) Tj ET\n`;
    const text = await read(await pdfWithContent(Buffer.from(line.repeat(400))));
    const [page] = text?.pages ?? [];
    expect(page?.isCut).toBe(true);
    expect(page?.paragraphs.join('').length).toBeLessThanOrEqual(100_000);
    expect(page?.paragraphs.join('').length).toBeGreaterThan(90_000);
  });

  test('is truncated for a page with too many paragraphs', async () => {
    const upAndDown = '0 90 Td (a) Tj 0 -90 Td (b) Tj '.repeat(20_000);
    const text = await read(
      await pdfWithContent(Buffer.from(`BT /F1 1 Tf 20 500 Td ${upAndDown} ET`)),
    );
    const [page] = text?.pages ?? [];
    expect(page?.isCut).toBe(true);
    expect(page?.paragraphs.length).toBeGreaterThan(2000);
    expect(page?.paragraphs.length).toBeLessThan(2500);
  });
});

describe('text extraction in its child process', () => {
  test.each(['encrypted-user', 'nothing', 'noise'])(
    'returns nothing for unreadable input: %s',
    async (what) => {
      const bytes = {
        // A document that requires a non-empty password.
        'encrypted-user': Buffer.from(
          fixture('encrypted.pdf')
            .toString('latin1')
            .replace(/\/U ?<[^>]*>/, `/U <${'ab'.repeat(32)}>`),
          'latin1',
        ),
        nothing: Buffer.alloc(0),
        noise: Buffer.alloc(10_000, 'no document '),
      }[what] as Buffer;
      expect(await read(bytes)).toBeUndefined();
    },
  );

  test('is terminated at its deadline', async () => {
    // Each form draws the next one ten times.
    const bytes = await pageDrawing({ nested: 12 });
    const beganMs = performance.now();
    expect(await read(bytes, 1, { deadlineMs: 2000 })).toBeUndefined();
    expect(performance.now() - beganMs).toBeLessThan(20_000);
  }, 60_000);

  // V8 ends the process if a single value is far too large for a thread.
  test.each([
    ['a string', () => ['BT <', Buffer.alloc(60 * 1024 * 1024, 0x61), '> Tj ET']],
    ['an array', () => ['BT [', Buffer.alloc(60 * 1024 * 1024, '1 '), '] TJ ET']],
  ])(
    'does not crash this process: %s',
    async (_, parts) => {
      const content = Buffer.concat(parts().map((part) => Buffer.from(part as string)));
      const twice = deflateSync(deflateSync(content));
      const bytes = await pdfWithContent(twice, ['FlateDecode', 'FlateDecode']);
      expect(bytes.length).toBeLessThan(10_000);
      expect(await read(bytes)).toBeUndefined();
      expect(await read(fixture('agreement.pdf'))).toBeDefined();
    },
    60_000,
  );

  test.skipIf(process.platform !== 'linux')(
    'is terminated when it uses too much memory',
    async () => {
      // 1.2 GB in 1.2 MB: one string, which is decoded as a whole.
      const block = Buffer.alloc(64 * 1024 * 1024, 0x20);
      const bytes = await pdfWithContent(
        deflateSync(deflateSync(block)),
        ['FlateDecode', 'FlateDecode'],
        18,
      );
      let highest = 0;
      const timer = setInterval(() => {
        highest = Math.max(highest, ...textProcesses().map(({ peakMb }) => peakMb));
      }, 20);
      expect(await read(bytes)).toBeUndefined();
      clearInterval(timer);
      expect(highest).toBeGreaterThan(64);
      expect(highest).toBeLessThan(750);
    },
    60_000,
  );

  test.skipIf(process.platform !== 'linux')(
    'leaves no process behind',
    async () => {
      const endless = await pageDrawing({ nested: 12 });
      const reading = read(endless, 1, { deadlineMs: 1500 });
      await expect.poll(() => textProcesses().length, { timeout: 10_000 }).toBe(1);
      expect(await reading).toBeUndefined();
      await expect.poll(() => textProcesses().length, { timeout: 10_000 }).toBe(0);
    },
    60_000,
  );
});

/** Child processes that extract text, and the peak memory of each. */
function textProcesses(): readonly { readonly peakMb: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      const isOwn = status.includes(`\nPPid:\t${process.pid}\n`);
      const isReading = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('text-process.mjs');
      const [, peakKb] = /^VmHWM:\s+(\d+)/m.exec(status) ?? [];
      return isOwn && isReading ? [{ peakMb: Number(peakKb ?? 0) / 1024 }] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}
