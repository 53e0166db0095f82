import { readFileSync } from 'node:fs';
import {
  keyObjectSigner,
  type SealPdfOptions,
  type Signer,
  type TimestampAuthority,
} from '../../src/index.ts';
import { makeTestPki, type TestMember, type TestPki } from './pki.ts';
import { testAuthority } from './tsa.ts';

/** Bytes of a file of fixtures/pdf. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../fixtures/pdf/${name}`, import.meta.url)));
}

/** Deterministic pseudo-random bytes. */
export function countingRandom(): (count: number) => Uint8Array {
  let state = 1;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    });
}

/** An authority that counts its requests. */
export function countingAuthority(inner: TimestampAuthority) {
  const counter = { requests: 0 };
  const authority: TimestampAuthority = {
    ...inner,
    timestamp(request) {
      counter.requests++;
      return inner.timestamp(request);
    },
  };
  return { authority, counter };
}

/** A signer of the test PKI. */
export function signerOf({ der, chain, privateKey, algorithm }: TestMember): Signer {
  const { scheme, digest } = algorithm;
  return keyObjectSigner({ certificate: der, chain, privateKey, scheme, digest });
}

/** Options that seal at B-LTA with the test PKI; entries of `changes` replace them. */
export function sealOptions(
  pki: TestPki = makeTestPki(),
  changes: Partial<SealPdfOptions> = {},
): SealPdfOptions {
  return {
    signer: signerOf(pki.member('signer')),
    timestampAuthority: testAuthority(pki),
    revocation: pki.revocation,
    trust: [pki.member('root').der],
    now: () => new Date(pki.nowMs),
    random: countingRandom(),
    ...changes,
  };
}
