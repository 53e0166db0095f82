import { memorySource } from '../../src/base/bytes.ts';
import { oids, readDer, readOid, readSequence } from '../../src/formats/asn1/index.ts';
import {
  joinSignedData,
  type SignedDataParts,
  type SignerParts,
  splitSignedData,
} from '../../src/formats/cms/index.ts';
import { type CadesRequest, signCades } from '../../src/seal/cades/index.ts';
import type { TimestampContext } from '../../src/seal/timestamp-client.ts';
import { contentDigest } from '../../src/trust/content-digest.ts';
import { createCertificatePool } from '../../src/trust/pool.ts';
import { type CadesContext, verifyCades } from '../../src/verify/cades/index.ts';
import type { CmsSignatureReport } from '../../src/verify/report/report.ts';
import { makeTestPki, type TestMember, type TestPki } from './pki.ts';
import { countingRandom, signerOf } from './sealing.ts';
import { testAuthority } from './tsa.ts';
import { anyStatus } from './verify-document.ts';

/** The content signed in these tests. */
export const cadesContent = memorySource(Buffer.from('Some content to sign.\n'));

/** The time-stamp context of a test PKI. */
export function cadesTimestamps(
  pki: TestPki = makeTestPki(),
  changes: Partial<TimestampContext> = {},
): TimestampContext {
  return {
    authority: testAuthority(pki),
    anchors: [pki.member('root').certificate],
    pool: createCertificatePool([pki.member('ca').der]),
    random: countingRandom(),
    now: () => pki.nowMs,
    ...changes,
  };
}

/** A request for B-LTA by a member; entries of `changes` replace it. */
export function cadesRequest(
  pki: TestPki,
  member: TestMember = pki.member('signer'),
  changes: Partial<CadesRequest> = {},
): CadesRequest {
  return {
    signer: signerOf(member),
    certificate: member.certificate,
    level: 'B-LTA',
    signingTimeMs: pki.nowMs,
    timestamps: cadesTimestamps(pki),
    revocation: pki.revocation,
    ...changes,
  };
}

/** A signature of a member over {@link cadesContent}. */
export async function cadesBy(
  pki: TestPki,
  level: CadesRequest['level'] = 'B-LTA',
  member: TestMember = pki.member('signer'),
): Promise<Uint8Array> {
  const request = cadesRequest(pki, member, { level });
  return (await signCades(contentDigest(cadesContent), request)).signature;
}

/** A new context with the root of the PKI as anchor. */
export function cadesContext(pki: TestPki, changes: Partial<CadesContext> = {}): CadesContext {
  const { certificate, der } = pki.member('root');
  const pool = createCertificatePool([der]);
  const nowMs = pki.nowMs;
  return { anchors: [certificate], pool, nowMs, revocation: anyStatus, ...changes };
}

/** The report on the first signer. */
export function checkCades(
  pki: TestPki,
  signature: Uint8Array,
  changes: Partial<CadesContext> = {},
): CmsSignatureReport {
  const [report] = verifyCades(signature, cadesContent, cadesContext(pki, changes));
  if (report === undefined) throw new Error('no report');
  return report;
}

/** The signature with other parts. */
export function withParts(
  signature: Uint8Array,
  edit: (parts: SignedDataParts) => Partial<SignedDataParts>,
): Uint8Array {
  const parts = splitSignedData(signature);
  return joinSignedData({ ...parts, ...edit(parts) });
}

/** The signature with other unsigned attributes on its first signer. */
export function withAttributesOf(
  signature: Uint8Array,
  edit: (attributes: readonly Uint8Array[]) => readonly Uint8Array[],
): Uint8Array {
  return withParts(signature, ({ signers: [first, ...others] }) => {
    const signer = first as SignerParts;
    const unsignedAttributes = edit(signer.unsignedAttributes);
    return { signers: [{ ...signer, unsignedAttributes }, ...others] };
  });
}

/** Type of an attribute as dotted OID. */
export function typeOf(attribute: Uint8Array): string {
  return readOid(readSequence(readDer(attribute), 'attribute')[0]);
}

/** The unsigned attributes of that type at the first signer. */
export function attributesOf(
  signature: Uint8Array,
  type: string = oids.archiveTimeStampV3,
): readonly Uint8Array[] {
  const [signer] = splitSignedData(signature).signers;
  return (signer?.unsignedAttributes ?? []).filter((attribute) => typeOf(attribute) === type);
}
