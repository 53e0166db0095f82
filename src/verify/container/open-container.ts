import type { AsicContainer } from '../../formats/asic/index.ts';
import type { ReferenceBudget } from '../../formats/xmldsig/index.ts';
import type { StatusContext } from '../existence/index.ts';
import type { CmsSignatureReport, XmlSignatureReport } from '../report/index.ts';
import type { ContainerManifests } from './container-manifests.ts';
import type { ContainerContents } from './contents.ts';

/** Shared context of all signatures of one container. */
export interface OpenedContainer extends StatusContext {
  readonly container: AsicContainer;
  /** Names of all files that a signature can cover. */
  readonly dataNames: ReadonlySet<string>;
  readonly contents: ContainerContents;
  readonly manifests: ContainerManifests;
  readonly includeSignedData: boolean;
  /** Common budget of all files with XAdES signatures. */
  readonly budget: ReferenceBudget;
}

/** Result for one signature or time-stamp of a container. */
export interface CheckedSignature {
  /** Name of the file that contains it. */
  readonly file: string;
  /** `archive`: a time-stamp over signatures and related data. Meaningless for unsigned data. */
  readonly role: 'signature' | 'timestamp' | 'archive';
  readonly report: XmlSignatureReport | CmsSignatureReport;
  /** Name of the file that a CMS signature or token covers. Undefined for XAdES. */
  readonly contentName?: string;
  /** The files that it covers completely. Empty if it is not intact. */
  readonly covers: ReadonlySet<string>;
  /** Data files that it covers at least in part. */
  readonly touches: ReadonlySet<string>;
}

/** The file covered by the only signature of an ASiC-S. Undefined if it is ambiguous. */
export function simpleContent({
  container,
}: Pick<OpenedContainer, 'container'>): string | undefined {
  const { kind, dataFiles } = container;
  return kind === 'asic-s' && dataFiles.length === 1 ? dataFiles[0]?.name : undefined;
}
