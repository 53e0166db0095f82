import { equalBytes } from '../base/bytes.ts';
import { isInnsigliError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { internCertificate, namesOf, rankIssuers } from './certificates.ts';
import type { CertificatePool } from './path.ts';

/**
 * A pool with the certificates of `base` and of `ders`; what is not a certificate is skipped. It
 * keeps at most `limits.certificates`: later ones are parsed but not kept.
 *
 * @param base is not changed
 */
export function createCertificatePool(
  ders: Iterable<Uint8Array> = [],
  base?: CertificatePool,
): CertificatePool {
  const all: Certificate[] = [];
  const known = new Set<Certificate>();
  const bySubject = new Map<string, Certificate[]>();

  const keep = (certificate: Certificate): void => {
    if (known.has(certificate) || all.length >= limits.certificates) return;
    known.add(certificate);
    all.push(certificate);
    const { subject } = namesOf(certificate);
    const group = bySubject.get(subject);
    if (group === undefined) bySubject.set(subject, [certificate]);
    else group.push(certificate);
  };

  const pool: CertificatePool = {
    all,
    add(der) {
      try {
        const fresh = internCertificate(der);
        // The table forgets: a pool must not hold the same bytes as two values.
        const group = known.has(fresh) ? undefined : bySubject.get(namesOf(fresh).subject);
        const twin = group?.find((candidate) => equalBytes(candidate.der, fresh.der));
        if (twin !== undefined) return twin;
        keep(fresh);
        return fresh;
      } catch (error) {
        if (isInnsigliError(error)) return undefined;
        throw error;
      }
    },
    named: (subject) => bySubject.get(subject) ?? [],
    issuersOf(certificate) {
      const group = bySubject.get(namesOf(certificate).issuer);
      return group === undefined ? [] : rankIssuers(certificate, group);
    },
  };
  for (const certificate of base?.all ?? []) keep(certificate);
  for (const der of ders) pool.add(der);
  return pool;
}
