import { constants, createHash, createPublicKey, verify } from 'node:crypto';
import { EidError } from '../../../app/ports/index.ts';
import { equalBytes } from '../../../base/bytes.ts';
import { parseCertificate } from '../../../formats/x509/index.ts';
import { canonicalBytes, parseXml, type XmlElement } from '../../../formats/xml/index.ts';
import {
  canonicalUris,
  namespaces,
  parseXmlSignature,
  readBase64,
  signedInfoBytes,
  type XmlReference,
  type XmlSignature,
} from '../../../formats/xmldsig/index.ts';

/** The signed content, read from the elements whose digests were verified. */
export interface SignedAnswer {
  /** DER, in document order: that of the person first. */
  readonly certificates: readonly Uint8Array[];
  readonly funcId: string;
  readonly visible?: Uint8Array;
  readonly hidden?: Uint8Array;
}

const BANKID = 'http://www.bankid.com/signature/v1.0.0/types';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const { dsig } = namespaces;

const KEY_BITS_MIN = 2048;
const CERTIFICATES_MAX = 6;
/** Maximum size of a document: the longest text plus certificates. */
const XML_BYTES_MAX = 128 * 1024;

/**
 * Returns the signed content of a signature of the BankID profile after verifying its digests and
 * its value with the first certificate. Whether that certificate is trusted is not checked here.
 *
 *     Signature { SignedInfo { Reference #bidSignedData, Reference #bidKeyInfo }, SignatureValue,
 *                 KeyInfo bidKeyInfo, Object { bankIdSignedData bidSignedData } }
 *
 * Any other structure is rejected, and each Id must be unique: what is read is what was digested.
 *
 * @throws EidError `invalidResponse`; xml.*, x509.invalid and others of the formats
 * @spec XML-Signature Syntax and Processing 1.1 §3.2
 */
export function verifySignatureXml(xml: Uint8Array): SignedAnswer {
  if (xml.length > XML_BYTES_MAX) throw refused('the signature is too long');
  // The parser rejects document type declarations.
  const document = parseXml(xml);
  const signature = parseXmlSignature(document.root);
  const { signedInfo, keyInfo, objects } = signature;
  const [object] = objects;
  const signedData = object?.children[0];
  if (keyInfo === undefined || signedData === undefined || objects.length !== 1) {
    throw refused('the signature has no key or no data');
  }
  const isAlone = object?.children.length === 1 && object.text.trim() === '';
  if (!isAlone || !signedData.is(BANKID, 'bankIdSignedData')) {
    throw refused('the signed object contains something other than the data');
  }
  if (document.findAll(dsig, 'Signature').length !== 1) throw refused('two signatures');
  if (signedInfo.canonicalUri !== canonicalUris.c14n10 || signedInfo.prefixList.length > 0) {
    throw refused('the canonicalisation is different');
  }
  requireReferences(signature, { bidSignedData: signedData, bidKeyInfo: keyInfo.element });
  const { certificates } = keyInfo;
  const given = keyInfo.element.children.flatMap(({ children }) => children).length;
  if (given !== certificates.length || given < 2 || given > CERTIFICATES_MAX) {
    throw refused('the certificates do not form a chain');
  }
  requireValue(signature, certificates[0] as Uint8Array);
  return { certificates, ...readSignedData(signedData) };
}

function requireReferences(
  { signedInfo: { references }, element }: XmlSignature,
  elements: { readonly bidSignedData: XmlElement; readonly bidKeyInfo: XmlElement },
): void {
  const [first, second, ...others] = references;
  if (first === undefined || second === undefined || others.length > 0) {
    throw refused('expected two references');
  }
  for (const [id, target] of Object.entries(elements)) {
    const found = references.filter(({ uri }) => uri === `#${id}`);
    const [reference] = found;
    if (found.length !== 1 || reference === undefined) throw refused(`no reference to ${id}`);
    const [named, ...namesakes] = element.document.findById(id);
    const isTarget = named?.index === target.index && namesakes.length === 0;
    if (!isTarget || target.attribute('Id') !== id) throw refused(`${id} is a different element`);
    const type = id === 'bidSignedData' ? BANKID : undefined;
    if (reference.type !== type) throw refused(`the reference to ${id} has a different type`);
    requireDigest(reference, target);
  }
}

function requireDigest({ transforms, digest, digestValue }: XmlReference, target: XmlElement) {
  const [transform, ...others] = transforms;
  const isCanonical = transform?.uri === canonicalUris.c14n10 && others.length === 0;
  if (!isCanonical || transform.element.children.length > 0) throw refused('other transforms');
  if (digest !== 'sha256') throw refused('a different digest algorithm');
  const found = createHash('sha256').update(canonicalBytes(target, 'c14n10')).digest();
  if (!equalBytes(found, digestValue)) throw refused('a digest does not match the signed data');
}

function requireValue({ signedInfo, signatureValue }: XmlSignature, der: Uint8Array): void {
  const { uri } = signedInfo.signatureMethod;
  if (uri !== RSA_SHA256) throw refused('the signature algorithm is different');
  const spki = Buffer.from(parseCertificate(der).spkiDer);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < KEY_BITS_MIN) {
    throw refused(`the key is not RSA of ${KEY_BITS_MIN} bits or more`);
  }
  const bytes = signedInfoBytes(signedInfo) as Uint8Array;
  const padded = { key, padding: constants.RSA_PKCS1_PADDING };
  if (verify('sha256', bytes, padded, signatureValue.bytes)) return;
  throw refused('the signature value does not belong to the certificate');
}

function readSignedData(data: XmlElement): Omit<SignedAnswer, 'certificates'> {
  const one = (parent: XmlElement, name: string): XmlElement | undefined => {
    const [found, ...others] = parent.children.filter(({ localName }) => localName === name);
    if (others.length > 0 || found?.namespaceUri !== (found && BANKID)) {
      throw refused(`more than one ${name}, or one of another namespace`);
    }
    return found;
  };
  const client = one(data, 'clientInfo');
  const funcId = client && one(client, 'funcId');
  if (funcId === undefined) throw refused('no funcId');
  const [visible, hidden] = [one(data, 'usrVisibleData'), one(data, 'usrNonVisibleData')];
  if (visible !== undefined) requirePlain(visible);
  return {
    funcId: funcId.text,
    ...(visible === undefined ? {} : { visible: readBase64(visible) }),
    ...(hidden === undefined ? {} : { hidden: readBase64(hidden) }),
  };
}

/** The text must have been displayed as sent and signed: UTF-8, without markup. */
function requirePlain(visible: XmlElement): void {
  const {
    charset,
    format = 'plaintext',
    visible: how = 'wysiwys',
  } = Object.fromEntries(visible.attributes.map(({ localName, value }) => [localName, value])) as {
    readonly [name: string]: string | undefined;
  };
  if (charset?.toUpperCase() === 'UTF-8' && format === 'plaintext' && how === 'wysiwys') return;
  throw refused('the text was shown in a different form than sent');
}

function refused(why: string): EidError {
  return new EidError('invalidResponse', `signature of BankID: ${why}`);
}
