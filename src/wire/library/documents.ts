import { fileFinder } from '../../app/documents/detached-files.ts';
import type { FileObject } from '../../app/documents/xml/request.ts';
import type { SealLevel } from '../../base/level.ts';
import { reading, takenBytes } from '../../base/taken.ts';
import type { Signer } from '../../seal/ports.ts';
import type { EnvelopedTransform, XadesClaims } from '../../seal/xades/index.ts';
import type { ContainerVerificationReport, XmlVerificationReport } from '../../verify/report.ts';
import { defaultLevel, type LongTermOptions, portsOf } from './ports.ts';
import type { SealedDocument } from './sealed-document.ts';
import { takeFiles, takeOptions } from './take-arguments.ts';
import { takeSigner } from './take-ports.ts';

/** What every XML or container seal can be told. */
export interface SignFilesOptions extends LongTermOptions, XadesClaims {
  readonly signer: Signer;
  /** B-LTA with a time-stamp authority and a revocation source, else it must be named. */
  readonly level?: SealLevel;
}

/** How to seal XML. */
export interface SealXmlOptions extends SignFilesOptions {
  /**
   * `enveloped` (default): the signature stands in the document; `enveloping`: the document in
   * the signature; `detached`: apart from it, or behind the element with `id`.
   */
  readonly packaging?: 'enveloped' | 'enveloping' | 'detached';
  /** Cover only the element with this Id. */
  readonly id?: string;
  /** Where an enveloped signature goes: `#id`, local names from the root on, `ubl`. */
  readonly parent?: string;
  /** `filter` (default) lets others sign after you; `enveloped` every peer understands. */
  readonly transform?: EnvelopedTransform;
  /** How an enveloping signature holds the document. */
  readonly encoding?: 'xml' | 'base64';
  /** Media type of the data. */
  readonly mimeType?: string;
}

/**
 * Signs XML, or files from beside (packaging `detached`), and gives the signed document, verified.
 * Without the signature an enveloped result is the input, byte for byte.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function sealXml(
  document: Uint8Array | readonly FileObject[],
  given: SealXmlOptions,
): Promise<SealedDocument<XmlVerificationReport>> {
  const isList = reading('the document', () => Array.isArray(document));
  const source = isList
    ? takeFiles(document as readonly FileObject[])
    : takenBytes('the document', document);
  const options = takeSealing('sealXml', given);
  const { sealXml: seal } = await import('../../app/documents/xml/seal-xml.ts');
  const { signer, packaging = 'enveloped', level = defaultLevel(options) } = options;
  const { id, parent, transform, encoding, mimeType } = options;
  const request = { source, level, packaging, id, parent, transform, encoding, mimeType };
  const ports = { ...portsOf(options), signer };
  return seal({ ...request, ...claimsOf(options) }, ports);
}

/** How to archive XML. */
export interface AugmentXmlOptions extends LongTermOptions {
  /** Files that detached signatures refer to. */
  readonly detached?: readonly FileObject[];
}

/**
 * Brings the signatures of an XML document to level B-LTA, or renews them.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function augmentXml(
  xml: Uint8Array,
  given: AugmentXmlOptions,
): Promise<SealedDocument<XmlVerificationReport>> {
  const bytes = takenBytes('the document', xml);
  const options = takeOptions('augmentXml', given);
  const ports = portsOf(options);
  const { augmentXml: archive } = await import('../../app/documents/xml/augment-xml.ts');
  return archive(bytes, ports, fileFinder(options.detached ?? []));
}

/** How to seal files in a container. */
export interface SealContainerOptions extends SignFilesOptions {
  /** `asic-e` (default) for any number of files, `asic-s` for one. */
  readonly container?: 'asic-s' | 'asic-e';
  /** Kind of the signature; `xades` when left out. */
  readonly format?: 'xades' | 'cades';
}

/**
 * Puts files and a signature over them into an ASiC container, or a further signature into the
 * container that is the only file.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function sealContainer(
  given: readonly FileObject[],
  wishes: SealContainerOptions,
): Promise<SealedDocument<ContainerVerificationReport>> {
  const files = takeFiles(given);
  const options = takeSealing('sealContainer', wishes);
  const { sealContainer: seal } = await import('../../app/documents/container/seal-container.ts');
  const { signer, container = 'asic-e', format = 'xades', level = defaultLevel(options) } = options;
  const ports = { ...portsOf(options), signer };
  return seal({ files, container, format, level, ...claimsOf(options) }, ports);
}

/**
 * Brings the signatures of an ASiC container to level B-LTA, or renews them.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function augmentContainer(
  container: Uint8Array,
  given: LongTermOptions,
): Promise<SealedDocument<ContainerVerificationReport>> {
  const bytes = takenBytes('the document', container);
  const ports = portsOf(takeOptions('augmentContainer', given));
  const { augmentContainer: archive } = await import(
    '../../app/documents/container/augment-container.ts'
  );
  return archive(bytes, ports);
}

function takeSealing<T extends SignFilesOptions>(call: 'sealXml' | 'sealContainer', given: T): T {
  const options = takeOptions(call, given);
  return { ...options, signer: takeSigner(options.signer) };
}

function claimsOf({ roles, place, commitments, policy }: XadesClaims): XadesClaims {
  return { roles, place, commitments, policy };
}
