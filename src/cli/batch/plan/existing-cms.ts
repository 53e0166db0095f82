import { type ByteSource, wholeBytes } from '../../../base/bytes.ts';
import type { CmsSignatureReport } from '../../../verify/report/index.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import type { BatchRequest } from '../batch.types.ts';
import type { ResultFacts } from './existing-xml.ts';

/**
 * Checks a file that has the name of the result for a CMS file: it must hold content, signers and
 * all that stands around them, and more archive time-stamps. Gives what the record keeps, or why it
 * is no result.
 */
export async function checkCmsResult(
  input: ByteSource,
  source: ByteSource,
  _request: BatchRequest,
  toolkit: Toolkit,
): Promise<ResultFacts | string> {
  const { loadContainerTools } = await import('../../../wire/toolkit.ts');
  const { isAugmentedCms } = await loadContainerTools();
  if (!isAugmentedCms(wholeBytes(input), wholeBytes(source))) return 'does not hold the input';
  const signatures = await signaturesOf(toolkit, source);
  if (signatures.some(({ indication }) => indication === 'TOTAL-FAILED')) {
    return 'carries a signature that is not valid';
  }
  const isArchived = countArchives(signatures) > countArchives(await signaturesOf(toolkit, input));
  return isArchived ? { keptBytes: 0 } : 'carries no new archive time-stamp';
}

async function signaturesOf(
  toolkit: Toolkit,
  source: ByteSource,
): Promise<readonly CmsSignatureReport[]> {
  const report = await toolkit.verify(source, [], { revocation: 'ignore' }).catch(() => undefined);
  return report?.format === 'cms' ? report.signatures : [];
}

function countArchives(signatures: readonly CmsSignatureReport[]): number {
  const stamps = signatures.flatMap(({ timestamps }) => timestamps);
  return stamps.filter(({ valid, covers }) => valid && covers === 'archive').length;
}
