import {
  addArchiveTimestamp,
  addSignatureTimestamp,
  addValidationValues,
} from '../../../seal/cades/index.ts';
import type { TimestampContext } from '../../../seal/timestamp-client.ts';
import { collectValidationData, type ValidationData } from '../../../seal/validation-data.ts';
import { missingData } from '../../../seal/xades/index.ts';
import type { ContentDigest } from '../../../trust/content-digest.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import type { CadesPreservation } from '../../../verify/cades/index.ts';
import type { CertificateToCheck } from '../../../verify/pdf/index.ts';
import { type ArchivePorts, checkContext, requireRevocation } from '../seal-ports.ts';

/** Signed content of a CAdES signature, and its state at each step of augmentation. */
export interface RaisedSignature {
  readonly content: ContentDigest;
  describe(signature: Uint8Array): CadesPreservation;
}

/** Sources of the data that the signature lacks. */
export interface RaisingParties {
  readonly ports: ArchivePorts;
  readonly timestamps: TimestampContext;
}

/**
 * Augments a SignedData: adds a signature time-stamp to each intact signer without one, the
 * validation data of all signers and authorities, and, if `isArchived`, an archive time-stamp to
 * each signer.
 *
 * @throws tsa.*, revocation.*, certificate.*, network.*
 * @spec ETSI EN 319 122-1 §5.5.3, §6.3
 */
export async function augmentCades(
  signature: Uint8Array,
  { content, describe }: RaisedSignature,
  { ports, timestamps }: RaisingParties,
  isArchived: boolean,
): Promise<Uint8Array> {
  let raised = signature;
  for (const index of describe(raised).unstamped) {
    ({ signature: raised } = await addSignatureTimestamp(raised, index, timestamps));
  }
  const { certificates, present, intact, pool } = describe(raised);
  const data = await missingValidationData(certificates, { present, pool }, ports);
  raised = addValidationValues(raised, data);
  for (const index of isArchived ? intact : []) {
    ({ signature: raised } = await addArchiveTimestamp(raised, index, content, timestamps));
  }
  return raised;
}

/**
 * Collects the validation data of the certificates that is not present yet.
 *
 * @throws certificate.untrusted, certificate.revoked, revocation.missing, network.*
 */
export async function missingValidationData(
  certificates: readonly CertificateToCheck[],
  { present, pool }: { readonly present: ValidationData; readonly pool: CertificatePool },
  ports: ArchivePorts,
): Promise<ValidationData> {
  const revocation = requireRevocation(ports);
  const context = { ...checkContext(ports, pool), revocation, present };
  const data = await collectValidationData(certificates, context);
  return missingData(data, [...present.certificates, ...present.ocsp, ...present.crls]);
}
