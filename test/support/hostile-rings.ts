import { oids } from '../../src/formats/asn1/index.ts';
import { keyUsageBits } from '../../src/formats/x509/index.ts';
import type { TestMember, TestPki } from './pki.ts';

const caExtensions = {
  basicConstraints: { ca: true },
  keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
};

/** A certificate whose issuers lead to each other and to no anchor. */
export interface IssuerRing {
  /** Issued by the first CA. */
  readonly signer: TestMember;
  /** Those of the CAs, DER. */
  readonly certificates: readonly Uint8Array[];
}

/**
 * CAs each of which has certified every other one: two of them form a cycle, more of them endless
 * paths. None is an anchor or issued by one.
 */
export function issuerRing(pki: TestPki, count: number): IssuerRing {
  const cas = Array.from({ length: count }, (_, index) =>
    pki.issue({ name: `ring ${index}`, extensions: caExtensions }),
  );
  const certificates = cas.flatMap((subject) =>
    cas
      .filter((issuer) => issuer !== subject)
      .map((issuer) => {
        const { name } = subject;
        return pki.issue({ name, keyOf: subject, issuer, extensions: caExtensions }).der;
      }),
  );
  const [first] = cas as [TestMember];
  // Certificates by the usual CA would lead to the anchor, and are omitted.
  const signer = pki.issue({ name: 'signer of a ring', issuer: { ...first, chain: [] } });
  return { signer: { ...signer, chain: [] }, certificates };
}

/**
 * OCSP responses on a certificate by a responder whose status is stated by the next one, and that
 * of the last by the first; a single responder vouches for itself.
 */
export function responderRing(pki: TestPki, about: TestMember, count: number): Uint8Array[] {
  const responders = Array.from({ length: count }, (_, index) =>
    pki.issue({
      name: `responder ${index}`,
      extensions: { extendedKeyUsage: [oids.ocspSigning] },
    }),
  );
  return responders.flatMap((responder, index) => {
    const next = responders[(index + 1) % count] as TestMember;
    return [
      pki.ocsp(about.certificate, { responder }),
      pki.ocsp(responder.certificate, { responder: next }),
    ];
  });
}
