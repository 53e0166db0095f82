import { describe, expect, test } from 'vitest';
import { der, readDer, readOid } from '../../../src/formats/asn1/index.ts';

describe('object identifiers with long arcs', () => {
  test.each([
    '2.25.295473616514086262613038031948910107671',
    '2.25.340282366920938463463374607431768211455',
    '2.25.0',
    '1.2.9007199254740993.4',
    '2.999.18446744073709551616',
  ])('%s survives a round trip', (text) => {
    expect(readOid(readDer(der.oid(text)))).toBe(text);
  });

  test('an arc above 128 bits is rejected', () => {
    const written = der.oid('2.25.340282366920938463463374607431768211456');
    expect(() => readOid(readDer(written))).toThrow('arc too large');
  });

  test('an unterminated long arc is rejected', () => {
    const content = new Uint8Array(12).fill(0xff);
    expect(() => readOid(readDer(der.element(0x06, [content])))).toThrow('truncated');
  });
});
