import { describe, expect, test } from 'vitest';
import { archivePdf, sealPdf, verifyDocument } from '../../../src/index.ts';
import { fixture } from '../../support/sealing.ts';

const pdf = fixture('agreement.pdf');
// As plain JavaScript calls them.
const seal = sealPdf as (...args: unknown[]) => Promise<unknown>;
const archive = archivePdf as (...args: unknown[]) => Promise<unknown>;
const verify = verifyDocument as (...args: unknown[]) => Promise<unknown>;
const signer = { sign: () => undefined };

describe('arguments that are not what they should be', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['no options', () => seal(pdf), /options: expected an object/],
    ['no signer', () => seal(pdf, { level: 'B-B' }), /signer: expected/],
    ['a path', () => seal('x.pdf', { level: 'B-B', signer }), /expected bytes/],
    [
      'a level in small letters',
      () => seal(pdf, { level: 'b-b', signer }),
      /B-B, B-T, B-LT, B-LTA/,
    ],
    [
      'an authority that is none',
      () => seal(pdf, { level: 'B-T', signer, timestampAuthority: {} }),
      /timestampAuthority/,
    ],
    ['a revocation source that is none', () => archive(pdf, { revocation: 'x' }), /revocation/],
    ['trust no array', () => verify(pdf, { trust: 'root.pem' }), /trust: expected an array/],
    ['null', () => verify(null), /expected bytes/],
    ['a password that is none', () => verify(pdf, { password: 7 }), /password: expected text/],
  ])('%s: usage.invalid', async (_, call, message) => {
    await expect(call()).rejects.toMatchObject({
      code: 'usage.invalid',
      message: expect.stringMatching(message),
    });
  });
});
