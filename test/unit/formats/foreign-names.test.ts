import { expect, test } from 'vitest';
import { foreignNameFault } from '../../../src/formats/zip/index.ts';

test.each([
  ['a.pdf', undefined],
  ['möppu/skjal (1).pdf', undefined],
  ['console.txt', undefined],
  ['com10.txt', undefined],
  ['.hidden', undefined],
  ['CON', 'device'],
  ['a/NUL.txt', 'device'],
  ['com1.tar.gz', 'device'],
  ['LPT¹', 'device'],
  ['aux .txt', 'device'],
  ['trail.', 'dot or space'],
  ['trail /a', 'dot or space'],
  ['a:b', 'the character :'],
  ['what?', 'the character ?'],
  ['-rf', 'hyphen'],
  ['a/--help', 'hyphen'],
  [' a', 'starts with a space'],
  ['a\u202egpj.exe', 'U+202E'],
  ['a\u200bb', 'U+200B'],
  ['a\u2066b', 'U+2066'],
  ['a\u0085b', 'U+0085'],
  ['\ufeffa', 'U+FEFF'],
])('checks the name %s for every operating system', (name, said) => {
  const fault = foreignNameFault(name);
  if (said === undefined) expect(fault).toBeUndefined();
  else expect(fault).toContain(said);
});
