import type { SealLevel } from '../../../base/level.ts';
import type { EnvelopedTransform, XadesClaims } from '../../../seal/xades/index.ts';

/** A file that is signed from beside. */
export interface FileObject {
  /** Relative to the signature, `/` between folders; its percent-encoded form is signed too. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Default: by the ending of the name. */
  readonly mimeType?: string | undefined;
}

/** How signature and data stand to each other; see {@link xmlPackagings}. */
export type XmlPackaging = (typeof xmlPackagings)[number];

/**
 * `enveloped`: the signature stands in the document; `enveloping`: the data stand in the
 * signature; `detached`: in files of their own, or with an Id in the same document.
 */
export const xmlPackagings = ['enveloped', 'enveloping', 'detached'] as const;

/** What an XML seal shall be. */
export interface SealXmlRequest extends XadesClaims {
  /** A document, or the files of a detached seal. */
  readonly source: Uint8Array | readonly FileObject[];
  readonly level: SealLevel;
  readonly packaging: XmlPackaging;
  /**
   * Covers the element with this Id only. Enveloped: the signature becomes its last child;
   * detached: it stands behind it in the document.
   */
  readonly id?: string | undefined;
  /**
   * Where the signature goes instead: `#id`, or local names from the root on, `Invoice/Note`; or
   * `ubl`: into an extension of the UBL document, as its schemas demand, made where none is free;
   * a UBL document is signed so when nothing else is said.
   */
  readonly parent?: string | undefined;
  /**
   * How an enveloped signature is taken away before digesting. `filter` (default) takes all
   * signatures, so that others can be added later; `enveloped` its own one, which every peer knows.
   */
  readonly transform?: EnvelopedTransform | undefined;
  /** How enveloping holds the data. Default: as XML where that keeps its meaning. */
  readonly encoding?: 'xml' | 'base64' | undefined;
  /** Media type of the data; default `text/xml`, of files by the ending of their name. */
  readonly mimeType?: string | undefined;
}
