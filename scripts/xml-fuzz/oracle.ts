import { ParseOption, XmlDocument, type XmlElement, XmlXPath } from 'libxml2-wasm';
import type { CanonicalMethod } from '../../src/formats/xml/index.ts';

/** A document parsed by libxml2; {@link ForeignDocument.dispose} frees its memory. */
export interface ForeignDocument {
  readonly hasDtd: boolean;
  /** Returns all elements in document order. */
  elements(): readonly ForeignElement[];
  /**
   * Returns the canonical form of the document, without one element and its descendants if given.
   */
  canonicalDocument(choice: FormChoice, without?: ForeignElement): Buffer;
  canonicalElement(element: ForeignElement, choice: FormChoice): Buffer;
  dispose(): void;
}

/** Choice of a canonical form. */
export interface FormChoice {
  readonly method: CanonicalMethod;
  /** As in our interface: '' means the default namespace. */
  readonly prefixList?: readonly string[] | undefined;
}

/** An element in libxml2. */
export type ForeignElement = XmlElement;

const allElements = XmlXPath.compile('descendant-or-self::*');

const modes = { c14n10: 0, 'exc-c14n': 1, c14n11: 2 } as const;

/** Parses the document with libxml2, or returns the reason for its rejection. */
export function openForeign(bytes: Uint8Array): ForeignDocument | string {
  let document: XmlDocument;
  try {
    document = XmlDocument.fromBuffer(bytes, { option: ParseOption.XML_PARSE_NONET });
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
  return {
    hasDtd: document.dtd !== null,
    elements: () => document.root.find(allElements) as ForeignElement[],
    canonicalDocument(choice, without) {
      const hidden = without === undefined ? undefined : pointerOf(without);
      const isVisible = (node: object) => pointerOf(node) !== hidden;
      const options = { ...optionsOf(choice), ...(hidden === undefined ? {} : { isVisible }) };
      return collect((handler) => document.canonicalize(handler, options));
    },
    canonicalElement: (element, choice) =>
      collect((handler) => element.canonicalize(handler, optionsOf(choice))),
    dispose: () => document.dispose(),
  };
}

/** Address of a node in memory: the only thing that two wrappers of it share. */
function pointerOf(node: object): number {
  return (node as { readonly _nodePtr: number })._nodePtr;
}

interface Handler {
  write(piece: Uint8Array): number;
  close(): boolean;
}

/** The string handler of the package corrupts characters that span two chunks. */
function collect(run: (handler: Handler) => void): Buffer {
  const pieces: Buffer[] = [];
  run({
    write(piece) {
      pieces.push(Buffer.from(piece));
      return piece.length;
    },
    close: () => true,
  });
  return Buffer.concat(pieces);
}

function optionsOf({ method, prefixList }: FormChoice) {
  const withComments = method.endsWith('-comments');
  const mode = modes[method.replace('-comments', '') as keyof typeof modes];
  if (prefixList === undefined) return { mode, withComments };
  const inclusiveNamespacePrefixes = prefixList.map((prefix) => prefix || '#default');
  return { mode, withComments, inclusiveNamespacePrefixes };
}
