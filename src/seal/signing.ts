import { equalBytes } from '../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import { getOrCompute } from '../base/memo.ts';
import { oids } from '../formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData } from '../formats/cms/index.ts';
import { type Certificate, type DigestAlgorithm, parseCertificate } from '../formats/x509/index.ts';
import type { Signer } from './ports.ts';

/**
 * Signs the data.
 *
 * @throws key.sign.failed, also for any error of an external signer
 */
export async function signBytes(signer: Signer, data: Uint8Array): Promise<Uint8Array> {
  try {
    return await signer.sign(data);
  } catch (error) {
    if (isInnsigliError(error)) throw error;
    throw new InnsigliError('key.sign.failed', 'the signer returned no signature', {
      cause: error,
    });
  }
}

/** A SHA-2 digest algorithm that every verifier supports and that remains strong for years. */
export type StrongDigest = 'sha256' | 'sha384' | 'sha512';

/** The digest algorithm for imprints and certificates: that of the signature if it is strong. */
export function strongDigest(digest: DigestAlgorithm | undefined): StrongDigest {
  return digest === 'sha384' || digest === 'sha512' ? digest : 'sha256';
}

/** Claims of a signature other than the certificate, as for {@link buildSignedAttributes}. */
type CmsClaims = Pick<
  Parameters<typeof buildSignedAttributes>[0],
  'messageDigest' | 'further' | 'signingTimeMs'
>;

/** A CMS signature before its value is known. */
interface CmsDraft {
  /** Signed attributes to be signed, DER. */
  readonly signedAttributes: Uint8Array;
  /** ContentInfo with SignedData, DER. */
  build(signature: Uint8Array, unsignedAttributes?: readonly Uint8Array[]): Uint8Array;
}

/** Drafts a detached signature over content with this digest. */
export function draftCms(signer: Signer, certificate: Certificate, claims: CmsClaims): CmsDraft {
  const { algorithm } = signer;
  const signedAttributes = buildSignedAttributes({
    ...claims,
    contentType: oids.data,
    certificate,
    certificateDigest: strongDigest(algorithm.digest),
  });
  return {
    signedAttributes,
    build: (signature, unsignedAttributes = []) =>
      buildSignedData({
        digest: algorithm.digest,
        signedAttributes,
        signatureAlgorithm: algorithm,
        signature,
        certificate,
        certificates: embeddedCertificates(signer),
        unsignedAttributes,
      }),
  };
}

const embedded = new WeakMap<Signer, readonly Uint8Array[]>();

/** Certificates of signer and issuers. No root: verifiers either have it or do not trust it. */
export function embeddedCertificates(signer: Signer): readonly Uint8Array[] {
  return getOrCompute(embedded, signer, ({ certificate, chain }) => {
    const issuers = chain.filter((der) => {
      const { subjectDer, issuerDer } = parseCertificate(der);
      return !equalBytes(subjectDer, issuerDer);
    });
    return [certificate, ...issuers];
  });
}
