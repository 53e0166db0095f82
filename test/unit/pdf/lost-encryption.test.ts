import { describe, expect, test } from 'vitest';
import { concatBytes, latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';
import { fixture } from '../../support/sealing.ts';

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>';
const lock = '<</Filter /Standard/V 1/R 2/P -4/O(o)/U(u)>>';
const objects = [
  '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n',
  '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n',
  `3 0 obj\n${page}\nendobj\n`,
];
const head = '%PDF-1.7\n';

/** The document and a table whose lines may be damaged. */
function tableOf(more = '', damage: (table: string) => string = (table) => table): string {
  let text = head;
  const rows = ['0000000000 65535 f \n'];
  for (const object of [...objects, ...(more === '' ? [] : [more])]) {
    rows.push(`${String(text.length).padStart(10, '0')} 00000 n \n`);
    text += object;
  }
  const [first, ...others] = rows;
  const table = `xref\n0 1\n${first}1 ${others.length}\n${others.join('')}`;
  const trailer = `trailer\n<</Size ${rows.length}/Root 1 0 R>>\n`;
  return `${text}${damage(table + trailer)}startxref\n${text.length}\n%%EOF\n`;
}

const opened = (text: string) => openPdf(memorySource(latin1Bytes(text)));
const refusal = (text: string) => {
  try {
    opened(text);
    return '';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};
const unreadable = (table: string) => table.replace('trailer', 'traiger');

describe('an encrypted file with a lost trailer', () => {
  const encryption = `4 0 obj\n${lock}\nendobj\n`;
  test.each<[string, string, string]>([
    [
      'an encryption dictionary in no trailer',
      tableOf(encryption, unreadable),
      'pdf.encryption.invalid',
    ],
    [
      'an unreadable trailer that names one',
      tableOf('', (table) => unreadable(table).replace('/Root', '/Encrypt 9 0 R/Root')),
      'pdf.encryption.invalid',
    ],
    ['neither', tableOf('', unreadable), ''],
    ['a text that mentions it', tableOf('4 0 obj\n(the /Encrypt key)\nendobj\n', unreadable), ''],
    ['an unused encryption dictionary in a valid file', tableOf(encryption), ''],
  ])('is reported: %s', (_, text, code) => {
    expect(refusal(text)).toBe(code);
  });
});

describe('a table that only some readers use', () => {
  const doubtOf = (damage: (table: string) => string) => opened(tableOf('', damage)).doubt;
  test.each<[string, (table: string) => string, string | undefined]>([
    ['sound', (table) => table, undefined],
    [
      'garbage after a number',
      (table) => table.replace('\n1 3\n', '\n1x 3\n'),
      'some use its damaged cross-reference table',
    ],
    [
      'garbage and no trailer',
      (table) => unreadable(table.replace('\n1 3\n', '\n1x 3\n')),
      undefined,
    ],
    ['garbage in place of a number', (table) => table.replace('\n1 3\n', '\nx 3\n'), undefined],
  ])('raises a doubt only if readers may differ: %s', (_, damage, doubt) => {
    expect(doubtOf(damage)).toBe(doubt);
  });
});

describe('a cross-reference stream with the number of another object', () => {
  /** Its own entry points `shift` bytes after its start. */
  function streamOf(number: number, lead = '', shift = 0): Uint8Array {
    let text = head;
    const places: number[] = [];
    for (const object of objects) {
      places.push(text.length);
      text += object;
    }
    const start = text.length;
    const count = Math.max(objects.length, number) + 1;
    const rows = Buffer.alloc(count * 6);
    const put = (at: number, offset: number) => {
      rows.writeUInt8(1, at * 6);
      rows.writeUInt32BE(offset, at * 6 + 1);
    };
    if (number > objects.length) put(number, start + shift);
    for (const [at, place] of places.entries()) put(at + 1, place);
    const dict = `<</Type/XRef/Size ${count}/W[1 4 1]/Root 1 0 R/Length ${rows.length}>>`;
    return concatBytes([
      latin1Bytes(`${text}${lead}${number} 0 obj\n${dict}\nstream\n`),
      rows,
      latin1Bytes(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`),
    ]);
  }

  test.each<[string, Uint8Array, string | undefined]>([
    ['a separate number', streamOf(4), undefined],
    ['with a comment before it', streamOf(4, '% x\n', 4), undefined],
    ['with an entry for a missing object', streamOf(4, '', 9), undefined],
    [
      'the number of the page',
      streamOf(3),
      'the cross-reference stream uses the number of object 3',
    ],
  ])('raises a doubt only if it conflicts: %s', (_, bytes, doubt) => {
    expect(openPdf(memorySource(bytes)).doubt).toBe(doubt);
  });
});

describe('a duplicated encryption dictionary', () => {
  const whole = latin1Text(fixture('encrypted.pdf'));
  const [, number = ''] = /\/Encrypt (\d+) 0 R/.exec(whole) ?? [];
  const at = whole.lastIndexOf('xref\n', whole.lastIndexOf('startxref') - 1);
  const found = (more: string): readonly string[] => {
    const bytes = latin1Bytes(`${whole.slice(0, at)}${more}${whole.slice(at)}`);
    const file = openPdf(memorySource(bytes), { password: 'fixture' });
    return file.findings.map(({ code }) => code);
  };

  test('raises no doubt if the file is unchanged or has one more object', () => {
    expect(found('')).toEqual([]);
    expect(found('999 0 obj\nnull\nendobj\n')).toEqual(['xref.misplaced']);
  });

  test('is reported when the file must be scanned, since some viewers use the last', () => {
    const other = `${number} 0 obj\n<</Filter/Standard/V 5/R 2>>\nendobj\n`;
    expect(found(other)).toEqual(['xref.misplaced', 'reading.ambiguous']);
  });
});
