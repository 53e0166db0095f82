import { describe, expect, test } from 'vitest';
import { latin1Bytes } from '../../src/base/bytes.ts';
import { isInnsigliError } from '../../src/base/errors.ts';
import { sealPdf, verifyDocument } from '../../src/index.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';
import { sealOptions } from '../support/sealing.ts';
import { latin1 } from '../support/shadow.ts';
import { documentOf, objects, pki, signedDocument, updated } from './pdf-changes/documents.ts';

const verifying = {
  trust: [pki.member('root').der],
  at: new Date(pki.nowMs),
  revocationMode: 'ignore',
} as const;

describe.each(['table', 'streams'] as const)('a signed PDF (cross-reference: %s)', (shape) => {
  test('is not valid with any covered byte changed', async () => {
    const { bytes } = await signedDocument(shape, 'none');
    const [report] = (await verifyDocument(bytes, verifying)).signatures;
    if (report === undefined || !('byteRange' in report)) throw new Error('no signature');
    const [, first = 0, second = 0, rest = 0] = report.byteRange;
    const covered = fc.integer({ min: 0, max: first + rest - 1 });
    await fc.assert(
      fc.asyncProperty(covered, fc.integer({ min: 1, max: 255 }), async (index, flips) => {
        const at = index < first ? index : second + index - first;
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] as number) ^ flips;
        expect(await indicationOf(changed)).not.toBe('TOTAL-PASSED');
      }),
      { numRuns: runs(400) },
    );
  });
});

async function indicationOf(bytes: Uint8Array): Promise<string> {
  try {
    return (await verifyDocument(bytes, verifying)).indication;
  } catch (error) {
    if (isInnsigliError(error)) return error.code;
    throw error;
  }
}

/** Unusual documents whose signatures must still be found. */
const odd: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'a form that names absent fields': {
    10: objects[10]?.replace('/Fields[', '/Fields[77 0 R null 5 88 0 R ') ?? '',
  },
  'a field that is its own kid': { 15: '<</FT/Btn/T(choice)/Kids[15 0 R 16 0 R 17 0 R]>>' },
  'a field that is its own parent': { 15: '<</FT/Btn/T(choice)/Parent 15 0 R/Kids[16 0 R]>>' },
  'two fields that are kids of each other': {
    15: '<</FT/Btn/T(choice)/Kids[25 0 R]>>',
    25: '<</T(x)/Parent 15 0 R/Kids[15 0 R]>>',
  },
  'dangling annotations': {
    30: objects[30]?.replace('/MediaBox', '/Annots[77 0 R null 30 0 R]/MediaBox') ?? '',
  },
  'a cyclic page tree': { 2: '<</Type/Pages/Kids[3 0 R 30 0 R 2 0 R]/Count 2>>' },
};

describe.each(Object.entries(odd))('a PDF with %s', (_, changes) => {
  test.each(['table', 'streams'] as const)(
    'its signature is found, and a later update detected (%s)',
    async (shape) => {
      const document = await signedDocument(shape, 'none', 'B-B', changes);
      const started = performance.now();
      const whole = await verifyDocument(document.bytes, verifying);
      expect(whole.signatures[0]).toMatchObject({ field: 'Seal', indication: 'TOTAL-PASSED' });
      const forged = updated(document, { 4: objects[31] ?? '' });
      const { signatures } = await verifyDocument(forged, verifying);
      expect(signatures[0]?.findings.map(({ code }) => code)).toContain('document.changed');
      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );
});

/** A signed document as Latin-1 whose text matches the pattern: one in 16 values ends with a 0. */
async function signedTextWith(pattern: RegExp): Promise<string> {
  for (let round = 0; round < 500; round++) {
    const more = { reason: `round ${round}` };
    const text = latin1((await signedDocument('table', 'none', 'B-B', {}, more)).bytes);
    if (pattern.test(text)) return text;
  }
  throw new Error(`no signature in 500 has ${pattern.source}`);
}

describe('malformed bytes in a signed PDF', () => {
  // ISO 32000-2 §12.8.1 excludes only the value itself; validators in use reject spaces.
  test.each([
    ['spaces', /(\/Contents ?<[\da-f]+)[\da-f]{8}>/, '$1 \t\r\n    >'],
    // With an odd number of digits the last one counts as 0: the value stays as long as it was.
    ['one space', /(\/Contents ?<[\da-f]+)0>/, '$1 >'],
  ])('/Contents with %s between its digits fails', async (_, found, written) => {
    const text = await signedTextWith(found);
    const spaced = text.replace(found, written);
    const [report] = (await verifyDocument(latin1Bytes(spaced), verifying)).signatures;
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' });
    expect(report?.findings.map(({ code }) => code)).toContain('signature.range.hole');
  });

  test('/Prev 0 before signing means that there is no earlier section', async () => {
    const text = latin1(documentOf('table')).replace('/Info 24 0 R', '/Info 24 0 R/Prev 0');
    const { bytes } = await sealPdf(latin1Bytes(text), sealOptions(pki, { level: 'B-B' }));
    expect(await indicationOf(new Uint8Array(bytes))).toBe('TOTAL-PASSED');
  });

  test.each<[string, RegExp, string]>([
    ['/ByteRange past the end', /(\/ByteRange ?\[0 \d+ \d+ )\d(\d*)/, '$19$2'],
    ['/ByteRange that starts later', /(\/ByteRange ?\[)0/, '$17'],
    ['/Prev 0 of the signed section', /\/Prev \d+/, '/Prev 0'],
    ['/Prev that refers to itself', /\/Prev \d+/, '/Prev 9'],
  ])('%s: does not pass, and is concluded in time', async (_, found, written) => {
    const { bytes } = await signedDocument('table', 'none');
    const text = latin1(bytes);
    const changed = text.replace(found, (match) => {
      const now = match.replace(found, written);
      return now.length <= match.length ? now.padEnd(match.length) : now;
    });
    const started = performance.now();
    expect(await indicationOf(latin1Bytes(changed))).not.toBe('TOTAL-PASSED');
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
