import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pollQualified, signByClick, startQualified } from '../../../../src/app/signing/index.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import type { NewProcess, Signee } from '../../../../src/domain/process/index.ts';
import { stampTemplate } from '../../../../src/domain/signing/index.ts';
import {
  asArray,
  asDict,
  asNumber,
  listPages,
  openPdf,
} from '../../../../src/formats/pdf/index.ts';
import { type Box, placeStamp } from '../../../../src/seal/appearance/index.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined;
if (!hasPdftotext) console.log('stamps: no pdftotext, texts of stamps are not read');

const mediaBox = [0, 0, 595, 842] as const;

/** The first slots of a page. */
function slots(count: number, from: 'top' | 'bottom'): readonly Box[] {
  return Array.from(
    { length: count },
    (_, index) => placeStamp({ mediaBox, rotation: 0 }, { kind: 'flow', index, from }).rect,
  );
}

/** Empty pages with fields at some positions. */
async function pages(count: number, fields: (page: number) => readonly Box[] = () => []) {
  const document = await PDFDocument.create();
  for (let index = 0; index < count; index++) {
    const page = document.addPage([595, 842]);
    for (const [at, [x, y, right, top]] of fields(index).entries()) {
      const field = document.getForm().createTextField(`field ${index} ${at}`);
      field.addToPage(page, { x, y, width: right - x, height: top - y });
    }
  }
  return document.save();
}

/** Lower left corners of the visible annotations, by page, in signing order. */
function corners(bytes: Uint8Array): (readonly [number, number])[][] {
  const file = openPdf(memorySource(bytes));
  return listPages(file).map(({ dict }) =>
    (asArray(file.resolve(dict.get('Annots'))) ?? []).flatMap((item) => {
      const annotation = asDict(file.resolve(item));
      const rect = asArray(file.resolve(annotation?.get('Rect'))) ?? [];
      const [x1 = 0, y1 = 0, x2 = 0] = rect.map((each) => asNumber(file.resolve(each)) ?? 0);
      const isSignature = annotation?.has('V') === true && x2 > x1;
      return isSignature ? [[Math.round(x1), Math.round(y1)] as const] : [];
    }),
  );
}

async function signAll(
  count: number,
  content: Uint8Array,
  changes: Partial<NewProcess>,
): Promise<Uint8Array> {
  const signees = Array.from({ length: count }, (_, index) => person(index + 1));
  const process = await world.open(signees, changes, {}, content);
  for (let index = 0; index < count; index++) await signByClick(world.ports, by(process, index));
  const { signatures } = await world.verify(process.key);
  expect(signatures).toHaveLength(count);
  expect(signatures.every(({ indication }) => indication === 'TOTAL-PASSED')).toBe(true);
  return world.bytes(process.key);
}

describe('positions of stamps', () => {
  test('start at the top left and go row by row', { timeout: 60_000 }, async () => {
    const bytes = await signAll(12, await pages(2), { signatureLocation: 'TopFirstPage' });
    const [first = [], second = []] = corners(bytes);
    expect([first.length, second.length]).toEqual([12, 0]);
    for (const [index, [x, y]] of first.entries()) {
      const [beforeX, beforeY] = first[index - 1] ?? [0, y];
      const isNewRow = index % 5 === 0;
      expect(isNewRow ? y < beforeY || index === 0 : y === beforeY && x > beforeX).toBe(true);
    }
    expect(first[0]?.[0]).toBeLessThan(25);
    expect(first[0]?.[1]).toBeGreaterThan(842 - 75);
  });

  test.each([
    ['TopFirstPage', 'top', 0, 1],
    ['BottomLastPage', 'bottom', 1, 0],
  ] as const)(
    '%s: the 79th to 81st stamp continue on the next page',
    async (location, from, page, next) => {
      const content = await pages(2, (index) => (index === page ? slots(78, from) : []));
      const found = corners(await signAll(3, content, { signatureLocation: location }));
      const wanted = slots(80, from).slice(78);
      expect(found[page]).toEqual(wanted.map(([x, y]) => [Math.round(x), Math.round(y)]));
      const [x, y] = slots(1, from)[0] ?? [0, 0];
      expect(found[next]).toEqual([[Math.round(x), Math.round(y)]]);
    },
  );

  test.each(['top', 'bottom'] as const)('80 slots from the %s do not overlap', (from) => {
    const all = slots(80, from);
    for (const [i, a] of all.entries()) {
      expect(a[0] > 0 && a[1] > 0 && a[2] < 595 && a[3] < 842).toBe(true);
      for (const b of all.slice(i + 1)) {
        expect(a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]).toBe(false);
      }
    }
  });

  test('start at the bottom of the last page and go upwards row by row', async () => {
    const bytes = await signAll(6, await pages(3), { signatureLocation: 'BottomLastPage' });
    const [one = [], two = [], last = []] = corners(bytes);
    expect([one.length, two.length, last.length]).toEqual([0, 0, 6]);
    expect(last[0]?.[1]).toBeLessThan(25);
    expect(last.slice(0, 5).map(([, y]) => y)).toEqual(Array(5).fill(last[0]?.[1]));
    expect(last[5]?.[0]).toBe(last[0]?.[0]);
    expect(last[5]?.[1]).toBeGreaterThan(last[0]?.[1] ?? 842);
  });

  test('no stamp is drawn if no page has space, but the signature exists', async () => {
    const bytes = await signAll(2, await pages(2, () => [mediaBox]), {
      signatureLocation: 'TopFirstPage',
    });
    expect(corners(bytes)).toEqual([[], []]);
  });
});

describe('texts of stamps', () => {
  test('are inserted literally', () => {
    const text = stampTemplate({
      heading: 'Undirskrift',
      name: 'A {name}\nB\u0007',
      personalCode: '010190-2080',
      reason: 'Ástæða: {}',
      timeLabel: 'Tími: ',
      method: 'Smellur',
    });
    expect(text.split('\n')).toEqual([
      'Undirskrift',
      '# A {{name}} B',
      '010190-2080',
      'Ástæða: {{}}',
      'Tími: {time}',
      'Smellur',
    ]);
  });

  test.runIf(hasPdftotext)('show names, reasons and numbers in several languages', async () => {
    const qualified: Partial<Signee> = { signatureType: 'Qualified', ssn: '6000101992' };
    const process = await world.open([
      person(1, { name: 'Þórður Łucja Čeněk Ödön', language: 'Pl', reason: 'Zgoda {x}' }),
      person(2, { name: 'Ελένη Ивáн Tiếng', language: 'En' }),
      person(3, { ...qualified, language: 'Is' }),
      person(4, { ...qualified, ssn: '6000101996', language: 'Hu', hidePersonalCode: true }),
    ]);
    await signByClick(world.ports, by(process, 0));
    await signByClick(world.ports, by(process, 1));
    for (const index of [2, 3]) {
      const place = by(process, index);
      const { token } = await startQualified(world.ports, { ...place, channel: 'App' });
      world.pass(2_000);
      await pollQualified(world.ports, { ...place, token });
    }
    const path = join(world.stored.folder, 'stamps.pdf');
    writeFileSync(path, await world.bytes(process.key));
    const text = execFileSync('pdftotext', ['-raw', path, '-'], { encoding: 'utf8' });
    const flat = text.replace(/\s+/g, ' ').normalize('NFC');
    for (const expected of ['Þórður Łucja Čeněk Ödön', 'Zgoda {x}', 'Podpisano kliknięciem']) {
      expect(flat).toContain(expected.normalize('NFC'));
    }
    expect(flat).toContain('Ελένη Ивáн Tiếng'.normalize('NFC'));
    for (const name of ['Łucja Żółkiewska', 'Jürgen Weiß']) expect(flat).toContain(name);
    expect(flat).toContain('600010-1992');
    expect(flat).not.toContain('600010-1996');
    expect(flat).toContain('Rafræn skilríki');
    expect(flat).toContain('Elektronikus azonosító');
  });
});
