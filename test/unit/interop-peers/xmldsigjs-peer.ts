import { webcrypto, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import * as xmldom from '@xmldom/xmldom';
import xpath from 'xpath';
import { type CanonicalForm, canonicalForms, dsigUri, type Peer, type PeerKey } from './peer.ts';

// Its DOM is set in its own dependency xml-core, wherever that is installed.
const require = createRequire(import.meta.url);
const xmldsig = require('xmldsigjs') as typeof import('xmldsigjs');
createRequire(require.resolve('xmldsigjs'))('xml-core').setNodeDependencies({ ...xmldom, xpath });
xmldsig.Application.setEngine('Node', webcrypto as never);

const transforms: Readonly<
  Record<CanonicalForm, 'c14n' | 'c14n-com' | 'exc-c14n' | 'exc-c14n-com'>
> = {
  inclusive: 'c14n',
  'inclusive with comments': 'c14n-com',
  exclusive: 'exc-c14n',
  'exclusive with comments': 'exc-c14n-com',
};

/** The library xmldsigjs with @xmldom/xmldom. */
export const xmldsigjs: Peer = {
  name: 'xmldsigjs',
  async sign(xml, form, key) {
    const document = xmldsig.Parse(xml);
    const signed = new xmldsig.SignedXml();
    signed.XmlSignature.SignedInfo.CanonicalizationMethod.Algorithm = canonicalForms[form];
    const { privateKey, scheme } = key;
    const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
    const signingKey = await importKey('pkcs8', pkcs8, scheme);
    const references = [
      { hash: 'SHA-256', uri: '', transforms: ['enveloped' as const, transforms[form]] },
    ];
    const x509 = [Buffer.from(key.certificate).toString('base64')];
    await signed.Sign(algorithmOf(scheme), signingKey, document, { references, x509 });
    return signed.toString();
  },
  async verify(xml, { certificate, scheme }) {
    try {
      const document = xmldsig.Parse(xml);
      const [signature] = Array.from(document.getElementsByTagNameNS(dsigUri, 'Signature'));
      const signed = new xmldsig.SignedXml(document);
      signed.LoadXml(signature as Element);
      // It would import an EC key again without the curve; without a key it reads KeyInfo, and
      // fails if an issuer there has a different key type.
      const { publicKey } = new X509Certificate(certificate);
      const spki = publicKey.export({ type: 'spki', format: 'der' });
      const key = scheme === 'rsa' ? await importKey('spki', spki, scheme) : undefined;
      return await signed.Verify(key);
    } catch {
      return false;
    }
  },
};

function algorithmOf(scheme: PeerKey['scheme']) {
  if (scheme === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  return { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' };
}

async function importKey(form: 'pkcs8' | 'spki', der: Uint8Array, scheme: PeerKey['scheme']) {
  const usage = form === 'spki' ? 'verify' : 'sign';
  const key = await webcrypto.subtle.importKey(form, der, algorithmOf(scheme), true, [usage]);
  return key as CryptoKey;
}
