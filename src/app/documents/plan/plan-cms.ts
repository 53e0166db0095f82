import type { FileBeside } from '../../../verify/cades/index.ts';
import { openCms } from '../cms/open-cms.ts';
import type { ArchivePorts } from '../seal-ports.ts';
import { type ArchivePlan, planOf, planSignature } from './archive-plan.ts';

/** The additions of archiving to a CMS file. @throws cms.*, archive.* */
export function planCms(
  file: Uint8Array,
  ports: ArchivePorts,
  beside: readonly FileBeside[],
): ArchivePlan {
  const { signature, signers, raised, warnings } = openCms(file, ports, beside);
  const { intact, unstamped, bySigner, pool, present } = raised.describe(signature);
  const signatures = signers.map(({ index, name, report }) => {
    const certificates = bySigner[intact.indexOf(index)] ?? [];
    const needs = { certificates, pool, present, isStamped: !unstamped.includes(index) };
    return planSignature({ name, report, needs }, ports);
  });
  return planOf('cms', unstamped.length + intact.length, signatures, warnings);
}
