import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type AsicContainer, readAsic } from '../../formats/asic/index.ts';
import { createReferenceBudget, type ReferenceBudget } from '../../formats/xmldsig/index.ts';
import { readZip } from '../../formats/zip/index.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import type { Outcome } from '../check-signer.ts';
import { coverageOfFiles } from '../document-coverage.ts';
import { cmsData, listUncheckedRevocation, mergeData, withEvidence } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { VerificationContext } from '../pdf/index.ts';
import type {
  ContainerFile,
  ContainerVerificationReport,
  DocumentCoverage,
  Finding,
} from '../report/index.ts';
import { worstOf } from '../worst-of.ts';
import { checkCadesFile } from './check-cades-file.ts';
import { asSignature, brokenStamps, type CheckedStamp, checkStamps } from './check-timestamps.ts';
import { checkXadesFile } from './check-xades-file.ts';
import { containerFindings } from './container-faults.ts';
import { readManifests } from './container-manifests.ts';
import { containerContents } from './contents.ts';
import type { CheckedSignature, OpenedContainer } from './open-container.ts';
import { degrade, formatFailure } from './outcome.ts';

/** Context for verifying a container. */
export interface ContainerContext extends VerificationContext {
  /** Include the digested bytes of each reference of a XAdES signature in the report. */
  readonly includeSignedData?: boolean;
}

/** A container with the results for all its signatures and time-stamps. */
export interface ExaminedContainer {
  readonly opened: OpenedContainer;
  /** In the order of their files. */
  readonly checked: readonly CheckedSignature[];
  /** Time-stamp files, oldest first. */
  readonly stamps: readonly CheckedStamp[];
}

const notJudged: readonly string[] = [
  'signature files and manifests of META-INF, and the entry mimetype: no signature covers them',
  'evidence records',
  'signature policies',
  'qualified status and trusted lists',
];

/**
 * Verifies every signature and time-stamp of an ASiC container: cryptographic checks, covered
 * files, path to an anchor, level. Negative results are values of the report.
 *
 * @throws container.invalid, container.limit if it is not a valid ZIP file or not a container
 * @throws limit.exceeded if it contains more than is checked
 * @spec ETSI EN 319 162-1 §4.3, §4.4, Annex A
 */
export function verifyContainer(
  bytes: Uint8Array,
  context: ContainerContext,
): ContainerVerificationReport {
  return reportOnContainer(examineContainer(bytes, context));
}

/** Builds the report on an examined container. */
export function reportOnContainer({
  opened,
  checked,
}: ExaminedContainer): ContainerVerificationReport {
  const { container, nowMs } = opened;
  const signatures = checked.map(({ report }) => report);
  const claiming = checked.filter(({ role }) => role !== 'archive');
  return {
    v: 1,
    format: container.kind,
    indication: worstOf(claiming.length > 0 ? claiming.map(({ report }) => report) : signatures),
    coverage: coverageOf(opened, checked),
    verifiedAt: new Date(nowMs).toISOString(),
    signatures,
    files: listFiles(opened, checked),
    notJudged: [...listUncheckedRevocation(opened.revocation), ...notJudged],
  };
}

/** Like {@link verifyContainer}, with the intermediate results. */
export function examineContainer(bytes: Uint8Array, context: ContainerContext): ExaminedContainer {
  const container = openContainer(bytes, context);
  const { signatureFiles } = container.container;
  if (signatureFiles.length > limits.containerSignatures) {
    const message = `more than ${limits.containerSignatures} signature files`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const opened = withSharedData(container);
  const stamps = checkStamps(opened);
  const checked: CheckedSignature[] = [];
  for (const { name, type } of signatureFiles) {
    if (type === 'xades') checked.push(...checkXadesFile(name, opened));
    if (type === 'cades') checked.push(...checkCadesFile(name, opened, stamps));
    if (type === 'timestamp') {
      checked.push(...stamps.filter(({ file }) => file === name).map(asSignature));
    }
    if (checked.length > limits.xmlSignatures) {
      throw new InnsigliError('limit.exceeded', `more than ${limits.xmlSignatures} signatures`);
    }
  }
  const faults = [...containerFindings(opened.container), ...opened.manifests.orphans];
  const whole = checked.map((each) => {
    return withBrokenStamps(withContainer(each, faults, opened), stamps);
  });
  return { opened, stamps, checked: whole };
}

function openContainer(bytes: Uint8Array, context: ContainerContext): OpenedContainer {
  const { anchors, nowMs, revocation, qualifier, algorithms } = context;
  const { includeSignedData = false, isListedResponder } = context;
  const pool = createCertificatePool(anchors, context.pool);
  const container = readAsic(readZip(bytes));
  requireModestMeta(container);
  const contents = containerContents(container.archive);
  const manifests = readManifests(container, contents);
  const dataNames = new Set(container.dataFiles.map(({ name }) => name));
  const budget = modestBudget(container);
  return {
    ...{ anchors, pool, nowMs, qualifier, isListedResponder, revocation, algorithms },
    ...{ includeSignedData, budget, container, dataNames, contents, manifests },
  };
}

/**
 * A file may be returned as a new array each time it is read. The size of the container limits the
 * budget that all files grant together.
 */
function modestBudget({ archive }: AsicContainer): ReferenceBudget {
  const budget = createReferenceBudget();
  const seen = new WeakSet<Uint8Array>();
  let leftBytes = archive.entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    spend: budget.spend,
    step: budget.step,
    grant(file) {
      if (seen.has(file)) return;
      seen.add(file);
      leftBytes -= file.length;
      if (leftBytes >= 0) budget.grant(file);
    },
  };
}

/** A few kilobytes can expand to megabytes of XML, which needs far more memory than other files. */
function requireModestMeta({ archive, signatureFiles, manifests }: AsicContainer): void {
  let metaBytes = 0;
  for (const { name } of [...signatureFiles, ...manifests]) {
    metaBytes += archive.find(name)?.sizeBytes ?? 0;
  }
  const most = limits.containerMetaBytes + 4 * archive.bytes.length;
  if (metaBytes <= most) return;
  const message = `signatures and manifests have ${metaBytes} bytes, the limit is ${most}`;
  throw new InnsigliError('container.limit', message);
}

/**
 * Adds the certificates of all CMS files to the pool, and shares their revocation data: a token may
 * depend on data in the signature that it covers.
 */
function withSharedData(opened: OpenedContainer): OpenedContainer {
  const { container, contents, pool, revocation } = opened;
  const files = container.signatureFiles.filter(({ type }) => type !== 'xades');
  const data = mergeData(files.map(({ name }) => cmsData(contents.read(name) as Uint8Array)));
  for (const der of data.certificates) pool.add(der);
  return { ...opened, revocation: withEvidence(revocation, data) };
}

const refusal: Outcome = { indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' };

/** Adds the findings about the container as a whole to the result. */
function withContainer(
  checked: CheckedSignature,
  faults: readonly Finding[],
  { container }: OpenedContainer,
): CheckedSignature {
  const findings = [...faults];
  const { role, covers, touches, report } = checked;
  const isOpen = faults.some(({ severity }) => severity === 'error');
  if (role !== 'archive' && report.intact) {
    const left = container.dataFiles.filter(({ name }) => !covers.has(name));
    const partly = left.filter(({ name }) => touches.has(name));
    const none = left.filter(({ name }) => !touches.has(name));
    findings.push(
      ...uncovered(none, 'not covered by it'),
      ...uncovered(partly, 'covered only in part'),
    );
  }
  if (findings.length === 0) return checked;
  // A container without a data file is invalid. EN 319 162-1 §4.3.1
  const outcome = container.dataFiles.length === 0 ? refusal : isOpen ? formatFailure : undefined;
  return { ...checked, report: degrade(report, findings, outcome) };
}

/** Adds findings about the invalid archive time-stamps of a signature. */
function withBrokenStamps(
  checked: CheckedSignature,
  stamps: readonly CheckedStamp[],
): CheckedSignature {
  if (checked.role === 'archive') return checked;
  const findings = brokenStamps(checked.file, stamps).flatMap(({ file, report }): Finding[] => {
    const [first] = report.findings;
    const { code = 'tsa.response.invalid', message = 'it is not valid' } = first ?? {};
    return [buildFinding(code, `archive time-stamp ${file}: ${message}`, 'warning')];
  });
  if (findings.length === 0) return checked;
  return { ...checked, report: degrade(checked.report, findings) };
}

function uncovered(files: readonly { readonly name: string }[], how: string): Finding[] {
  if (files.length === 0) return [];
  const names = files.slice(0, 3).map(({ name }) => `"${name}"`);
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  const message = `${how}: ${names.join(', ')}${more}`;
  return [buildFinding('container.file.uncovered', message)];
}

/** The results that determine the indication: signatures, or if none, time-stamps over data. */
function decisiveResults(checked: readonly CheckedSignature[]): readonly CheckedSignature[] {
  const signed = checked.filter(({ role }) => role === 'signature');
  return signed.length > 0 ? signed : checked.filter(({ role }) => role === 'timestamp');
}

function unionOf(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const names of sets) for (const name of names) all.add(name);
  return all;
}

function coverageOf(
  { container }: OpenedContainer,
  checked: readonly CheckedSignature[],
): DocumentCoverage {
  const passed = decisiveResults(checked).filter(
    ({ report }) => report.indication === 'TOTAL-PASSED',
  );
  return coverageOfFiles(
    contentFiles(container).map(({ name }) => name),
    unionOf(passed.map(({ covers }) => covers)),
    unionOf(passed.map(({ touches }) => touches)),
  );
}

/** The data files, and foreign files in META-INF, which programs may use as data. */
function contentFiles({ dataFiles, otherFiles }: AsicContainer): AsicContainer['dataFiles'] {
  return [...dataFiles, ...otherFiles];
}

function listFiles(
  { container }: OpenedContainer,
  checked: readonly CheckedSignature[],
): readonly ContainerFile[] {
  const covered = unionOf(decisiveResults(checked).map(({ covers }) => covers));
  return contentFiles(container).map(({ name, sizeBytes }) => ({
    name,
    lengthBytes: sizeBytes,
    covered: covered.has(name),
  }));
}
