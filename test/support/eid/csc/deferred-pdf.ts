import type { SealPdfRequest } from '../../../../src/app/documents/pdf/seal-pdf.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import type { SignatureAlgorithm } from '../../../../src/formats/x509/index.ts';
import type { TimestampAuthority } from '../../../../src/seal/ports.ts';
import { countingRandom, fixture } from '../../sealing.ts';
import { testAuthority } from '../../tsa.ts';
import { type CscBenchOptions, cscPki, cscRequest, openCscBench } from './csc-bench.ts';
import {
  captureSignedBytes,
  embedSignature,
  type PassPorts,
  signRemotely,
} from './two-pass-seal.ts';

/** Token length promised by the authorities of the passes. */
export const promisedTokenBytes = 8_192;

/** The authority of a pass: with a promised length, so that no learned length counts. */
export const promisingAuthority = (): TimestampAuthority => ({
  ...testAuthority(cscPki),
  tokenLengthBytes: promisedTokenBytes,
});

/** Ports of the passes of one signature: the same authority, clock and randomness in each. */
export const passPorts =
  (authority: () => TimestampAuthority = promisingAuthority, nowMs = cscPki.nowMs): PassPorts =>
  () => ({
    authority: authority(),
    revocation: cscPki.revocation,
    anchors: [cscPki.member('root').certificate],
    now: () => nowMs,
    random: countingRandom(),
  });

/** A seal of a file of fixtures/pdf. */
export const fixtureRequest = (
  file: string,
  changes: Partial<SealPdfRequest> = {},
): SealPdfRequest => ({
  source: memorySource(fixture(file)),
  level: 'B-B',
  reason: 'Approved',
  ...changes,
});

/** The certificates of the credential, as the driver finds them. */
export async function certificatesOf(bench: ReturnType<typeof openCscBench>) {
  const found = await bench.driver.findCertificates?.(cscRequest({} as never), bench.environment);
  return found?.certificates ?? [];
}

/** A complete deferred signature; returns the sealed document. */
export async function sealDeferred(
  request: SealPdfRequest,
  options: CscBenchOptions,
  algorithm: SignatureAlgorithm,
  first: PassPorts = passPorts(),
  second: PassPorts = first,
) {
  const bench = openCscBench(options);
  const certificates = await certificatesOf(bench);
  const signedBytes = await captureSignedBytes(request, first, certificates, algorithm);
  const signature = await signRemotely(bench, certificates, signedBytes);
  return embedSignature(request, second, signature, signedBytes);
}
