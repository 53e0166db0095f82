import { expect, test } from 'vitest';
import { type ErrorCode, InnsigliError } from '../../src/base/errors.ts';
import { namedError, naming } from '../../src/cli/named-error.ts';

test.each<[string, ErrorCode, string, string]>([
  ['a.pdf', 'pdf.notpdf', 'no header', 'a.pdf: no header'],
  ['-', 'pdf.empty', 'the input is empty', 'standard input: the input is empty'],
  ['a.pdf', 'io.input.notfound', 'no such file: a.pdf', 'no such file: a.pdf'],
  ['a.pdf', 'pdf.truncated', 'a.pdf ends', 'a.pdf ends'],
  ['a.pdf', 'tsa.timeout', 'no answer', 'no answer'],
])('for %s, %s "%s" becomes "%s"', async (name, code, message, expected) => {
  const error = new InnsigliError(code, message, { hint: 'do so' });
  expect(namedError(name, error)).toMatchObject({ code, message: expected, hint: 'do so' });
  await expect(naming(name, () => Promise.reject(error))).rejects.toMatchObject({
    message: expected,
  });
});

test('other errors are rethrown unchanged', async () => {
  const error = new TypeError('x');
  await expect(naming('a.pdf', () => Promise.reject(error))).rejects.toBe(error);
});
