import { concatBytes } from '../../base/bytes.ts';
import { parseXml, type XmlDocument, type XmlElement } from '../xml/index.ts';
import { asicInvalid } from './asic-error.ts';
import {
  asicNamespace,
  asicNamespaces,
  dsigNamespace,
  openDocumentSignatures,
} from './names.table.ts';

/** A file with XAdES signatures. */
export interface XadesSignatures {
  readonly document: XmlDocument;
  /** The ds:Signature elements, children of the root, in document order. */
  readonly signatures: readonly XmlElement[];
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const rootStart = `${declaration}<asic:XAdESSignatures xmlns:asic="${asicNamespace}">`;
const rootEnd = '</asic:XAdESSignatures>';

/**
 * Parses a signature file: XAdESSignatures, or document-signatures of OpenDocument.
 *
 * @throws container.invalid if it has another root, or the root contains anything but signatures
 * @throws xml.* if it is not acceptable XML
 * @spec ETSI EN 319 162-1 §4.4.3.2
 */
export function parseXadesSignatures(bytes: Uint8Array): XadesSignatures {
  const document = parseXml(bytes);
  const { root } = document;
  const known =
    (root.localName === 'XAdESSignatures' && asicNamespaces.includes(root.namespaceUri)) ||
    root.is(openDocumentSignatures, 'document-signatures');
  if (!known) throw asicInvalid(`expected XAdESSignatures, found <${root.name.slice(0, 60)}>`);
  const stranger = root.children.find((child) => !child.is(dsigNamespace, 'Signature'));
  if (stranger !== undefined) {
    throw asicInvalid(`expected ds:Signature, found <${stranger.name.slice(0, 60)}>`);
  }
  return { document, signatures: root.children };
}

/** The bytes of a signature file; each signature declares the prefixes it uses. */
export function buildXadesSignatures(signatures: readonly Uint8Array[]): Uint8Array {
  return concatBytes([Buffer.from(rootStart), ...signatures, Buffer.from(rootEnd)]);
}

/**
 * The bytes of a signature file with one signature appended; the existing ones are unchanged.
 *
 * @throws container.invalid as {@link parseXadesSignatures} does, and if the file contains none
 */
export function addXadesSignature(bytes: Uint8Array, signature: Uint8Array): Uint8Array {
  const { signatures } = parseXadesSignatures(bytes);
  const last = signatures.at(-1);
  if (last === undefined) throw asicInvalid('the signature file has no signature');
  const at = last.endOffset;
  return concatBytes([bytes.subarray(0, at), signature, bytes.subarray(at)]);
}
