import type { ByteSource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { oids } from '../../../formats/asn1/index.ts';
import { parseSignedData, readCmsFile, type SignedData } from '../../../formats/cms/index.ts';
import { contentDigest } from '../../../trust/content-digest.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import {
  describeCadesPreservation,
  type FileBeside,
  findSignedContent,
  verifyCmsFile,
} from '../../../verify/cades/index.ts';
import type { CmsSignatureReport, CmsVerificationReport } from '../../../verify/report/index.ts';
import type { RaisedSignature } from '../cades/augment-cades.ts';
import { sealRules } from '../check-result.ts';
import { requireSoundArchive } from '../long-term-steps.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';

/** A CMS file that can be archived. */
export interface OpenedCms {
  /** ContentInfo with SignedData. */
  readonly signature: Uint8Array;
  readonly signers: readonly IntactSigner[];
  readonly raised: RaisedSignature;
  readonly pool: CertificatePool;
  /** Warnings for the caller's user; more may be added. */
  readonly warnings: string[];
  /** Verifies this file or its augmented form. */
  check(bytes: Uint8Array): CmsVerificationReport;
}

/**
 * Opens a CMS file for archiving.
 *
 * @throws cms.*, archive.timestamp.broken, archive.form.unsupported if it cannot be archived
 */
export function openCms(
  file: Uint8Array,
  ports: ArchivePorts,
  beside: readonly FileBeside[],
): OpenedCms {
  const check = (bytes: Uint8Array) =>
    verifyCmsFile(bytes, beside, { ...checkContext(ports, poolOf(ports)), revocation: sealRules });
  const signature = readCmsFile(file);
  const signedData = parseSignedData(signature);
  const content = requireContent(signedData, beside);
  requireKnownForm(signedData);
  const warnings: string[] = [];
  const signers = intactSigners(check(file), warnings);
  for (const { report, name } of signers) requireSoundArchive(name, report.timestamps);
  const pool = poolOf(ports);
  const raised: RaisedSignature = {
    content: contentDigest(content),
    describe: (bytes) => describeCadesPreservation(bytes, content, checkContext(ports, pool)),
  };
  return { signature, signers, raised, pool, warnings, check };
}

/** @throws cms.signature.none, cms.content.missing */
function requireContent(signedData: SignedData, beside: readonly FileBeside[]): ByteSource {
  const { signerInfos, contentType } = signedData;
  if (contentType === oids.tstInfo) {
    const message = 'the file is a time-stamp token, not a signature';
    throw new InnsigliError('cms.signature.none', message, {
      hint: 'keep it with its document in a container: innsigli archive FILE --timestamp-only',
    });
  }
  if (signerInfos.length === 0) {
    throw new InnsigliError('cms.signature.none', 'there is no signature to preserve');
  }
  const found = findSignedContent(signedData, beside);
  if (found !== undefined) return found.source;
  throw new InnsigliError('cms.content.missing', 'the signature is detached from its content', {
    hint: 'pass the signed file: --detached FILE',
  });
}

/** Archive time-stamps before version 3 cover all certificates and CRLs: additions break them. */
function requireKnownForm({ signerInfos }: SignedData): void {
  const older = [oids.archiveTimeStamp, oids.archiveTimeStampV2];
  const found = signerInfos.some(({ unsignedAttributes }) =>
    older.some((type) => unsignedAttributes.has(type)),
  );
  if (!found) return;
  const message =
    'the file has an archive time-stamp of an older format, which would become invalid';
  throw new InnsigliError('archive.form.unsupported', message, {
    hint: 'archive a container with the file in it: innsigli archive FILE --timestamp-only',
  });
}

/** An intact signer, with its position in the file. */
export interface IntactSigner {
  /** Position, counted from 0. */
  readonly index: number;
  /** Name of the signature in messages. */
  readonly name: string;
  readonly report: CmsSignatureReport;
}

/**
 * Returns the intact signers; each other signer becomes a warning.
 *
 * @throws cms.signature.broken if there is none
 */
function intactSigners(
  { signatures }: CmsVerificationReport,
  warnings: string[],
): readonly IntactSigner[] {
  const signers = signatures.map((report, index) => {
    const name = signatures.length === 1 ? 'of the file' : `of signer ${index + 1}`;
    return { index, name, report };
  });
  for (const { name, report } of signers) {
    if (report.intact) continue;
    const reason = report.findings[0]?.message ?? 'not intact';
    warnings.push(`the earlier signature ${name} was not intact: ${reason}`);
  }
  const intact = signers.filter(({ report }) => report.intact);
  const [broken = 'there is no intact signature to preserve'] = warnings;
  if (intact.length > 0) return intact;
  throw new InnsigliError('cms.signature.broken', broken, {
    hint:
      'find the fault with innsigli verify, then ask for an undamaged copy or a new signature, ' +
      'or pass the signed file: --detached FILE',
  });
}
