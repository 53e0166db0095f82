import type { AsicContainer } from '../../formats/asic/index.ts';
import type { ReferenceBudget } from '../../formats/xmldsig/index.ts';
import type { StatusContext } from '../existence/index.ts';
import type { CmsSignatureReport, XmlSignatureReport } from '../report/index.ts';
import type { ContainerManifests } from './container-manifests.ts';
import type { ContainerContents } from './contents.ts';

/** Shared context of all signatures of one container. */
export interface OpenedContainer extends StatusContext {
  readonly container: AsicContainer;
  /** Names of all files that can be signed. */
  readonly dataNames: ReadonlySet<string>;
  readonly contents: ContainerContents;
  readonly manifests: ContainerManifests;
  readonly includeSignedData: boolean;
  /** For all files with XAdES signatures together. */
  readonly budget: ReferenceBudget;
}

/** The conclusion on one signature or time-stamp of a container. */
export interface CheckedSignature {
  /** Name of the file that holds it. */
  readonly file: string;
  /**
   * `archive` for a time-stamp over signatures and all that belongs to them: it says nothing of
   * data that is not signed.
   */
  readonly role: 'signature' | 'timestamp' | 'archive';
  readonly report: XmlSignatureReport | CmsSignatureReport;
  /** Name of the file that a CMS signature or token is over; undefined for XAdES. */
  readonly contentName?: string;
  /** The files that it covers from the first to the last byte; empty when it is not intact. */
  readonly covers: ReadonlySet<string>;
  /** Data files of which it covers something. */
  readonly touches: ReadonlySet<string>;
}

/** The file that the one signature of an ASiC-S is over; undefined when that is not clear. */
export function simpleContent({
  container,
}: Pick<OpenedContainer, 'container'>): string | undefined {
  const { kind, dataFiles } = container;
  return kind === 'asic-s' && dataFiles.length === 1 ? dataFiles[0]?.name : undefined;
}
