import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { onCode } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { statusPrefix, type TrustedList } from '../../formats/tsl/index.ts';
import { type Certificate, describeName } from '../../formats/x509/index.ts';
import type { StoredList, TrustProfile, TrustSource, TrustStore } from '../ports/index.ts';
import { findExpiry, readableCertificates, readList, requireSigned } from './check-list.ts';
import { parseProfile } from './profile-text.ts';
import { requireProfile } from './trust-service.ts';

/** Current status of a stored list. */
export interface ListStatus {
  readonly territory: string;
  readonly operator: string;
  readonly location: string;
  readonly sequenceNumber: number;
  /** Date of issue, ISO 8601. */
  readonly issued: string;
  /** Undefined if the scheme was closed. */
  readonly nextUpdate?: string;
  readonly isOverdue: boolean;
  readonly providers: number;
  readonly services: number;
  /** Result of verifying the signature again. */
  readonly signature: 'valid' | 'broken';
  readonly problem?: string;
  /** Subject of the signer's certificate. */
  readonly signer: string;
  /** TSLVersionIdentifier: 5 or 6. */
  readonly version: number;
}

/** Summary of a profile. */
export interface ProfileStatus {
  readonly name: string;
  readonly version: number;
  readonly changed: string;
  readonly source?: string;
  readonly certificates: number;
  readonly lists: readonly ListStatus[];
}

/** Services of a list, by current status. */
export interface ShownService {
  readonly territory: string;
  readonly provider: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly since: string;
}

/** A certificate that a profile trusts directly. */
export interface ShownAnchor {
  readonly subject: string;
  /** Start of the validity period, ISO 8601. */
  readonly notBefore: string;
  /** End of the validity period, ISO 8601. */
  readonly notAfter: string;
  /** SHA-256 of the certificate, hexadecimal. */
  readonly sha256: string;
}

/** A profile with its signers, its own anchors and, for one territory, its services. */
export interface ShownProfile extends ProfileStatus {
  readonly expired?: TrustSource['expired'];
  /** Signers of the first list: subject and SHA-256 of the certificate. */
  readonly signers: readonly { readonly subject: string; readonly sha256: string }[];
  /** Anchors in addition to those of lists. Malformed certificates are omitted. */
  readonly anchors: readonly ShownAnchor[];
  readonly pivots: readonly ListStatus[];
  readonly services?: readonly ShownService[];
}

/** Lists all profiles with their lists, verifying each list again. @throws trust.profile.invalid */
export async function listTrust(
  store: TrustStore,
  nowMs: number,
): Promise<readonly ProfileStatus[]> {
  const found: ProfileStatus[] = [];
  for (const name of await store.names()) {
    const text = await store.find(name);
    if (text !== undefined) found.push(await describe(store, parseProfile(text), nowMs));
  }
  return found;
}

/**
 * Returns one profile, with the services of a list if a territory is given.
 *
 * @throws trust.profile.notfound, trust.profile.invalid
 */
export async function showTrust(
  store: TrustStore,
  name: string,
  territory: string | undefined,
  nowMs: number,
): Promise<ShownProfile> {
  const profile = await requireProfile(store, name);
  const { source, pivots } = profile;
  const ders = (source?.signers ?? []).map((base64) => Buffer.from(base64, 'base64'));
  const own = profile.certificates.map((base64) => Buffer.from(base64, 'base64'));
  const wanted = territory?.toUpperCase();
  return {
    ...(await describe(store, profile, nowMs)),
    ...(source === undefined ? {} : { expired: source.expired }),
    signers: readableCertificates(ders).map(identify),
    anchors: readableCertificates(own).map((anchor) => ({
      ...identify(anchor),
      notBefore: isoTime(anchor.notBeforeMs),
      notAfter: isoTime(anchor.notAfterMs),
    })),
    pivots: await Promise.all(pivots.map((pivot) => statusOf(store, name, pivot, nowMs))),
    ...(wanted === undefined ? {} : { services: await servicesOf(store, profile, wanted) }),
  };
}

function identify({ subjectDer, der }: Certificate) {
  const sha256 = sha256Of(der);
  return { subject: describeName(subjectDer), sha256 };
}

async function describe(
  store: TrustStore,
  profile: TrustProfile,
  nowMs: number,
): Promise<ProfileStatus> {
  const { name, version, changedMs, source, certificates, lists } = profile;
  const statuses: ListStatus[] = [];
  for (const each of lists) statuses.push(await statusOf(store, name, each, nowMs));
  return {
    name,
    version,
    changed: isoTime(changedMs),
    ...(source === undefined ? {} : { source: source.location }),
    certificates: certificates.length,
    lists: statuses,
  };
}

async function statusOf(
  store: TrustStore,
  name: string,
  list: StoredList,
  nowMs: number,
): Promise<ListStatus> {
  const { territory, operator, location, sequenceNumber, providers, services } = list;
  const signer = Buffer.from(list.signer, 'base64');
  const [certificate] = readableCertificates([signer]);
  const problem = await findFault(store, name, list, nowMs);
  const { nextUpdateMs } = list;
  return {
    ...{ territory, operator, location, sequenceNumber },
    issued: isoTime(list.issuedMs),
    ...(nextUpdateMs === undefined ? {} : { nextUpdate: isoTime(nextUpdateMs) }),
    isOverdue: findExpiry(list, nowMs) !== undefined,
    ...{ providers, services },
    signature: problem === undefined ? 'valid' : 'broken',
    ...defined({ problem }),
    signer: certificate === undefined ? '' : describeName(certificate.subjectDer),
    version: list.formVersion,
  };
}

async function findFault(
  store: TrustStore,
  name: string,
  { sha256, signer, location }: StoredList,
  nowMs: number,
): Promise<string | undefined> {
  const check = (bytes: Uint8Array) => {
    requireSigned(readList(bytes), [Buffer.from(signer, 'base64')], { location, nowMs });
    return undefined;
  };
  return store
    .readList(name, sha256)
    .then(check)
    .catch(onCode(/./, ({ message }) => message));
}

async function servicesOf(
  store: TrustStore,
  { name, lists }: TrustProfile,
  territory: string,
): Promise<readonly ShownService[]> {
  const shown: ShownService[] = [];
  for (const stored of lists.filter((each) => each.territory === territory)) {
    const { list } = readList(await store.readList(name, stored.sha256));
    shown.push(...describeServices(list));
  }
  return shown;
}

function describeServices({ territory, services }: TrustedList): readonly ShownService[] {
  return services.flatMap(({ provider, name, states: [now] }) => {
    if (now === undefined) return [];
    const { type, status, fromMs } = now;
    return {
      ...{ territory, provider, name },
      type: type.replace(/^.*\/Svctype\//, ''),
      status: status.startsWith(statusPrefix) ? status.slice(statusPrefix.length) : status,
      since: isoTime(fromMs),
    };
  });
}
