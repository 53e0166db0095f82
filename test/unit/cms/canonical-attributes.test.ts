import { describe, expect, test } from 'vitest';
import { der, readDer } from '../../../src/formats/asn1/index.ts';
import { canonicalDer, isCanonicalDer } from '../../../src/formats/cms/canonical-der.ts';
import { fc } from '../../support/property.ts';

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

describe('isCanonicalDer', () => {
  test.each([
    ['a sequence', '3003020105', true],
    ['a length of two bytes that needs one', '308103020105', false],
    ['an indefinite length', '30800201050000', false],
    ['a constructed string', '2406040101040102', false],
    ['true in DER', '0101ff', true],
    ['true in BER', '010101', false],
    ['a sorted set', '3106020101020102', true],
    ['an unsorted set', '3106020102020101', false],
    ['a set whose first member is a prefix of the second', '310704010104020100', true],
    ['a non-canonical element deep inside', '3007a0053003010101', false],
  ])('recognises whether the encoding is canonical: %s', (_, hex, expected) => {
    expect(isCanonicalDer(readDer(bytesOf(hex)))).toBe(expected);
  });

  test('is true exactly for bytes that canonicalDer leaves unchanged', () => {
    const leaf = fc
      .tuple(fc.constantFrom(0x02, 0x04, 0x01, 0x80), fc.uint8Array({ minLength: 1, maxLength: 4 }))
      .map(([tag, content]) => der.element(tag, [content]));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, leaf, tie('inner')),
      inner: fc
        .tuple(fc.constantFrom(0x30, 0x31, 0xa0), fc.array(tie('tree'), { maxLength: 4 }))
        .map(([tag, parts]) => der.element(tag, parts as Uint8Array[])),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const bytes = value as Uint8Array;
        const isSame = Buffer.compare(canonicalDer(readDer(bytes)), bytes) === 0;
        expect(isCanonicalDer(readDer(bytes))).toBe(isSame);
      }),
    );
  });
});
