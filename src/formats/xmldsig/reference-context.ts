import type { OmittedNode, XmlDocument, XmlElement } from '../xml/index.ts';
import type { ReferenceBudget } from './reference-budget.ts';

/** Sources of the data of references. */
export interface ReferenceContext {
  /** The document that `URI=""` means. */
  readonly document: XmlDocument;
  /**
   * The ds:Signature whose references are resolved. It may stand in a document of its own, a
   * fragment that will be put into `document`: then Ids are looked up in both.
   */
  readonly signature: XmlElement;
  /**
   * The content of another file by the URI as it is written (empty: the reference has no
   * attribute URI); undefined when there is none.
   */
  readonly findFile?: (uri: string) => Uint8Array | undefined;
  /** Shared by all references of a document; without it each reference has its own. */
  readonly budget?: ReferenceBudget;
  /**
   * Asked before bytes of `document` are made: true when the caller has them, or their digest,
   * from another reference with the same identity. They are not given again then.
   */
  readonly isKnown?: (identity: string) => boolean;
}

/** Scope of the bytes of a reference. */
export interface ReferenceScope {
  /**
   * The document or element that URI and transforms select; undefined for a file, and for a
   * document that an earlier transform made.
   */
  readonly target: XmlDocument | XmlElement | undefined;
  /** Subtrees of the target that transforms left out. */
  readonly excluded: readonly XmlElement[];
  /**
   * Present when an XPath left out more than subtrees of the target: some of those parts. Of a
   * file, or what an earlier transform made, subtrees are among them.
   */
  readonly omitted?: readonly OmittedPart[];
  /** True when the comments that stand there are covered. */
  readonly coversComments?: boolean;
}

/** What an XPath left out, and the element of it or around it. */
export interface OmittedPart {
  readonly what: OmittedNode['what'];
  readonly element: XmlElement;
  /** Of an attribute. */
  readonly name?: string;
}

/** The reference asks for what is not done, is ambiguous, or selects nothing. */
export interface ReferenceRefused {
  /** Reason, a clause without full stop. */
  readonly refused: string;
  /** True when it asks for what is not done here and may be done elsewhere. */
  readonly isUnsupported?: boolean;
}

/** There is nothing under the reference's URI. */
export interface ReferenceMissing {
  /** The URI; empty when the attribute is absent. */
  readonly missing: string;
}

/** An answer, tell them apart by `'scope' in`, `'refused' in`, `'missing' in`. */
export type ReferenceAnswer =
  /** The bytes could be had. */
  { readonly scope: ReferenceScope } | ReferenceRefused | ReferenceMissing;
