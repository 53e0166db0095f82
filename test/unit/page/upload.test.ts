import { describe, expect, test } from 'vitest';
import { askedLanguage } from '../../../src/api/routes/pages/asked-language.ts';
import { uploadedFile } from '../../../src/api/routes/pages/multipart.ts';
import { formOf } from '../../api/support/upload.ts';
import { fc } from '../../support/property.ts';

const type = 'multipart/form-data; boundary=b';
const part = (disposition: string, content = 'x') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

describe('the file of a form', () => {
  test('is the one of the field, whatever stands before it', () => {
    const body = `${part('name="a"', 'text')}${part('name="file"; filename="a%22b.pdf"', 'bytes')}--b--\r\n`;
    const found = uploadedFile(Buffer.from(body), `${type}; charset=utf-8`, 'file');
    expect(found?.fileName).toBe('a"b.pdf');
    expect(found?.bytes.toString()).toBe('bytes');
  });

  test('comes out as it went in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (content) => {
        const { payload, headers } = formOf('file', 'a.pdf', Buffer.from(content));
        const found = uploadedFile(payload, headers['content-type'], 'file');
        expect(found?.bytes.equals(Buffer.from(content))).toBe(true);
      }),
    );
  });

  test.each([
    ['no boundary', 'multipart/form-data', part('name="file"; filename="a"')],
    ['another boundary', 'multipart/form-data; boundary=c', part('name="file"; filename="a"')],
    ['no end', type, '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx'],
    ['no headers', type, '--b\r\n--b--\r\n'],
    ['only an end', type, '--b--\r\n'],
    ['headers that are too long', type, part(`name="file"; filename="${'a'.repeat(9000)}"`)],
    ['no name of a file', type, `${part('name="file"')}--b--\r\n`],
    ['another field', type, `${part('name="other"; filename="a"')}--b--\r\n`],
    ['too many parts', type, `${part('name="a"').repeat(9)}${part('name="file"; filename="a"')}`],
  ])('%s: none', (_what, contentType, body) => {
    expect(uploadedFile(Buffer.from(body), contentType, 'file')).toBeUndefined();
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
])('language: %s, %s', (wish, accepted, language) => {
  expect(askedLanguage(wish, accepted)).toBe(language);
});
