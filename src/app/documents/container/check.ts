import { InnsigliError } from '../../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../../base/level.ts';
import type { CheckedSignature, ExaminedContainer } from '../../../verify/container/index.ts';
import { requirePassed } from '../check-result.ts';

/**
 * Returns the intact signatures and time-stamps of a container; each other one becomes a warning.
 * Sealing neither repairs a broken signature nor makes it worse.
 */
export function intactInContainer(
  { checked }: ExaminedContainer,
  warnings: string[],
): readonly CheckedSignature[] {
  for (const { file, report } of checked) {
    if (report.intact) continue;
    const reason = report.findings[0]?.message ?? 'not intact';
    warnings.push(`the earlier signature in ${file} was not intact: ${reason}`);
  }
  return checked.filter(({ report }) => report.intact);
}

/** A key that distinguishes a signature from others of its file, and is unaffected by additions. */
function signatureKey({ file, report }: CheckedSignature): string {
  const { claimedTime, algorithm, signer, kind } = report;
  const place = 'offsetBytes' in report ? report.id : kind;
  return [file, place, claimedTime, algorithm, signer?.serialNumber].join('\n');
}

/**
 * Requires that every earlier signature is still intact and covers what it covered before.
 *
 * @throws container.signature.broken
 */
export function requireContainerSurvival(
  { checked }: ExaminedContainer,
  earlier: readonly CheckedSignature[],
): void {
  const left = checked.filter(({ report }) => report.intact);
  for (const before of earlier) {
    const key = signatureKey(before);
    const at = left.findIndex((now) => signatureKey(now) === key && isWithin(before, now));
    if (at < 0) {
      const message = `the signature in ${before.file} would become invalid; nothing was written`;
      throw new InnsigliError('container.signature.broken', message);
    }
    left.splice(at, 1);
  }
}

/** Manifests of archive time-stamps may be renamed: only their own time-stamps name them. */
function isWithin(before: CheckedSignature, now: CheckedSignature): boolean {
  if (before.role === 'archive') return true;
  for (const name of before.covers) if (!now.covers.has(name)) return false;
  return true;
}

/**
 * Requires that the new signature, the last one of its file, is intact, covers every data file, and
 * has reached its level.
 *
 * @throws seal.selfcheck.failed
 */
export function requireMade(
  { checked, opened }: ExaminedContainer,
  file: string,
  level: SealLevel,
): void {
  const made = checked.findLast((each) => each.file === file);
  const reason = made?.report.findings.map(({ message }) => message).join('; ') ?? 'not found';
  if (made?.report.intact !== true) throw failed(file, reason);
  requirePassed(made.report, level, () => failed(file, reason));
  const open = opened.container.dataFiles.find(({ name }) => !made.covers.has(name));
  if (open !== undefined) throw failed(file, `"${open.name}" is not covered`);
  const { level: found } = made.report;
  if (reachesLevel(found, level)) return;
  throw failed(file, `expected level ${level}, found ${found ?? 'none'}. ${reason}`);
}

function failed(file: string, reason: string): InnsigliError {
  return new InnsigliError('seal.selfcheck.failed', `the new signature in ${file}: ${reason}`);
}
