import { concatBytes, memorySource } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { mimeTypeOfName } from '../../../formats/asic/index.ts';
import { parseXml, type XmlDocument } from '../../../formats/xml/index.ts';
import { namespaces } from '../../../formats/xmldsig/index.ts';
import {
  applyEdits,
  base64Object,
  type DataObject,
  documentObject,
  fileObject,
  type SignatureIds,
  type SignatureSurroundings,
  xmlObject,
} from '../../../seal/xades/index.ts';
import { documentFormat } from '../document-format.ts';
import { findPlace } from './place.ts';
import { type FileObject, requireText, type SealXmlRequest } from './request.ts';
import { schemaPlace, withUblExtension } from './ubl.ts';

/** Objects to sign, and the position of the signature. */
export interface XmlPlan {
  readonly objects: readonly DataObject[];
  readonly surroundings: SignatureSurroundings;
  /** Document into which the signature is inserted; undefined for a separate document. */
  readonly host: XmlDocument | undefined;
  readonly warnings: readonly string[];
  /** Returns the result with the signature in place, and the byte offset of the signature. */
  finish(signature: Uint8Array): { readonly bytes: Uint8Array; readonly offsetBytes: number };
}

const XML_TYPE = 'text/xml';
const BYTES_TYPE = 'application/octet-stream';
const DECLARATION = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n');

/**
 * Plans a seal: references, position and reference context.
 *
 * @throws xml.* if the source is not XML where required; xml.target.invalid; usage.invalid
 */
export function planXml(request: SealXmlRequest, ids: SignatureIds): XmlPlan {
  const { packaging, source, id } = request;
  if (packaging === 'detached' && id === undefined) {
    return planAlone(...fileObjects(filesOf(request)));
  }
  if (!(source instanceof Uint8Array)) {
    throw new InnsigliError('usage.invalid', `${packaging}: expected one document, found files`, {
      hint: 'several files need detached',
    });
  }
  if (packaging === 'enveloping') return planEnveloping(request, source, ids);
  return planHost(request, source);
}

/** @throws xml.invalid for a document of another format, with the suitable alternative */
function requireXmlDocument(source: Uint8Array): void {
  const format = documentFormat(memorySource(source));
  if (format === 'container') {
    throw new InnsigliError('xml.invalid', 'expected XML, found a ZIP archive', {
      hint: 'seal other archives as a file in a container',
    });
  }
  if (Buffer.from(source.subarray(0, 1024)).includes('%PDF-')) {
    throw new InnsigliError('xml.invalid', 'expected XML, found a PDF', {
      hint: 'seal it as a PDF, or put it in a container',
    });
  }
  if (!source.includes(TAG)) {
    throw new InnsigliError('xml.invalid', 'expected XML, found no element', {
      hint: 'put it in a container',
    });
  }
}

const TAG = 0x3c;

/** The signature covers its document, whole or by Id, from inside or after the covered element. */
function planHost(request: SealXmlRequest, source: Uint8Array): XmlPlan {
  const { id, parent, packaging, transform = 'filter', mimeType = XML_TYPE } = request;
  requireXmlDocument(source);
  const isEnveloped = packaging === 'enveloped';
  const isFree = isEnveloped && id === undefined && parent === undefined;
  const warnings: string[] = [];
  const document = parseXml(source);
  const extended =
    parent === 'ubl'
      ? withUblExtension(document)
      : isFree
        ? schemaPlace(document, warnings)
        : undefined;
  const host = extended?.document ?? document;
  const place = findPlace(host, { id, into: extended?.content ?? parent, isEnveloped });
  const removal = place.isInside ? transform : undefined;
  const { target: element } = place;
  const target = id === undefined || element === undefined ? host : { element, id };
  return {
    objects: [documentObject(target, removal, mimeType)],
    surroundings: { document: host },
    host,
    warnings,
    finish(signature) {
      const edit = place.insert(signature);
      let offsetBytes = edit.start;
      for (const piece of edit.pieces) {
        if (piece === signature) break;
        offsetBytes += piece.length;
      }
      return { bytes: applyEdits(host.bytes, [edit]), offsetBytes };
    },
  };
}

/** The signature contains the content: XML as is, anything else as base64. */
function planEnveloping(
  { encoding, mimeType }: SealXmlRequest,
  source: Uint8Array,
  ids: SignatureIds,
): XmlPlan {
  if (source.length === 0) {
    throw new InnsigliError('usage.invalid', 'enveloping: expected a document, found an empty one');
  }
  const warnings: string[] = [];
  const content =
    encoding === 'base64' ? undefined : xmlContent(source, encoding === 'xml', warnings);
  const object =
    content === undefined
      ? base64Object(ids, source, mimeType ?? (looksLikeXml(source) ? XML_TYPE : BYTES_TYPE))
      : xmlObject(ids, content, mimeType ?? XML_TYPE);
  return { ...planAlone([object], {}), warnings };
}

/** The document without byte order mark and XML declaration; undefined if base64 is required. */
function xmlContent(
  source: Uint8Array,
  isAsked: boolean,
  warnings: string[],
): Uint8Array | undefined {
  if (!isAsked && !looksLikeXml(source)) return undefined;
  try {
    const document = parseXml(source);
    if (document.findAll(namespaces.dsig, 'Signature').length === 0) {
      return source.subarray(document.prologEnd);
    }
    const reason = 'its signatures would refer to a different document';
    if (!isAsked) warnings.push(`the document is enveloped as base64: ${reason}`);
    else throw new InnsigliError('xml.signature.broken', reason, { hint: 'envelop it as base64' });
  } catch (error) {
    if (isAsked || !isInnsigliError(error)) throw error;
    warnings.push(`the document is enveloped as base64: ${error.message}`);
  }
  return undefined;
}

function looksLikeXml(source: Uint8Array): boolean {
  const start = Buffer.from(source.subarray(0, 64)).toString('utf8');
  return /^\ufeff?[ \t\r\n]*<[^\s<>&/=]/.test(start);
}

function filesOf({ source, mimeType }: SealXmlRequest): readonly FileObject[] {
  if (source instanceof Uint8Array) {
    throw new InnsigliError('usage.invalid', 'detached: expected files with names, found bytes', {
      hint: 'pass { name, content }, or the Id of an element',
    });
  }
  return source.map((file) => ({ mimeType, ...file }));
}

/**
 * References to detached files, and a function that finds their content.
 *
 * @throws usage.invalid without a file, or if a name is empty or occurs twice
 */
export function fileObjects(
  files: readonly FileObject[],
): [objects: readonly DataObject[], surroundings: SignatureSurroundings] {
  if (files.length === 0)
    throw new InnsigliError('usage.invalid', 'expected a file to sign, found none');
  const contents = new Map<string, Uint8Array>();
  const objects = files.map(({ name, content, mimeType }) => {
    const uri = uriOfFile(name);
    if (contents.has(uri)) {
      throw new InnsigliError('usage.invalid', `two files have the name "${name}"`);
    }
    contents.set(uri, content);
    return fileObject(uri, content, mimeType ?? mimeTypeOfName(name));
  });
  return [objects, { findFile: (uri) => contents.get(uri) }];
}

/** An absolute URI with an authority and without a fragment, according to RFC 3986. */
const absoluteUri = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[!$%&'()*+,\-./:;=?@\w~[\]]+$/;

/**
 * The URI of a detached file: relative, with `/` between folders. A name such as
 * `https://example.com/a.xml` is already a URI.
 *
 * @spec RFC 3986 §3.3, §4.2
 */
export function uriOfFile(name: string): string {
  requireText('file name', name);
  if (absoluteUri.test(name)) return name;
  const segments = name.split('/');
  if (segments.includes('')) {
    throw new InnsigliError('usage.invalid', `"${name}": expected a relative file name or a URI`);
  }
  return segments.map(encodeURIComponent).join('/');
}

/** A signature in a separate document. */
function planAlone(objects: readonly DataObject[], surroundings: SignatureSurroundings): XmlPlan {
  return {
    objects,
    surroundings,
    host: undefined,
    warnings: [],
    finish: (signature) => ({
      bytes: concatBytes([DECLARATION, signature]),
      offsetBytes: DECLARATION.length,
    }),
  };
}
