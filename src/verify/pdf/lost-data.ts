import { mergeData, type StoredValidationData } from '../existence/index.ts';
import { valueKey } from '../value-key.ts';
import { type LaterChange, otherChange } from './changes/later-change.ts';

/**
 * Changes for validation data that the signed revision or a later update had: data left out is
 * reported, and a store that lost all of it counts as removed. The lost data still proves
 * revocations.
 */
export function lostDataChanges(
  earlier: readonly StoredValidationData[],
  now: () => StoredValidationData,
): readonly LaterChange[] {
  const had = mergeData(earlier);
  if (countOf(had) === 0) return [];
  const has = now();
  if (countOf(has) === 0) return [otherChange('validation data (/DSS) were removed')];
  const lost = [
    told(countMissing(had.certificates, has.certificates), 'certificate'),
    told(countMissing(had.ocsp, has.ocsp), 'OCSP response'),
    told(countMissing(had.crls, has.crls), 'CRL'),
  ].filter((each) => each !== undefined);
  if (lost.length === 0) return [];
  const message = `validation data were left out: ${lost.join(', ')}`;
  return [{ level: 'long-term-data', kind: 'validation-data', message }];
}

function countOf({ certificates, ocsp, crls }: StoredValidationData): number {
  return certificates.length + ocsp.length + crls.length;
}

function countMissing(old: readonly Uint8Array[], now: readonly Uint8Array[]): number {
  const kept = new Set(now.map(valueKey));
  return new Set(old.map(valueKey).filter((each) => !kept.has(each))).size;
}

function told(count: number, what: string): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
