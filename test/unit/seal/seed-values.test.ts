import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asName,
  beginUpdate,
  encodeText,
  listSignatureFields,
  openPdf,
  type PdfObject,
  PdfString,
  pdfName,
} from '../../../src/formats/pdf/index.ts';
import { type SealPdfOptions, sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
type Entries = readonly (readonly [string, PdfObject])[];
const dict = (entries: Entries) => new Map<string, PdfObject>(entries);
const names = (...list: string[]) => list.map(pdfName);
const texts = (...list: string[]) => list.map(encodeText);
const der = (...list: Uint8Array[]) => list.map((bytes) => new PdfString(bytes, true));

/** The agreement with one empty signature field with these entries. */
function withField(entries: Entries): Uint8Array {
  const input = fixture('agreement.pdf');
  const file = openPdf(memorySource(input));
  const update = beginUpdate(file);
  const field = update.allocate();
  update.set(field, dict([['FT', pdfName('Sig')], ['T', encodeText('Approval')], ...entries]));
  const form = dict([['Fields', [field]]]);
  update.set(file.catalogReference, new Map([...file.catalog, ['AcroForm', form]]));
  return concatBytes([input, update.finish().bytes]);
}

const outcome = (seed: Entries, options: Partial<SealPdfOptions> = {}) =>
  sealPdf(
    withField([['SV', dict(seed)]]),
    sealOptions(pki, { level: 'B-B', field: 'Approval', ...options }),
  ).then(
    () => 'sealed',
    (error) => error.code,
  );

const member = pki.member('signer');
const other = pki.member('tsa').der;
const refused = 'seal.seed.refused';

describe('seed values', () => {
  test.each<[string, Entries, Partial<SealPdfOptions>, string]>([
    [
      'filter, ours',
      [
        ['Ff', 1],
        ['Filter', pdfName('Adobe.PPKLite')],
      ],
      {},
      'sealed',
    ],
    [
      'filter, another',
      [
        ['Ff', 1],
        ['Filter', pdfName('Other')],
      ],
      {},
      refused,
    ],
    ['filter, proposed only', [['Filter', pdfName('Other')]], {}, 'sealed'],
    [
      'format, ours among',
      [
        ['Ff', 2],
        ['SubFilter', names('x', 'ETSI.CAdES.detached')],
      ],
      {},
      'sealed',
    ],
    [
      'format, another',
      [
        ['Ff', 2],
        ['SubFilter', names('adbe.pkcs7.detached')],
      ],
      {},
      refused,
    ],
    [
      'version 4',
      [
        ['Ff', 4],
        ['V', 4],
      ],
      {},
      refused,
    ],
    [
      'version 2',
      [
        ['Ff', 4],
        ['V', 2],
      ],
      {},
      'sealed',
    ],
    [
      'reason listed',
      [
        ['Ff', 8],
        ['Reasons', texts('Ástæða', 'B')],
      ],
      { reason: 'Ástæða' },
      'sealed',
    ],
    [
      'reason not listed',
      [
        ['Ff', 8],
        ['Reasons', texts('A')],
      ],
      { reason: 'C' },
      refused,
    ],
    [
      'reason missing',
      [
        ['Ff', 8],
        ['Reasons', texts('A')],
      ],
      {},
      refused,
    ],
    [
      'no reason wanted',
      [
        ['Ff', 8],
        ['Reasons', texts('.')],
      ],
      { reason: 'A' },
      refused,
    ],
    [
      'no reason required or given',
      [
        ['Ff', 8],
        ['Reasons', texts('.')],
      ],
      {},
      'sealed',
    ],
    [
      'digest listed',
      [
        ['Ff', 64],
        ['DigestMethod', texts('SHA1', 'SHA256')],
      ],
      {},
      'sealed',
    ],
    [
      'digest not listed',
      [
        ['Ff', 64],
        ['DigestMethod', texts('SHA512')],
      ],
      {},
      refused,
    ],
    [
      'locked document',
      [
        ['Ff', 128],
        ['LockDocument', pdfName('true')],
      ],
      {},
      refused,
    ],
    [
      'appearance filter',
      [
        ['Ff', 256],
        ['AppearanceFilter', encodeText('x')],
      ],
      {},
      refused,
    ],
    [
      'revocation data at B-B',
      [
        ['Ff', 32],
        ['AddRevInfo', true],
      ],
      {},
      refused,
    ],
    [
      'time-stamp at B-B',
      [
        [
          'TimeStamp',
          dict([
            ['Ff', 1],
            ['URL', encodeText('http://x')],
          ]),
        ],
      ],
      {},
      refused,
    ],
    ['time-stamp proposed', [['TimeStamp', dict([['Ff', 0]])]], {}, 'sealed'],
    ['must not certify', [['MDP', dict([['P', 0]])]], { certify: 2 }, refused],
    ['must certify', [['MDP', dict([['P', 2]])]], {}, refused],
    ['certifies as wanted', [['MDP', dict([['P', 2]])]], { certify: 2 }, 'sealed'],
    ['certifies otherwise', [['MDP', dict([['P', 1]])]], { certify: 2 }, refused],
    [
      'subject listed',
      [
        [
          'Cert',
          dict([
            ['Ff', 1],
            ['Subject', der(other, member.der)],
          ]),
        ],
      ],
      {},
      'sealed',
    ],
    [
      'subject another',
      [
        [
          'Cert',
          dict([
            ['Ff', 1],
            ['Subject', der(other)],
          ]),
        ],
      ],
      {},
      refused,
    ],
    [
      'issuer in the chain',
      [
        [
          'Cert',
          dict([
            ['Ff', 2],
            ['Issuer', der(...member.chain)],
          ]),
        ],
      ],
      {},
      'sealed',
    ],
    [
      'issuer another',
      [
        [
          'Cert',
          dict([
            ['Ff', 2],
            ['Issuer', der(other)],
          ]),
        ],
      ],
      {},
      refused,
    ],
    [
      'policies',
      [
        [
          'Cert',
          dict([
            ['Ff', 4],
            ['OID', texts('1.2.3')],
          ]),
        ],
      ],
      {},
      refused,
    ],
    [
      'key usage any',
      [
        [
          'Cert',
          dict([
            ['Ff', 32],
            ['KeyUsage', texts('XXXXXXX')],
          ]),
        ],
      ],
      {},
      'sealed',
    ],
    [
      'key usage not ours',
      [
        [
          'Cert',
          dict([
            ['Ff', 32],
            ['KeyUsage', texts('XXXXX1X')],
          ]),
        ],
      ],
      {},
      refused,
    ],
    [
      'garbage',
      [
        ['Ff', 511],
        ['SubFilter', 7],
        ['Cert', 5],
        ['MDP', 1],
      ],
      {},
      refused,
    ],
    ['empty', [], {}, 'sealed'],
  ])('are respected: %s', async (_, seed, options, expected) => {
    expect(await outcome(seed, options)).toBe(expected);
  });
});

test('the lock of a field is repeated in its signature', async () => {
  const lock = dict([
    ['Type', pdfName('SigFieldLock')],
    ['Action', pdfName('Include')],
    ['Fields', texts('Total')],
  ]);
  const { bytes } = await sealPdf(
    withField([['Lock', lock]]),
    sealOptions(pki, { level: 'B-B', field: 'Approval' }),
  );
  const file = openPdf(memorySource(bytes));
  const [field] = listSignatureFields(file);
  const [reference] = asArray(field?.value?.get('Reference')) ?? [];
  const transform = asDict(reference);
  expect(asName(transform?.get('TransformMethod'))?.value).toBe('FieldMDP');
  expect(transform?.get('Data')).toEqual(file.catalogReference);
  expect(asName(asDict(transform?.get('TransformParams'))?.get('Action'))?.value).toBe('Include');
  await expect(
    sealPdf(bytes, sealOptions(pki, { level: 'B-B', field: 'Total' })),
  ).rejects.toMatchObject({ code: 'pdf.certified.locked' });
});
