import { equalBytes, latin1Text } from '../base/bytes.ts';
import { attempt } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { getOrCompute } from '../base/memo.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { internCertificate, namesOf, rankIssuers } from './certificates.ts';
import type { CertificatePool } from './path.ts';
import { fingerprintOf } from './signature.ts';

/** Maximum number of certificates of one name that are compared byte by byte. */
const FEW = 8;

/** Returns a function that finds the value in a pool with the same bytes. */
function duplicateFinder(bySubject: ReadonlyMap<string, readonly Certificate[]>) {
  /** Fingerprints for groups that are too large for a linear search. */
  const fingerprints = new Map<readonly Certificate[], Map<string, Certificate>>();
  return {
    find(fresh: Certificate): Certificate | undefined {
      const group = bySubject.get(namesOf(fresh).subject) ?? [];
      if (group.length <= FEW) return group.find(({ der }) => equalBytes(der, fresh.der));
      const indexOf = () => new Map(group.map((one) => [fingerprintKey(one), one]));
      return getOrCompute(fingerprints, group, indexOf).get(fingerprintKey(fresh));
    },
    note(group: readonly Certificate[], added: Certificate): void {
      fingerprints.get(group)?.set(fingerprintKey(added), added);
    },
  };
}

function fingerprintKey(certificate: Certificate): string {
  return latin1Text(fingerprintOf(certificate, 'sha256'));
}

/**
 * Creates a pool with the certificates of `base` and of `members`; bytes that are not certificates
 * are skipped. In addition to those given as values, such as anchors, it stores at most
 * `limits.certificates`: later ones are parsed but not stored.
 *
 * @param base is not changed
 */
export function createCertificatePool(
  members: Iterable<Uint8Array | Certificate> = [],
  base?: CertificatePool,
): CertificatePool {
  const all: Certificate[] = [];
  const known = new Set<Certificate>();
  const bySubject = new Map<string, Certificate[]>();
  const twins = duplicateFinder(bySubject);
  let most: number = limits.certificates;

  const keep = (certificate: Certificate): void => {
    if (known.has(certificate)) return;
    if (all.length >= most) {
      pool.isFull = true;
      return;
    }
    known.add(certificate);
    all.push(certificate);
    const { subject } = namesOf(certificate);
    const group = bySubject.get(subject);
    if (group === undefined) bySubject.set(subject, [certificate]);
    else {
      group.push(certificate);
      twins.note(group, certificate);
    }
  };

  // The intern table evicts entries, but a pool must not contain the same bytes as two values.
  const keepOnce = (fresh: Certificate): Certificate => {
    const twin = known.has(fresh) ? fresh : twins.find(fresh);
    if (twin === undefined) keep(fresh);
    return twin ?? fresh;
  };

  // A getter would retain each pool until a full collection: V8 references it in hidden classes.
  const pool: CertificatePool & { isFull: boolean } = {
    all,
    isFull: base?.isFull === true,
    add: (der) => attempt(() => keepOnce(internCertificate(der))),
    named: (subject) => bySubject.get(subject) ?? [],
    issuersOf(certificate) {
      const group = bySubject.get(namesOf(certificate).issuer);
      return group === undefined ? [] : rankIssuers(certificate, group);
    },
  };
  for (const certificate of base?.all ?? []) keep(certificate);
  for (const member of members) {
    if (!('der' in member)) {
      pool.add(member);
      continue;
    }
    // The user's anchors do not count towards the limit for certificates from documents.
    most++;
    keepOnce(member);
  }
  return pool;
}
