// Peers that sign and verify XML: an enveloped signature by RSA-3072 with SHA-256, exclusive
// canonicalization. Plain XMLDSig: no time, no binding of the certificate, no path to an anchor.
import { createHash, sign, verify, webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';

const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const close = Buffer.from('</Order>');

/** Returns an empty signature for xmlsec1 to fill. */
export const xmlsecTemplate = (document) =>
  insert(document, signatureText(signedInfoText(''), '', '<X509Data></X509Data>'));

/** Parses and canonicalises with libxml2 in WebAssembly, computes with node:crypto. */
export async function libxml2Peer({ privateKey, publicKey }) {
  const { ParseOption, XmlC14NMode, XmlDocument } = await import('libxml2-wasm');
  const parse = { option: ParseOption.XML_PARSE_NONET };
  const form = { mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 };
  const digestOf = (document) => {
    const hash = createHash('sha256');
    const write = (piece) => {
      hash.update(piece);
      return piece.length;
    };
    document.canonicalize({ write, close: () => true }, form);
    return hash.digest();
  };
  const signXml = (bytes) => {
    const document = XmlDocument.fromBuffer(bytes, parse);
    const signedInfo = signedInfoText(digestOf(document).toString('base64'));
    document.dispose();
    const value = sign('sha256', Buffer.from(signedInfo), privateKey);
    return insert(bytes, signatureText(signedInfo, value.toString('base64'), ''));
  };
  const verifyXml = (bytes) => {
    const document = XmlDocument.fromBuffer(bytes, parse);
    const signature = document.get('/*/d:Signature', { d: dsig });
    const textOf = (name) =>
      Buffer.from(signature.get(`.//d:${name}`, { d: dsig }).content, 'base64');
    const [digest, value] = [textOf('DigestValue'), textOf('SignatureValue')];
    signature.remove();
    const isSame = digestOf(document).equals(digest);
    document.dispose();
    // Canonicalizing a part of a document calls JavaScript for each of its nodes.
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const start = buffer.lastIndexOf('<SignedInfo');
    const end = buffer.indexOf('</SignedInfo>', start) + '</SignedInfo>'.length;
    const alone = XmlDocument.fromBuffer(buffer.subarray(start, end), parse);
    const signedInfo = Buffer.from(alone.canonicalizeToString(form));
    alone.dispose();
    if (!isSame || !verify('sha256', signedInfo, publicKey, value)) throw new Error('not valid');
  };
  return { sign: signXml, verify: verifyXml };
}

/** xmldsigjs on @xmldom/xmldom, with Node's crypto. */
export async function xmldsigjsPeer({ privateKey, publicKey }) {
  const require = createRequire(import.meta.url);
  const xmldsig = require('xmldsigjs');
  // Its DOM is set in its own dependency xml-core, wherever that is installed.
  const core = createRequire(require.resolve('xmldsigjs'))('xml-core');
  core.setNodeDependencies({ ...require('@xmldom/xmldom'), xpath: require('xpath') });
  xmldsig.Application.setEngine('Node', webcrypto);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const load = (key, type, usage) =>
    webcrypto.subtle.importKey(type, key.export({ type, format: 'der' }), algorithm, true, [usage]);
  const signingKey = await load(privateKey, 'pkcs8', 'sign');
  const verifyingKey = await load(publicKey, 'spki', 'verify');
  return {
    async sign(bytes) {
      const signed = new xmldsig.SignedXml();
      signed.XmlSignature.SignedInfo.CanonicalizationMethod.Algorithm = exclusive;
      const document = xmldsig.Parse(Buffer.from(bytes).toString('utf8'));
      const references = [{ hash: 'SHA-256', uri: '', transforms: ['enveloped', 'exc-c14n'] }];
      await signed.Sign(algorithm, signingKey, document, { references });
      return Buffer.from(signed.toString());
    },
    async verify(bytes) {
      const document = xmldsig.Parse(Buffer.from(bytes).toString('utf8'));
      const signed = new xmldsig.SignedXml(document);
      signed.LoadXml(document.getElementsByTagNameNS(dsig, 'Signature')[0]);
      if (!(await signed.Verify(verifyingKey))) throw new Error('not valid');
    },
  };
}

/** The minimum of any implementation: hash the document, one operation with the key, one copy. */
export function rawPeer({ privateKey, publicKey }) {
  const signedInfo = Buffer.from(signedInfoText('x'.repeat(44)));
  const value = sign('sha256', signedInfo, privateKey);
  return {
    sign(bytes) {
      createHash('sha256').update(bytes).digest();
      sign('sha256', signedInfo, privateKey);
      return Buffer.concat([bytes, Buffer.alloc(5000)]);
    },
    verify(bytes) {
      createHash('sha256').update(bytes).digest();
      if (!verify('sha256', signedInfo, publicKey, value)) throw new Error('not valid');
    },
  };
}

function insert(document, signature) {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
  const at = bytes.lastIndexOf(close);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(signature), bytes.subarray(at)]);
}

function signatureText(signedInfo, value, keyInfo) {
  const rest = `<SignatureValue>${value}</SignatureValue><KeyInfo>${keyInfo}</KeyInfo>`;
  return `<Signature xmlns="${dsig}">${signedInfo}${rest}</Signature>`;
}

// In canonical form, so that its bytes can be signed directly.
function signedInfoText(digest) {
  const element = (name, algorithm) => `<${name} Algorithm="${algorithm}"></${name}>`;
  const transforms = [`${dsig}enveloped-signature`, exclusive].map((uri) =>
    element('Transform', uri),
  );
  const reference =
    `<Transforms>${transforms.join('')}</Transforms>` +
    `${element('DigestMethod', 'http://www.w3.org/2001/04/xmlenc#sha256')}` +
    `<DigestValue>${digest}</DigestValue>`;
  return (
    `<SignedInfo xmlns="${dsig}">${element('CanonicalizationMethod', exclusive)}` +
    `${element('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}` +
    `<Reference URI="">${reference}</Reference></SignedInfo>`
  );
}
