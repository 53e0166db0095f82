import { listTypes, serviceTypes, type TrustService } from '../../formats/tsl/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { findListedCertificate, type ListEvidence } from '../../verify/qualification/index.ts';
import type { StoredList, TrustProfile, TrustStore } from '../ports/index.ts';
import { findExpiry, readableCertificates, readList } from './check-list.ts';
import { requireProfile } from './trust-service.ts';

/** Anchors, lists and warnings of a profile. */
export interface LoadedTrust {
  readonly anchors: readonly Certificate[];
  /** Lists, verified when they were stored. */
  readonly lists: readonly ListEvidence[];
  /** Warnings for the user, such as an overdue update. */
  readonly warnings: readonly string[];
}

/**
 * Loads the anchors and lists of a stored profile. An overdue list is reported; under the policy
 * `refuse` it provides no anchors and qualifies nothing.
 *
 * @throws trust.profile.notfound, trust.profile.invalid
 * @spec ETSI TS 119 615 §4.1, §4.2
 */
export async function loadTrust(
  store: TrustStore,
  name: string,
  nowMs: number,
): Promise<LoadedTrust> {
  const profile = await requireProfile(store, name);
  const own = profile.certificates.map((base64) => Buffer.from(base64, 'base64'));
  const anchors = new Map<string, Certificate>();
  const lists: ListEvidence[] = [];
  const warnings: string[] = [];
  const [first] = profile.lists;
  const all = first === undefined ? undefined : problemOf(first, profile, nowMs, warnings);
  for (const stored of profile.lists) {
    if (stored.isListOfLists) continue;
    const overdue = stored === first ? undefined : problemOf(stored, profile, nowMs, warnings);
    const problem = all ?? overdue;
    const isOfUnion = stored.type === listTypes.generic;
    const { services } = readList(await store.readList(name, stored.sha256)).list;
    const { territory, sequenceNumber } = stored;
    const why = problem ?? (isOfUnion ? undefined : otherScheme(stored));
    lists.push({ territory, sequenceNumber, services, ...(why && { problem: why }) });
    if (problem === undefined) addAnchors(services, anchors);
  }
  return { anchors: [...readableCertificates(own), ...anchors.values()], lists, warnings };
}

/** The reason why a list qualifies nothing: only lists of member states do. */
function otherScheme({ territory, type }: StoredList): string {
  const found = type.slice(0, 200);
  return `the list of ${territory.slice(0, 20)} belongs to a scheme other than the EU's: ${found}`;
}

function problemOf(
  list: StoredList,
  { name, source }: TrustProfile,
  nowMs: number,
  warnings: string[],
): string | undefined {
  const expiry = findExpiry(list, nowMs);
  if (expiry === undefined) return undefined;
  const isRefused = source?.expired !== 'warn';
  warnings.push(`trust profile ${name}: ${expiry}${isRefused ? '; it is not used' : ''}`);
  return isRefused ? expiry : undefined;
}

/** Adds the certificates of services that issue certificates or time-stamps, without duplicates. */
function addAnchors(services: readonly TrustService[], anchors: Map<string, Certificate>): void {
  for (const { states, certificates } of services) {
    const { caPrefix, tsaPrefix } = serviceTypes;
    if (!states.some(({ type }) => type.startsWith(caPrefix) || type.startsWith(tsaPrefix)))
      continue;
    for (const der of certificates) {
      const text = Buffer.from(der).toString('latin1');
      const certificate = anchors.get(text) ?? findListedCertificate(der);
      if (certificate !== undefined) anchors.set(text, certificate);
    }
  }
}
