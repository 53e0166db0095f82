import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../src/formats/cms/index.ts';
import { buildMessageImprint, buildTstInfo } from '../../src/formats/tsp/index.ts';
import {
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import { verifyTimestampFile } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedSigner, craftCms, crlsOf, membersOf } from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';

const pki = makeTestPki();
const data = Buffer.from('Pay 100 to the bearer.\n');
const content = buildTstInfo({
  policy: '2.999.1',
  imprintDer: buildMessageImprint('sha256', createHash('sha256').update(data).digest()),
  serialNumber: Uint8Array.of(1, 2, 3),
  genTimeMs: pki.nowMs - 60_000,
});

/** The report on a token of the test authority, well-formed except for the given parts. */
function check(crafted: Partial<CraftedSigner> = {}) {
  const token = craftCms({
    content,
    embedded: content,
    contentType: oids.tstInfo,
    signers: [{ signer: pki.member('tsa'), ...crafted }],
    crls: crlsOf(pki),
  });
  return verifyTimestampFile(token, memorySource(data), cadesContext(pki)).report;
}

describe('signed attributes of a time-stamp token', () => {
  test('pass if they are well-formed', () => {
    expect(check()).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  });

  // RFC 5652 §5.4: their DER encoding is signed, in which a SET OF is sorted.
  test('that are not in DER order leave the token INDETERMINATE', () => {
    const attributes: CraftedSigner['attributes'] = (list) => list.toReversed();
    expect(check({ attributes })).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIG_CRYPTO_FAILURE',
      intact: false,
    });
    const signed = (written: Uint8Array) => der.setOf(...membersOf(written));
    expect(check({ attributes, signed })).toMatchObject({ indication: 'TOTAL-PASSED' });
  });

  // RFC 6211 §3: the algorithms in the attribute must be those of the signer.
  test('that name different algorithms fail the token', () => {
    const { algorithm } = pki.member('tsa');
    const digest = algorithm.scheme === 'ed25519' ? 'sha512' : algorithm.digest;
    const named = (one: 'sha256' | 'sha384' | 'sha512') => {
      const written = serializeSignatureAlgorithm(algorithm);
      const signature = Buffer.concat([Buffer.of(0xa1), written.subarray(1)]);
      const value = der.sequence(serializeDigestAlgorithm(one), signature);
      const attribute = buildAttribute(oids.algorithmProtection, value);
      return check({ attributes: (list) => der.sortedSet([...list, attribute]) });
    };
    expect(named(digest as 'sha256')).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(named(digest === 'sha256' ? 'sha512' : 'sha256')).toMatchObject({
      indication: 'TOTAL-FAILED',
      intact: false,
    });
  });
});
