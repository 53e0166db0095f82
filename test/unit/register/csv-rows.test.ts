import { describe, expect, test } from 'vitest';
import { csvRows } from '../../../src/app/register/index.ts';
import { readCsv } from '../../../src/base/csv.ts';
import { manyRows, pieces } from './support.ts';

async function streamed(text: string, size: number) {
  let names: readonly string[] = [];
  const rows = [];
  const check = (found: readonly string[]) => {
    names = found;
  };
  for await (const row of csvRows(pieces(text, size), check)) rows.push(row);
  return { names, rows };
}

const texts: readonly [string, string][] = [
  ['only a header', 'a,b'],
  ['line endings of every kind', 'a,b\r\n1,2\r3,4\n5,6'],
  ['quotes with line ends and quotes', 'a,b\n"1\r\n2","say ""so"""\n3,4\n'],
  ['a byte order mark and semicolons', '\uFEFFa;b\n1;2,5\n'],
  ['a declared separator and empty rows', 'sep=;\r\na;b\r\n\r\n1;2\r\n\r\n3;4'],
  ['characters of two and four bytes', `a,b\n${'þæö😀,ý\n'.repeat(20_000)}`],
  ['more than one block', manyRows(6000)],
  ['a quoted row longer than one block', `a,b\n"${'x\n'.repeat(50_000)}",2\n3,4`],
];

describe('CSV read as a stream', () => {
  test.each(texts)(
    'yields the same rows and row numbers as read in one call: %s',
    async (_, text) => {
      const whole = readCsv(text);
      for (const size of [Math.max(1, Math.ceil(text.length / 3000)), 60_001, 1_000_000]) {
        expect(await streamed(text, size)).toEqual({ names: whole.names, rows: whole.rows });
      }
    },
  );

  test.each(['', '\n \n', 'sep=;\n', '\uFEFF'])(
    'without column names is rejected, as when read in one call: %j',
    async (text) => {
      const fault = { code: 'validation.error', message: expect.stringContaining('first row') };
      expect(() => readCsv(text)).toThrow(expect.objectContaining(fault));
      await expect(streamed(text, 10)).rejects.toMatchObject(fault);
    },
  );

  test('reports an error with its row number even in a later block', async () => {
    const text = `${manyRows(6000)}\n1,2,3,4,5,6`;
    await expect(streamed(text, 10_000)).rejects.toThrow('row 6002: expected at most 5 cells');
  });
});
