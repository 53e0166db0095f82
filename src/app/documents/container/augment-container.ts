import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import type { SealLevel } from '../../../base/level.ts';
import { updateZip, type ZipFile } from '../../../formats/zip/index.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import {
  brokenStamps,
  type CheckedSignature,
  containerFinder,
  type ExaminedContainer,
  examineContainer,
  reportOnContainer,
} from '../../../verify/container/index.ts';
import type { ContainerVerificationReport } from '../../../verify/report/index.ts';
import { sealRules } from '../check-result.ts';
import {
  brokenArchive,
  noteLevels,
  requireSoundArchive,
  timestampContext,
} from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext } from '../seal-ports.ts';
import { resultBytes, type SealedDocument } from '../sealed-document.ts';
import { augmentSignatures } from '../xml/augment-xml.ts';
import { addArchiveStamp } from './archive-stamp.ts';
import { intactInContainer, requireContainerSurvival } from './check.ts';
import { preserveCades } from './preserve.ts';

/**
 * Augments every intact signature and time-stamp of an ASiC container to the long-term archive
 * level, or renews it. XAdES signatures and those of an ASiC-S get their own archive time-stamp;
 * everything else gets one for the whole container, by means of an ASiCArchiveManifest.
 *
 * @throws container.signature.none if there is nothing to preserve
 * @throws archive.timestamp.broken if an archive time-stamp is not valid
 * @throws container.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @spec ETSI EN 319 162-1 §4.3, §4.4, Annex A.7
 */
export function augmentContainer(
  bytes: Uint8Array,
  given: ArchivePorts,
): Promise<SealedDocument<ContainerVerificationReport>> {
  return archivedUntil(given, async (ports) => {
    const { now } = ports;
    const { examined, earlier, warnings } = openForArchive(bytes, ports);
    const { pool } = examined.opened;
    const { files, isWhole, kept } = await preserve(examined, earlier, ports, warnings);
    if (files.length === 0 && !isWhole) throw nothingToPreserve(warnings);
    const { container } = examined.opened;
    const made = isWhole
      ? await addArchiveStamp(container, timestampContext(ports, pool, 'B-LTA'), { changes: files })
      : updateZip(container.archive, { files }, { modified: new Date(now()) });
    const result = examineContainer(made, { ...checkContext(ports, pool), revocation: sealRules });
    requireContainerSurvival(result, earlier);
    const level = levelOf(result, kept, warnings);
    const report = reportOnContainer(result);
    return { ...resultBytes(bytes, made), ...level, report, warnings };
  });
}

/** A container that can be archived. */
export interface ContainerToArchive {
  readonly examined: ExaminedContainer;
  /** Intact signatures and time-stamps; each other one became a warning. */
  readonly earlier: readonly CheckedSignature[];
  readonly warnings: string[];
}

/**
 * Opens a container for archiving.
 *
 * @throws container.*, archive.timestamp.broken
 */
export function openForArchive(bytes: Uint8Array, ports: ArchivePorts): ContainerToArchive {
  const warnings: string[] = [];
  const pool = createCertificatePool(ports.certificates ?? []);
  const context = { ...checkContext(ports, pool), revocation: sealRules };
  const examined = examineContainer(bytes, context);
  const earlier = intactInContainer(examined, warnings);
  if (earlier.length === 0) throw nothingToPreserve(warnings);
  requireSoundStamps(examined, earlier);
  warnings.push(...examined.opened.manifests.orphans.map(({ message }) => message));
  return { examined, earlier, warnings };
}

/** @throws archive.timestamp.broken for an archive time-stamp, inside or outside a signature */
function requireSoundStamps(
  { stamps }: ExaminedContainer,
  earlier: readonly CheckedSignature[],
): void {
  for (const { file, report } of earlier) {
    requireSoundArchive(`in ${file}`, report.timestamps);
    const [broken] = brokenStamps(file, stamps);
    if (broken !== undefined) throw brokenArchive(`in ${file}`, broken.report.findings[0]?.message);
  }
}

/** Result of augmenting the individual signature files. */
interface Preserved {
  readonly files: readonly ZipFile[];
  /** Whether a time-stamp over the whole container is needed. */
  readonly isWhole: boolean;
  /** Signature files that must not change, or whose form permits no additions. */
  readonly kept: ReadonlySet<string>;
}

async function preserve(
  examined: ExaminedContainer,
  earlier: readonly CheckedSignature[],
  ports: ArchivePorts,
  warnings: string[],
): Promise<Preserved> {
  const { opened, checked } = examined;
  const files: ZipFile[] = [];
  const kept = new Set<string>();
  const isFrozen = frozenBy(checked);
  for (const name of xadesFiles(earlier)) {
    const reason = isFrozen(name)
      ? 'an archive time-stamp of the container covers it'
      : await tryXades(name, examined, ports, files, warnings);
    if (reason === undefined) continue;
    kept.add(name);
    warnings.push(`${name} stays unchanged: ${reason}`);
  }
  for (const { file } of earlier) {
    if (isFrozen(file)) kept.add(file);
  }
  const others = earlier.filter(({ report }) => isCms(report));
  if (others.length === 0) return { files, isWhole: false, kept };
  const cms = await preserveCades(examined, { earlier: others, isFrozen }, ports);
  files.push(...cms.files);
  return { files, isWhole: cms.isWhole || opened.container.kind === 'asic-e', kept };
}

/** Returns a predicate for files covered by an intact archive time-stamp, which must not change. */
export function frozenBy(checked: readonly CheckedSignature[]): (name: string) => boolean {
  const frozen = checked.filter(({ role, report }) => role === 'archive' && report.intact);
  return (name) => frozen.some(({ covers }) => covers.has(name));
}

/** True for the report on a CMS signature or a time-stamp file. */
export function isCms(report: CheckedSignature['report']): boolean {
  return !('offsetBytes' in report);
}

/** Names of the files that contain XAdES signatures. */
export function xadesFiles(earlier: readonly CheckedSignature[]): ReadonlySet<string> {
  return new Set(earlier.filter(({ report }) => !isCms(report)).map(({ file }) => file));
}

/** Archives the signatures of a file; returns the reason if none of them can be. */
async function tryXades(
  name: string,
  { opened }: ExaminedContainer,
  ports: ArchivePorts,
  files: ZipFile[],
  warnings: string[],
): Promise<string | undefined> {
  try {
    const bytes = opened.contents.read(name) as Uint8Array;
    const archived = await augmentSignatures(bytes, ports, containerFinder(opened));
    files.push({ name, bytes: archived.bytes });
    warnings.push(...archived.warnings);
    return undefined;
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'xml.signature.none') return error.message;
    throw error;
  }
}

function nothingToPreserve([reason]: readonly string[]): InnsigliError {
  const fault =
    'find the fault with innsigli verify, then ask for an undamaged copy or a new signature';
  const message = reason ?? 'there is no intact signature to preserve';
  return new InnsigliError('container.signature.none', message, reason ? { hint: fault } : {});
}

/** The level of the container. A signature that must remain unchanged may be below it. */
function levelOf(
  { checked }: ExaminedContainer,
  kept: ReadonlySet<string>,
  warnings: string[],
): { readonly level?: SealLevel } {
  const made = checked.filter(({ role, report }) => role === 'signature' && report.intact);
  const isBelow = ({ file, report: { level } }: CheckedSignature) =>
    kept.has(file) && level !== undefined && level !== 'B-LTA';
  for (const { file, report } of made.filter(isBelow)) {
    const reason = report.findings.map(({ message }) => message).join('; ');
    warnings.push(`${file}: expected B-LTA, found ${report.level}. ${reason}`);
  }
  const others = made.filter((each) => !isBelow(each));
  const level = noteLevels(
    others.map(({ file, report }) => ({ name: `in ${file}`, before: report.level, report })),
    warnings,
  );
  return others.length === made.length ? level : {};
}
