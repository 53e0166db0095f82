import { type webcrypto, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import type {
  SecondOpinion,
  SignatureQuestion,
  XmlSignatureChecker,
} from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';

// Declared here because the types of these packages include those of browsers.
interface DomNode {
  readonly namespaceURI: string | null;
  readonly localName: string | null;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<DomNode>;
  cloneNode(deep: boolean): DomNode;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<DomNode>;
}

interface DomDocument extends Pick<DomNode, 'getElementsByTagNameNS'> {
  readonly documentElement: DomNode;
}

interface SignedXml {
  readonly Algorithm?: object;
  LoadXml(element: DomNode): void;
  Verify(): Promise<boolean>;
  ValidateReferences(content: DomNode): Promise<boolean>;
  ValidateSignatureValue(keys: readonly CryptoKey[]): Promise<boolean>;
}

interface Xmldsigjs {
  readonly Application: {
    readonly crypto: Crypto;
    setEngine(name: string, crypto: Crypto): void;
  };
  readonly SignedXml: new (document: DomDocument) => SignedXml;
  Parse(text: string): DomDocument;
}

type Crypto = Pick<webcrypto.Crypto, 'subtle'>;
type CryptoKey = webcrypto.CryptoKey;

const namespace = 'http://www.w3.org/2000/09/xmldsig#';
/** Its canonicalisation takes time quadratic in the length. */
const BYTES_MAX = 2 * 1024 * 1024;
const QUESTIONS_MAX = 32;

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

/**
 * Checker based on the library xmldsigjs, with @xmldom/xmldom and @peculiar/webcrypto. It checks
 * references and signature value with the key of the given certificate. It has no opinion on
 * features that it does not support, such as Canonical XML 1.1, XPath filters, EdDSA or files
 * outside the document.
 */
export function xmldsigjsChecker(): XmlSignatureChecker {
  let loading: Promise<Xmldsigjs> | undefined;
  return {
    async check(xml, questions) {
      if (xml.length > BYTES_MAX) return questions.map(() => none('the document is too large'));
      loading ??= loadXmldsigjs();
      const xmldsig = await loading;
      let document: DomDocument;
      try {
        document = xmldsig.Parse(new TextDecoder('utf-8', { fatal: true }).decode(xml));
      } catch (error) {
        return questions.map(() => none(messageOf(error)));
      }
      const opinions: SecondOpinion[] = [];
      for (const [at, question] of questions.entries()) {
        const isMany = at >= QUESTIONS_MAX;
        opinions.push(isMany ? none('there are too many') : await ask(xmldsig, document, question));
      }
      return opinions;
    },
  };
}

// The DOM implementation is set in xml-core, its own dependency, wherever that is installed.
async function loadXmldsigjs(): Promise<Xmldsigjs> {
  const { Crypto } = await import('@peculiar/webcrypto');
  const load = createRequire(import.meta.url);
  const xmldsig: Xmldsigjs = load('xmldsigjs');
  const xmldom: { readonly DOMParser: new (options: object) => object } = load('@xmldom/xmldom');
  const core: { setNodeDependencies(parts: object): void } = createRequire(
    load.resolve('xmldsigjs'),
  )('xml-core');
  // By default, it logs errors to the console; the document was already parsed by our own parser.
  class DOMParser extends xmldom.DOMParser {
    constructor() {
      super({ onError: () => undefined });
    }
  }
  core.setNodeDependencies({ ...xmldom, DOMParser, xpath: load('xpath') });
  xmldsig.Application.setEngine('innsigli', new Crypto());
  return xmldsig;
}

async function ask(
  xmldsig: Xmldsigjs,
  document: DomDocument,
  { index, serialNumber }: SignatureQuestion,
): Promise<SecondOpinion> {
  const element = document.getElementsByTagNameNS(namespace, 'Signature')[index];
  if (element === undefined) return none('it does not find it');
  const outside = referencesOf(element).find((uri) => uri !== '' && !uri.startsWith('#'));
  if (outside !== undefined) return none('it covers something outside the document');
  try {
    const certificate =
      serialNumber === undefined ? undefined : certificateOf(element, serialNumber);
    if (serialNumber !== undefined && certificate === undefined) {
      return none('it does not contain the certificate of its signer');
    }
    return (await isRight(xmldsig, document, element, certificate))
      ? { verdict: 'agrees' }
      : disagrees('the signature value does not match');
  } catch (error) {
    const message = messageOf(error);
    return /Invalid digest for uri/.test(message)
      ? disagrees('a digest does not match')
      : none(message);
  }
}

/** Checks with the given key: by itself, the library would use any key in the signature. */
async function isRight(
  { Application, SignedXml }: Xmldsigjs,
  document: DomDocument,
  element: DomNode,
  certificate: X509Certificate | undefined,
): Promise<boolean> {
  const signature = new SignedXml(document);
  signature.LoadXml(element);
  if (certificate === undefined) return signature.Verify();
  const { publicKey } = certificate;
  const namedCurve = curves[publicKey.asymmetricKeyDetails?.namedCurve ?? ''];
  const algorithm = { name: '', ...signature.Algorithm, ...defined({ namedCurve }) };
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const key = await Application.crypto.subtle.importKey('spki', der, algorithm, true, ['verify']);
  await signature.ValidateReferences(document.documentElement.cloneNode(true));
  return signature.ValidateSignatureValue([key]);
}

function referencesOf(signature: DomNode): string[] {
  const info = childrenOf(signature, 'SignedInfo')[0];
  return childrenOf(info, 'Reference').map((each) => each.getAttribute('URI') ?? '');
}

function certificateOf(signature: DomNode, serialNumber: string): X509Certificate | undefined {
  const keyInfo = childrenOf(signature, 'KeyInfo')[0];
  const certificates = Array.from(
    keyInfo?.getElementsByTagNameNS(namespace, 'X509Certificate') ?? [],
  );
  return certificates
    .map((each) => new X509Certificate(Buffer.from(each.textContent ?? '', 'base64')))
    .find((each) => BigInt(`0x${each.serialNumber}`) === BigInt(`0x${serialNumber}`));
}

function childrenOf(element: DomNode | undefined, name: string): DomNode[] {
  return Array.from(element?.childNodes ?? []).filter(
    (each) => each.namespaceURI === namespace && each.localName === name,
  );
}

function none(why: string): SecondOpinion {
  return { verdict: 'none', why };
}

function disagrees(why: string): SecondOpinion {
  return { verdict: 'disagrees', why };
}

function messageOf(error: unknown): string {
  // Errors of the library are not instances of Error.
  const text = (error as { readonly message?: unknown } | undefined)?.message ?? error;
  return String(text).replace(/\s+/g, ' ').slice(0, 200);
}
