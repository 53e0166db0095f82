import { escapeAttribute, parseXml, type XmlElement } from '../xml/index.ts';
import { asicInvalid } from './asic-error.ts';
import { asicNamespace, asicNamespaces, dsigNamespace } from './names.table.ts';
import { nameOfUri, uriOfName } from './reference-uri.ts';

/** A file listed by a manifest, with its digest. */
export interface DataObjectReference {
  /** The entry's name; undefined if the URI does not refer to an entry of a container. */
  readonly name: string | undefined;
  readonly uri: string;
  readonly mimeType: string | undefined;
  /** True for the root file; in an archive manifest, the manifest archived before. */
  readonly rootfile: boolean;
  /** Identifier of the digest algorithm, as in XML Signature. */
  readonly digestMethod: string;
  readonly digestValue: Uint8Array;
}

/** Content of an ASiCManifest: the signature or time-stamp over it, and the listed files. */
export interface AsicManifest {
  readonly signature: {
    readonly name: string | undefined;
    readonly uri: string;
    readonly mimeType: string | undefined;
  };
  readonly dataObjects: readonly DataObjectReference[];
}

/**
 * Parses an ASiCManifest, including one of an archive time-stamp or an evidence record.
 *
 *     ASiCManifest( SigReference, DataObjectReference( DigestMethod, DigestValue )+ )
 *
 * @throws container.invalid if it has another form or a critical extension
 * @throws xml.* if it is not acceptable XML
 * @spec ETSI EN 319 162-1 §4.4.4.2, Annex A.3
 */
export function parseAsicManifest(bytes: Uint8Array): AsicManifest {
  const { root } = parseXml(bytes);
  const namespace = root.namespaceUri;
  if (root.localName !== 'ASiCManifest' || !asicNamespaces.includes(namespace)) {
    throw asicInvalid(`expected an ASiCManifest, found <${root.name.slice(0, 60)}>`);
  }
  const [first, ...rest] = root.children;
  if (first?.is(namespace, 'SigReference') !== true) {
    throw asicInvalid('the manifest does not start with a SigReference');
  }
  const last = rest.at(-1);
  const hasExtensions = last?.is(namespace, 'ASiCManifestExtensions') === true;
  if (hasExtensions) requireNoCritical(last, namespace);
  const references = hasExtensions ? rest.slice(0, -1) : rest;
  if (references.length === 0) throw asicInvalid('the manifest lists no file');
  return {
    signature: readTarget(first),
    dataObjects: references.map((each) => readDataObject(each, namespace)),
  };
}

function readTarget(element: XmlElement): AsicManifest['signature'] {
  const uri = element.attribute('URI');
  if (uri === undefined) throw asicInvalid(`${element.localName} has no URI`);
  return { uri, name: nameOfUri(uri), mimeType: element.attribute('MimeType') };
}

function readDataObject(element: XmlElement, namespace: string): DataObjectReference {
  if (!element.is(namespace, 'DataObjectReference')) {
    throw asicInvalid(`the manifest has an unexpected <${element.name.slice(0, 60)}>`);
  }
  const [method, value, extensions, extra] = element.children;
  const digestMethod = method?.is(dsigNamespace, 'DigestMethod')
    ? method.attribute('Algorithm')
    : undefined;
  const digestValue = value?.is(dsigNamespace, 'DigestValue') ? decodeBase64(value) : undefined;
  if (digestMethod === undefined || digestValue === undefined) {
    throw asicInvalid('a DataObjectReference has no DigestMethod and DigestValue');
  }
  const known = extensions?.is(namespace, 'DataObjectReferenceExtensions') ?? true;
  if (!known || extra !== undefined) throw asicInvalid('a DataObjectReference has unknown content');
  if (extensions !== undefined) requireNoCritical(extensions, namespace);
  const rootfile = /^(true|1)$/.test(element.attribute('Rootfile') ?? '');
  return { ...readTarget(element), rootfile, digestMethod, digestValue };
}

/** No extension is supported, so a critical one makes the manifest unusable. */
function requireNoCritical(extensions: XmlElement, namespace: string): void {
  for (const extension of extensions.childrenNamed(namespace, 'Extension')) {
    if (/^(true|1)$/.test(extension.attribute('Critical') ?? '')) {
      throw asicInvalid('the manifest has an unknown critical extension');
    }
  }
}

function decodeBase64(element: XmlElement): Uint8Array | undefined {
  const compact = element.text.replace(/[ \t\r\n]+/g, '');
  const bytes = Buffer.from(compact, 'base64');
  const whole = element.children.length === 0 && bytes.toString('base64') === compact;
  return whole && bytes.length > 0 ? bytes : undefined;
}

/** Input of {@link buildAsicManifest} for one file. */
type NewReference = Pick<DataObjectReference, 'mimeType' | 'digestMethod' | 'digestValue'> & {
  readonly name: string;
  readonly rootfile?: boolean;
};

/**
 * The bytes of an ASiCManifest for the given entries.
 *
 * @throws container.invalid for a name that no entry may have
 * @spec ETSI EN 319 162-1 §4.4.4.2, Annex A.3
 */
export function buildAsicManifest(manifest: {
  readonly signature: { readonly name: string; readonly mimeType: string };
  readonly dataObjects: readonly NewReference[];
}): Uint8Array {
  const { signature, dataObjects } = manifest;
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<asic:ASiCManifest xmlns:asic="${asicNamespace}"` +
      ` xmlns:ds="${dsigNamespace}"><asic:SigReference${targetAttributes(signature)}/>` +
      `${dataObjects.map(referenceText).join('')}</asic:ASiCManifest>\n`,
  );
}

function referenceText(reference: NewReference): string {
  const rootfile = reference.rootfile === true ? ' Rootfile="true"' : '';
  const digest = Buffer.from(reference.digestValue).toString('base64');
  return (
    `<asic:DataObjectReference${targetAttributes(reference)}${rootfile}>` +
    `<ds:DigestMethod Algorithm="${escapeAttribute(reference.digestMethod)}"/>` +
    `<ds:DigestValue>${digest}</ds:DigestValue></asic:DataObjectReference>`
  );
}

function targetAttributes(target: { name: string; mimeType: string | undefined }): string {
  const uri = ` URI="${escapeAttribute(uriOfName(target.name))}"`;
  if (target.mimeType === undefined) return uri;
  return `${uri} MimeType="${escapeAttribute(target.mimeType)}"`;
}
