import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import {
  addUnsignedAttribute,
  buildAttribute,
  canonicalSignedAttributes,
  parseSignedData,
  readContentType,
  readMessageDigest,
  readSigningCertificate,
  trimContents,
} from '../../../src/formats/cms/index.ts';
import {
  buildTimestampRequest,
  parseTimestampRequest,
  parseTimestampResponse,
  parseTimestampToken,
} from '../../../src/formats/tsp/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { verifyTimestampToken } from '../../../src/trust/timestamp.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';
import { answerWithFault } from '../../support/tsa.ts';

const pki = makeTestPki();
const request = buildTimestampRequest({
  digest: 'sha256',
  imprint: new Uint8Array(32),
  nonce: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  policy: '2.999.1',
});
const response = answerWithFault(pki, request);
const token = parseTimestampResponse(response).token as Uint8Array;

const readers: Record<string, readonly [Uint8Array, (bytes: Uint8Array) => unknown]> = {
  parseTimestampRequest: [request, parseTimestampRequest],
  parseTimestampResponse: [response, parseTimestampResponse],
  parseTimestampToken: [token, parseTimestampToken],
  trimContents: [token, trimContents],
  addUnsignedAttribute: [
    token,
    (bytes) => addUnsignedAttribute(bytes, buildAttribute('2.999.1', new Uint8Array(0))),
  ],
  parseSignedData: [
    token,
    (bytes) => {
      for (const signer of parseSignedData(bytes).signerInfos) {
        readContentType(signer);
        readMessageDigest(signer);
        readSigningCertificate(signer);
        canonicalSignedAttributes(signer);
      }
    },
  ],
};

/** Truncated, overwritten and repeated bytes, as damage or an attack would cause. */
const damage = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'cut', 'insert', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    octet: fc.oneof(fc.constantFrom(0x00, 0x30, 0x80, 0x84, 0xa0, 0xff), fc.nat(255)),
    count: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function apply(bytes: Uint8Array, steps: typeof damage extends fc.Arbitrary<infer T> ? T : never) {
  let result = Buffer.from(bytes);
  for (const { kind, at, octet, count } of steps) {
    const offset = Math.min(result.length - 1, Math.floor(at * result.length));
    const head = result.subarray(0, offset);
    const tail = result.subarray(offset);
    if (kind === 'set') result = Buffer.concat([head, Buffer.of(octet), tail.subarray(1)]);
    if (kind === 'cut') result = Buffer.concat([head, tail.subarray(count)]);
    if (kind === 'insert') result = Buffer.concat([head, Buffer.alloc(count, octet), tail]);
    if (kind === 'repeat') result = Buffer.concat([head, tail.subarray(0, count), tail]);
    if (result.length === 0) return result;
  }
  return result;
}

describe('damaged CMS bytes', () => {
  test.each(Object.keys(readers))('give a value or an InnsigliError: %s', (name) => {
    const [sample, read] = readers[name]!;
    fc.assert(
      fc.property(damage, (steps) => {
        try {
          read(apply(sample, steps));
        } catch (error) {
          if (!isInnsigliError(error)) throw error;
          expect(['cms.invalid', 'tsp.invalid', 'asn1.invalid']).toContain(error.code);
        }
      }),
      { numRuns: runs(3000), seed: 5652 },
    );
  });

  test('of a token are never trusted, and verifying them never throws', () => {
    const anchors = [pki.member('root').certificate];
    const tsa = pki.member('tsa');
    fc.assert(
      fc.property(damage, (steps) => {
        const bytes = apply(token, steps);
        const pool = createCertificatePool([tsa.der, ...tsa.chain]);
        const imprint = { digest: 'sha256', value: new Uint8Array(32) } as const;
        const verdict = verifyTimestampToken({ token: bytes, imprint, pool, anchors });
        if (verdict.problem === undefined) {
          // Unsigned parts may change: embedded certificates and unsigned attributes.
          const before = parseTimestampToken(token);
          const after = parseTimestampToken(bytes);
          expect(Buffer.compare(after.tstInfoDer, before.tstInfoDer)).toBe(0);
        }
      }),
      { numRuns: runs(1500), seed: 3161 },
    );
  });

  test.each([
    ['sequences', 0x30, 200],
    ['sequences', 0x30, 100_000],
    ['sets', 0x31, 100_000],
    ['octet strings', 0x24, 100_000],
  ])('with %s of indefinite length (tag %i) nested %i deep are rejected', (_, tag, depth) => {
    const bytes = Buffer.alloc(2 * depth);
    for (let i = 0; i < depth; i++) bytes.set([tag, 0x80], 2 * i);
    for (const [, read] of Object.values(readers)) {
      expect(() => read(bytes)).toThrow(expect.objectContaining({ name: 'InnsigliError' }));
    }
  });

  test('with nested definite octet strings in place of the digest are rejected', () => {
    let nest: Buffer = Buffer.of(0x04, 0x00);
    for (let i = 0; i < 5000; i++) {
      const length = nest.length;
      const header = Buffer.of(0x24, 0x83, length >> 16, (length >> 8) & 255, length & 255);
      nest = Buffer.concat([header, nest]);
    }
    const oid = Buffer.from('06092a864886f70d010701', 'hex');
    const wrap = (tag: number, ...parts: Uint8Array[]) => {
      const body = Buffer.concat(parts);
      const header = Buffer.of(
        tag,
        0x83,
        body.length >> 16,
        (body.length >> 8) & 255,
        body.length & 255,
      );
      return Buffer.concat([header, body]);
    };
    const signedOid = Buffer.from('06092a864886f70d010702', 'hex');
    const content = wrap(0x30, oid, wrap(0xa0, nest));
    const signedData = wrap(0x30, Buffer.of(2, 1, 1, 0x31, 0), content, Buffer.of(0x31, 0));
    const bytes = wrap(0x30, signedOid, wrap(0xa0, signedData));
    expect(() => parseSignedData(bytes)).toThrow(
      expect.objectContaining({ code: 'cms.invalid', message: expect.stringMatching(/too deep/) }),
    );
  });
});
