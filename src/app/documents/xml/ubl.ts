import { InnsigliError } from '../../../base/errors.ts';
import { parseXml, type XmlDocument, type XmlElement } from '../../../formats/xml/index.ts';
import { namespaces } from '../../../formats/xmldsig/index.ts';
import { appendInside, applyEdits, type XmlEdit } from '../../../seal/xades/index.ts';

/** Cross Industry Invoices, whose schemas permit no signature. */
const CROSS_INDUSTRY = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:';
/** Namespace prefix of UBL documents. */
const DOCUMENTS = 'urn:oasis:names:specification:ubl:schema:xsd:';
const EXTENSIONS = 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2';

/** A UBL document with an empty extension. */
export interface ExtendedUbl {
  readonly document: XmlDocument;
  /** The ExtensionContent for the signature. */
  readonly content: XmlElement;
}

/**
 * Returns the document with an empty extension, the only position in which the UBL schemas permit a
 * signature: the first free one, or a new one. The extension is part of the signed content.
 *
 * @throws xml.target.invalid if it is not a UBL document, or is already signed and has no free one
 */
export function withUblExtension(document: XmlDocument): ExtendedUbl {
  const { root, bytes } = document;
  if (!root.namespaceUri.startsWith(DOCUMENTS)) {
    throw new InnsigliError(
      'xml.target.invalid',
      'expected a UBL document, found a different root element',
      {
        hint: 'name the position by its path, or choose a different packaging',
      },
    );
  }
  const free = freeContent(document);
  if (free !== undefined) return { document, content: free };
  if (document.findAll(namespaces.dsig, 'Signature').length > 0) {
    throw new InnsigliError('xml.target.invalid', 'a new extension would change signed content', {
      hint: 'choose enveloping or detached, or a container',
    });
  }
  const extended = parseXml(applyEdits(bytes, [newExtension(root)]));
  return { document: extended, content: freeContent(extended) as XmlElement };
}

/**
 * The position that the schemas of an e-invoice permit for a signature, if the caller chose none:
 * the extension of a UBL document. Undefined for all other documents, and if no extension is free.
 */
export function schemaPlace(document: XmlDocument, warnings: string[]): ExtendedUbl | undefined {
  const { namespaceUri } = document.root;
  if (namespaceUri.startsWith(CROSS_INDUSTRY)) {
    warnings.push('the schema of this invoice allows no signature: use a container');
  }
  if (!namespaceUri.startsWith(DOCUMENTS)) return undefined;
  const isSigned = document.findAll(namespaces.dsig, 'Signature').length > 0;
  if (!isSigned || freeContent(document) !== undefined) return withUblExtension(document);
  warnings.push(
    'the UBL schemas allow a signature only in an extension, and none is available: ' +
      'this signature is at the end of the document',
  );
  return undefined;
}

function freeContent(document: XmlDocument): XmlElement | undefined {
  const extensions = document.root.child(EXTENSIONS, 'UBLExtensions');
  for (const extension of extensions?.childrenNamed(EXTENSIONS, 'UBLExtension') ?? []) {
    const content = extension.child(EXTENSIONS, 'ExtensionContent');
    if (content?.children.length === 0) return content;
  }
  return undefined;
}

function newExtension(root: XmlElement): XmlEdit {
  const empty = '<ext:ExtensionContent></ext:ExtensionContent>';
  const extension = `<ext:UBLExtension xmlns:ext="${EXTENSIONS}">${empty}</ext:UBLExtension>`;
  const extensions = root.child(EXTENSIONS, 'UBLExtensions');
  if (extensions !== undefined) return appendInside(extensions, Buffer.from(extension));
  const all = `<ext:UBLExtensions xmlns:ext="${EXTENSIONS}">${extension}</ext:UBLExtensions>`;
  if (root.isEmptyTag) return appendInside(root, Buffer.from(all));
  const { contentStart } = root;
  return { start: contentStart, end: contentStart, pieces: [Buffer.from(all)] };
}
