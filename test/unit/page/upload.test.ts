import { describe, expect, test } from 'vitest';
import { requestedLanguage } from '../../../src/api/routes/pages/asked-language.ts';
import { readMultipart } from '../../../src/api/routes/pages/multipart.ts';
import { formOf } from '../../api/support/upload.ts';
import { fc } from '../../support/property.ts';

const type = 'multipart/form-data; boundary=b';
const part = (disposition: string, content = 'x') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

describe('a form with files', () => {
  test('yields texts and files by field name', () => {
    const texts = `${part('name="a"', 'one\r\ntwo')}${part('name="a"', 'þ')}`;
    const file = part('name="file"; filename="a%22b.pdf"', 'bytes');
    const body = Buffer.from(`${texts}${file}--b--\r\n`);
    const form = readMultipart(body, `${type}; charset=utf-8`);
    expect(form?.texts.getAll('a')).toEqual(['one\r\ntwo', 'þ']);
    const found = form?.files.get('file');
    expect(found?.fileName).toBe('a"b.pdf');
    expect(found?.bytes.toString()).toBe('bytes');
  });

  test('yields file contents unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (content) => {
        const { payload, headers } = formOf('file', 'a.pdf', Buffer.from(content));
        const found = readMultipart(payload, headers['content-type'])?.files.get('file');
        expect(found?.bytes.equals(Buffer.from(content))).toBe(true);
      }),
    );
  });

  test.each([
    ['no boundary', 'multipart/form-data', part('name="file"; filename="a"')],
    ['a different boundary', 'multipart/form-data; boundary=c', part('name="file"; filename="a"')],
    [
      'no closing boundary',
      type,
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
    ],
    ['no headers', type, '--b\r\n--b--\r\n'],
    ['neither part nor closing boundary', type, '--bx\r\n'],
    ['headers that are too long', type, part(`name="file"; filename="${'a'.repeat(9000)}"`)],
    ['too many parts', type, `${part('name="a"').repeat(4097)}--b--\r\n`],
    ['texts that are too long', type, `${part('name="a"', 'x'.repeat(1024 * 1024 + 1))}--b--\r\n`],
  ])('with %s is rejected', (_what, contentType, body) => {
    expect(readMultipart(Buffer.from(body), contentType)).toBeUndefined();
  });

  test.each([
    ['no file name', 'name="file"'],
    ['a different field', 'name="other"; filename="a"'],
  ])('with %s contains no file', (_what, disposition) => {
    const form = readMultipart(Buffer.from(`${part(disposition)}--b--\r\n`), type);
    expect(form?.files.get('file')).toBeUndefined();
  });
});

test.each([
  [undefined, undefined, 'En'],
  [undefined, 'xx', 'En'],
  [undefined, 'no', 'Nb'],
  [undefined, 'nn-NO, en;q=0.9', 'Nb'],
  [undefined, 'en;q=0.5, pl;q=0.7', 'Pl'],
  [undefined, 'is;q=0, da', 'Da'],
  [undefined, '*', 'En'],
  ['hu', 'is', 'Hu'],
  ['xx', 'is', 'Is'],
])('the language for the query %s and the header %s', (asked, accepted, language) => {
  expect(requestedLanguage(asked, accepted)).toBe(language);
});
