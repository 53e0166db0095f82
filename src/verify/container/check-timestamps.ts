import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { parseTimestampToken } from '../../formats/tsp/index.ts';
import {
  type CheckedTimestampFile,
  mergeData,
  type OuterTimestamp,
  tokenData,
  verifyTimestampFile,
} from '../cades/index.ts';
import { type StoredValidationData, withEvidenceUnder } from '../existence/index.ts';
import type { CmsSignatureReport, Finding } from '../report/index.ts';
import { checkManifest, type ManifestVerdict, withManifest } from './check-manifest.ts';
import { type CheckedSignature, type OpenedContainer, simpleContent } from './open-container.ts';
import { uncheckedCms } from './outcome.ts';

/** Result for one time-stamp file. */
export interface CheckedStamp {
  readonly file: string;
  readonly token: Uint8Array;
  /** Validation data in the token. */
  readonly data: StoredValidationData;
  readonly role: 'timestamp' | 'archive';
  readonly contentName: string | undefined;
  /** Names of the covered files, including the content. Empty if something is invalid. */
  readonly covers: ReadonlySet<string>;
  /** Names listed in its manifest, whether valid or not. */
  readonly listed: ReadonlySet<string>;
  /** Undefined if it is unclear what the time-stamp covers. */
  readonly checked: CheckedTimestampFile | undefined;
  readonly report: CmsSignatureReport;
}

interface StampPlan {
  readonly file: string;
  readonly token: Uint8Array;
  readonly role: CheckedStamp['role'];
  readonly contentName: string;
  readonly content: Uint8Array;
  readonly manifest: ManifestVerdict | undefined;
  readonly covers: ReadonlySet<string>;
  /** Epoch milliseconds; 0 if the token cannot be read. */
  readonly statedMs: number;
}

/**
 * Verifies all time-stamp files, oldest first. The existence of each is proven by the later ones
 * that cover it and its content; that of the last one by the present.
 *
 * @spec ETSI EN 319 162-1 §4.3.3.2, §4.4.4, Annex A.7
 */
export function checkStamps(opened: OpenedContainer): readonly CheckedStamp[] {
  const files = opened.container.signatureFiles.filter(({ type }) => type === 'timestamp');
  if (files.length > limits.containerTimestamps) {
    const message = `more than ${limits.containerTimestamps} time-stamps`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const plans: StampPlan[] = [];
  const stamps: CheckedStamp[] = [];
  for (const { name } of files) {
    const plan = planStamp(name, opened);
    if ('code' in plan) stamps.push(indeterminateTrust(name, plan, opened));
    else plans.push(plan);
  }
  for (const plan of plans.sort(latestFirst)) stamps.push(checkStamp(plan, opened, stamps));
  return stamps.reverse();
}

function latestFirst(a: StampPlan, b: StampPlan): number {
  const isUnder = (later: StampPlan, earlier: StampPlan) => Number(later.covers.has(earlier.file));
  return b.statedMs - a.statedMs || isUnder(b, a) - isUnder(a, b);
}

function planStamp(file: string, opened: OpenedContainer): StampPlan | Finding {
  const { contents, manifests, nowMs, algorithms } = opened;
  const token = contents.read(file) as Uint8Array;
  const statedMs = attempt(() => parseTimestampToken(token).info.genTimeMs) ?? 0;
  const name = simpleContent(opened);
  const found = manifests.find(file, ['signature', 'archive']);
  if ('code' in found) {
    // In an ASiC-S, one time-stamp may cover the data file itself.
    const isSimple = found.code.endsWith('.missing') && file === 'META-INF/timestamp.tst';
    const content = isSimple && name !== undefined ? contents.lend(name) : undefined;
    if (name === undefined || content === undefined) return found;
    const covers = new Set([name]);
    const base = { file, token, statedMs, covers, content, contentName: name };
    return { ...base, role: 'timestamp', manifest: undefined };
  }
  const isArchive = found.type === 'archive';
  const manifest = checkManifest(found.name, found.manifest, {
    contents,
    when: { atMs: nowMs, ...defined({ table: algorithms }) },
    refusal(listed) {
      if (listed === found.name || listed === file) return 'the manifest lists itself';
      if (isArchive || !(listed.startsWith('META-INF/') || listed === 'mimetype')) return undefined;
      return 'only an archive manifest may list files that are not data files';
    },
  });
  return {
    file,
    token,
    statedMs,
    role: isArchive ? 'archive' : 'timestamp',
    contentName: found.name,
    content: found.bytes,
    manifest,
    covers: manifest.outcome === undefined ? manifest.covers : new Set(),
  };
}

function checkStamp(
  { file, token, role, contentName, content, manifest, covers }: StampPlan,
  opened: OpenedContainer,
  later: readonly CheckedStamp[],
): CheckedStamp {
  const { nowMs } = opened;
  const covering = coveringStamps(file, new Set([contentName]), later);
  const times = covering.flatMap(({ proof: { timeMs } }) => timeMs ?? []);
  const provedMs = Math.min(nowMs, ...times);
  const under = covering.map(({ proof, covered = () => tokenData(token) }) => ({
    proof,
    covered: () => mergeData([tokenData(token), covered()]),
  }));
  const context = { ...withEvidenceUnder(opened, under), provedMs, contentName };
  const checked = verifyTimestampFile(token, memorySource(content), context);
  const own = { ...checked.report, file };
  const names = (manifest?.references ?? []).flatMap(({ target }) => target ?? []);
  return {
    file,
    token,
    data: tokenData(token),
    role,
    contentName,
    covers: checked.verdict.valid ? covers : new Set(),
    listed: new Set(names),
    checked,
    report: manifest === undefined ? own : withManifest(own, manifest),
  };
}

function indeterminateTrust(
  file: string,
  finding: Finding,
  { contents, nowMs }: OpenedContainer,
): CheckedStamp {
  const token = contents.read(file) as Uint8Array;
  return {
    file,
    token,
    data: tokenData(token),
    // It is unknown which data it covers.
    role: 'archive',
    contentName: undefined,
    covers: new Set(),
    listed: new Set(),
    checked: undefined,
    report: uncheckedCms(file, 'timestamp', finding, nowMs),
  };
}

/** The archive time-stamps that cover a signature file and all its content. */
export function coveringStamps(
  file: string,
  names: ReadonlySet<string>,
  stamps: readonly CheckedStamp[],
): readonly OuterTimestamp[] {
  if (names.size === 0) return [];
  return stamps.flatMap(({ role, covers, checked }) => {
    if (role !== 'archive' || checked === undefined || !covers.has(file)) return [];
    for (const name of names) if (!covers.has(name)) return [];
    const inside = stamps.filter((earlier) => covers.has(earlier.file));
    return [{ ...checked, covered: () => mergeData(inside.map(({ data }) => data)) }];
  });
}

/** The invalid archive time-stamps that list a file. */
export function brokenStamps(
  file: string,
  stamps: readonly CheckedStamp[],
): readonly CheckedStamp[] {
  return stamps.filter(({ role, listed, report }) => {
    return role === 'archive' && listed.has(file) && !report.intact;
  });
}

/** The result in the form used for all signatures and time-stamps of the container. */
export function asSignature({ file, role, contentName, covers, report }: CheckedStamp) {
  const whole: CheckedSignature = { file, role, report, covers, touches: covers };
  return contentName === undefined ? whole : { ...whole, contentName };
}
