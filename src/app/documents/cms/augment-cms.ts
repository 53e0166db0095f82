import { InnsigliError } from '../../../base/errors.ts';
import { writeCmsFile } from '../../../formats/cms/index.ts';
import type { FileBeside } from '../../../verify/cades/index.ts';
import type { CmsSignatureReport, CmsVerificationReport } from '../../../verify/report/index.ts';
import { augmentCades } from '../cades/augment-cades.ts';
import { noteLevels, timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import type { ArchivePorts } from '../seal-ports.ts';
import { resultBytes, type SealedDocument } from '../sealed-document.ts';
import { type IntactSigner, openCms } from './open-cms.ts';

/**
 * Augments every intact signer of a CMS file to the long-term archive level, or renews it: adds a
 * signature time-stamp where a signer has none, validation data for signers and authorities to the
 * SignedData, and an archive-time-stamp-v3 to each signer. Signed bytes and content are unchanged;
 * a PEM file remains PEM.
 *
 * @param beside files that a detached signature may cover
 * @throws cms.signature.none, cms.signature.broken if there is nothing to preserve
 * @throws cms.content.missing if the signature is detached and none of the files matches
 * @throws archive.timestamp.broken if an archive time-stamp is not valid
 * @throws archive.form.unsupported if the file has archive time-stamps of an older form
 * @throws cms.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @spec ETSI EN 319 122-1 §5.5.3, §6.3
 */
export function augmentCms(
  file: Uint8Array,
  given: ArchivePorts,
  beside: readonly FileBeside[] = [],
): Promise<SealedDocument<CmsVerificationReport>> {
  return archivedUntil(given, async (ports) => {
    const opened = openCms(file, ports, beside);
    const { signature, signers, pool, warnings, check, raised } = opened;
    const timestamps = timestampContext(ports, pool, 'B-LTA');
    const made = writeCmsFile(
      await augmentCades(signature, raised, { ports, timestamps }, true),
      file,
    );
    const report = check(made);
    requireSurvival(report, signers);
    const level = noteLevels(
      signers.map(({ report: { level: before }, name, index }) => {
        const now = report.signatures[index] as CmsSignatureReport;
        const form = now.findings.find(({ code }) => code.startsWith('baseline.'))?.message;
        return { name, before, report: now, form };
      }),
      warnings,
    );
    return { ...resultBytes(file, made), ...level, report, warnings };
  });
}

/** @throws cms.signature.broken if an earlier signature has become worse */
function requireSurvival(
  { signatures }: CmsVerificationReport,
  earlier: readonly IntactSigner[],
): void {
  for (const { index, name, report } of earlier) {
    const now = signatures[index];
    const isWorse = report.indication === 'TOTAL-PASSED' && now?.indication !== 'TOTAL-PASSED';
    const stamps = report.timestamps.filter(({ valid }) => valid).length;
    const left = now?.timestamps.filter(({ valid }) => valid).length ?? 0;
    if (now?.intact === true && !isWorse && left > stamps) continue;
    const message = `the signature ${name} would become invalid; nothing was written`;
    throw new InnsigliError('cms.signature.broken', message);
  }
}
