import { createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { canonicalForms, dsigUri, envelopedUri, type Peer } from './peer.ts';

const rsaUri = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const ecdsaUri = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';

/** xml-crypto has no ECDSA but accepts custom algorithms. */
class EcdsaSha256 implements SignatureAlgorithm {
  getSignature = ((data: string, key: KeyObject) =>
    sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString(
      'base64',
    )) as SignatureAlgorithm['getSignature'];
  verifySignature = ((data: string, key: string, value: string) =>
    verify(
      'sha256',
      Buffer.from(data),
      { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
      Buffer.from(value, 'base64'),
    )) as SignatureAlgorithm['verifySignature'];
  getAlgorithmName = () => ecdsaUri;
}

/** The library xml-crypto with its own xmldom 0.8. */
export const xmlCrypto: Peer = {
  name: 'xml-crypto',
  async sign(xml, form, { privateKey, certificate, scheme }) {
    const signed = open({
      privateKey,
      publicCert: new X509Certificate(certificate).toString(),
      signatureAlgorithm: scheme === 'rsa' ? rsaUri : ecdsaUri,
      canonicalizationAlgorithm: canonicalForms[form],
    });
    signed.addReference({
      xpath: '/*',
      uri: '',
      isEmptyUri: true,
      transforms: [envelopedUri, canonicalForms[form]],
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    });
    signed.computeSignature(xml);
    return signed.getSignedXml();
  },
  async verify(xml, { certificate }) {
    try {
      const signed = open({ publicCert: new X509Certificate(certificate).toString() });
      const document = new DOMParser().parseFromString(xml, 'text/xml');
      const [signature] = Array.from(document.getElementsByTagNameNS(dsigUri, 'Signature'));
      signed.loadSignature(signature as unknown as Node);
      return signed.checkSignature(xml);
    } catch {
      return false;
    }
  },
};

function open(options: ConstructorParameters<typeof SignedXml>[0]): SignedXml {
  const signed = new SignedXml(options);
  signed.SignatureAlgorithms[ecdsaUri] = EcdsaSha256;
  return signed;
}
