import { attempt, onCode } from '../../../base/errors.ts';
import { mergeData } from '../../../verify/cades/index.ts';
import { type CheckedSignature, containerFinder } from '../../../verify/container/index.ts';
import {
  type ContainerToArchive,
  frozenBy,
  isCms,
  openForArchive,
  xadesFiles,
} from '../container/augment-container.ts';
import { authorityOf, openSignature } from '../container/preserve.ts';
import type { ArchivePorts } from '../seal-ports.ts';
import { type ArchivePlan, type PlannedSignature, planOf, planSignature } from './archive-plan.ts';
import { planXmlSignatures } from './plan-xml.ts';

/**
 * Plans the additions of archiving to a container.
 *
 * @throws container.*, archive.timestamp.broken
 */
export function planContainer(bytes: Uint8Array, ports: ArchivePorts): ArchivePlan {
  const given = openForArchive(bytes, ports);
  const { examined, earlier, warnings } = given;
  const isSimple = examined.opened.container.kind === 'asic-s';
  const isFrozen = frozenBy(examined.checked);
  const signatures: PlannedSignature[] = [];
  let requests = 0;
  for (const name of xadesFiles(earlier)) {
    const planned = planXades(name, given, ports);
    requests += planned.requests;
    signatures.push(...planned.signatures);
  }
  const others = earlier.filter(({ report }) => isCms(report));
  for (const file of new Set(others.filter(isSignature).map((each) => each.file))) {
    const planned = planCades(file, given, ports);
    signatures.push(...planned.signatures);
    if (isFrozen(file)) continue;
    requests += planned.unstamped + (isSimple ? planned.signatures.length : 0);
  }
  for (const stamp of examined.stamps.filter(({ report }) => report.intact)) {
    const present = isFrozen(stamp.file)
      ? mergeData(examined.stamps.map(({ data }) => data))
      : stamp.data;
    const { pool } = examined.opened;
    const needs = { certificates: authorityOf(stamp), pool, present, isStamped: true };
    signatures.push(planSignature({ name: stamp.file, report: stamp.report, needs }, ports));
  }
  const isWhole =
    others.length > 0 &&
    (!isSimple || others.some((each) => !isSignature(each) || isFrozen(each.file)));
  return planOf('container', requests + (isWhole ? 1 : 0), signatures, warnings);
}

function isSignature({ role }: CheckedSignature): boolean {
  return role === 'signature';
}

/** A file without a signature that can be extended remains unchanged. */
function planXades(
  name: string,
  { examined: { opened, checked }, warnings }: ContainerToArchive,
  ports: ArchivePorts,
) {
  const stays = (reason: string) => {
    warnings.push(`${name} stays unchanged: ${reason}`);
    const own = checked.filter(({ file }) => file === name);
    const signatures = own.map(({ report }) => planSignature({ name, report }, ports));
    return { signatures, requests: 0 };
  };
  if (frozenBy(checked)(name)) return stays('an archive time-stamp of the container covers it');
  const plan = () => {
    const bytes = opened.contents.read(name) as Uint8Array;
    const planned = planXmlSignatures(bytes, ports, containerFinder(opened), `${name}: `);
    warnings.push(...planned.warnings);
    return { signatures: planned.signatures, requests: planned.timestampRequests };
  };
  return attempt(
    plan,
    onCode('xml.signature.none', ({ message }) => stays(message)),
  );
}

function planCades(file: string, { examined, earlier }: ContainerToArchive, ports: ArchivePorts) {
  const signature = examined.opened.contents.read(file) as Uint8Array;
  const raised = openSignature(file, examined, ports).describe(signature);
  const { intact, unstamped, bySigner, pool, present } = raised;
  const reports = earlier.filter((each) => each.file === file && isSignature(each));
  const signatures = reports.map(({ report }, index) => {
    const name = reports.length === 1 ? file : `${file}: signer ${index + 1}`;
    const isStamped = !unstamped.includes(intact[index] ?? -1);
    const data = mergeData([present, ...examined.stamps.map((stamp) => stamp.data)]);
    const needs = { certificates: bySigner[index] ?? [], pool, present: data, isStamped };
    return planSignature({ name, report, needs }, ports);
  });
  return { signatures, unstamped: unstamped.length };
}
