import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { Identity } from '../../../domain/person/index.ts';
import type { PreparedSignature } from '../../../domain/signing/index.ts';
import { der, oids } from '../../../formats/asn1/index.ts';
import { buildSignedAssertions } from '../../../formats/cms/index.ts';
import type { EidEvidence, EidSignature, EidSigning, IdentityProvider } from '../../ports/index.ts';
import type { OwnSignature, SignatureSource } from '../sign-document.ts';
import { requireOwnCertificate } from './own-certificate.ts';
import { noSignature, signatureAlgorithm } from './prepare-signature.ts';

/**
 * Returns the signee's signature as delivered by the provider. It is bound to the prepared digest
 * and to a certificate of the signee.
 *
 * @param identity identity of the person who responded
 * @param ref reference of the completed session
 * @throws authentication.token.invalid if the delivered signature has a different form
 */
export async function deliveredSignature(
  provider: IdentityProvider,
  ref: string,
  prepared: PreparedSignature,
  identity: Identity,
): Promise<OwnSignature> {
  const { signedAtMs, reservedBytes, name, ssn } = prepared;
  const { signing } = provider;
  if (signing === undefined) throw noSignature(provider);
  const signature = await provider.signature(ref);
  if (signature.delivery !== signing.delivery) throw otherSignature();
  // With evidence, the company's seal is created now, so its space is not fixed.
  const fixed = signature.delivery === 'evidence' ? { signedAtMs } : { signedAtMs, reservedBytes };
  const by = sourceOf(signing, signature, prepared, await provider.evidence(ref));
  const requireSigner = (subjectDer: Uint8Array) => requireOwnCertificate(subjectDer, identity);
  return { by, name, requireSigner, ...defined({ ssn }), fixed };
}

function sourceOf(
  signing: EidSigning,
  signature: EidSignature,
  { digest, reservedBytes, certificates }: PreparedSignature,
  evidence: EidEvidence,
): SignatureSource {
  const requireSame = (bytes: Uint8Array): void => {
    if (createHash(signing.digest).update(bytes).digest('hex') !== digest) throw otherDocument();
  };
  switch (signature.delivery) {
    case 'raw': {
      const [certificate, ...chain] = certificates.map((text) => Buffer.from(text, 'base64'));
      if (certificate === undefined) throw otherSignature();
      const algorithm = signatureAlgorithm(signing, certificate);
      const sign = async (data: Uint8Array) => {
        requireSame(data);
        return signature.value;
      };
      return { kind: 'key', signer: { certificate, chain, algorithm, sign } };
    }
    case 'cms': {
      const signContent = async (content: Uint8Array) => {
        requireSame(content);
        return signature.cms;
      };
      return { kind: 'cms', signer: { estimatedLengthBytes: reservedBytes, signContent } };
    }
    case 'document':
      return { kind: 'document', signed: signature.document };
    default: {
      // PrintableString, because some verifiers read assertions as nothing else, whatever the type.
      const text = Buffer.from(JSON.stringify(evidence)).toString('base64');
      const value = der.printableString(text);
      const assertion = { type: oids.eidEvidence, value };
      return { kind: 'evidence', signedAttributes: [buildSignedAssertions([assertion])] };
    }
  }
}

function otherDocument(): InnsigliError {
  const message = 'the document differs from the one the person agreed to';
  return new InnsigliError('process.conflict', message, { hint: 'start the signature again' });
}

function otherSignature(): InnsigliError {
  return new InnsigliError('authentication.token.invalid', 'the session has no such signature');
}
