import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { StoredList, TrustProfile, TrustSource, TrustStore } from '../ports/index.ts';
import { type Bundle, listsOf, parseBundle, serializeBundle } from './bundle.ts';
import type { FetchList } from './find-first-list.ts';
import { parseProfile, requireProfileName, serializeProfile } from './profile-text.ts';
import { type ListOutcome, type SyncOutcome, syncProfile } from './sync-profile.ts';

/** Dependencies of the operations on trust profiles. */
export interface TrustPorts {
  readonly store: TrustStore;
  readonly fetch: FetchList;
  /** Current time in milliseconds since the epoch. */
  now(): number;
}

/** Options for creating or updating a profile. Members that are omitted stay unchanged. */
export interface SyncOptions {
  /** URL or absolute path of a list of lists, or of a single list. */
  readonly location?: string | undefined;
  /** Certificates of its signers, DER. */
  readonly signers?: readonly Uint8Array[] | undefined;
  readonly territories?: readonly string[] | undefined;
  readonly expired?: TrustSource['expired'] | undefined;
  /** Anchors in addition to those of lists, DER. */
  readonly certificates?: readonly Uint8Array[] | undefined;
  readonly acceptsShrunken?: boolean | undefined;
}

/** A changed profile, with the results for its lists. */
export interface ChangedProfile {
  readonly profile: TrustProfile;
  readonly outcomes: readonly ListOutcome[];
}

/** Returns the profile with that name. @throws trust.profile.notfound, trust.profile.invalid */
export async function requireProfile(store: TrustStore, name: string): Promise<TrustProfile> {
  const profile = await findProfile(store, requireProfileName(name));
  if (profile !== undefined) return profile;
  const known = await store.names();
  const there =
    known.length === 0 ? 'create one with innsigli trust sync' : `there is ${known.join(', ')}`;
  const message = `there is no trust profile "${name}"`;
  throw new InnsigliError('trust.profile.notfound', message, { hint: there });
}

async function findProfile(store: TrustStore, name: string): Promise<TrustProfile | undefined> {
  const text = await store.find(name);
  return text === undefined ? undefined : parseProfile(text);
}

/**
 * Creates a profile, or updates its lists.
 *
 * @throws usage.invalid, trust.*, network.*, io.*, limit.exceeded
 */
export async function syncTrust(
  { store, fetch, now }: TrustPorts,
  name: string,
  options: SyncOptions,
): Promise<ChangedProfile> {
  const before = await findProfile(store, requireProfileName(name));
  const source = mergeSource(before?.source, options);
  const certificates = options.certificates?.map(base64Of) ?? before?.certificates ?? [];
  if (source === undefined && certificates.length === 0) {
    throw new InnsigliError('usage.invalid', `the profile "${name}" has no list or anchor yet`, {
      hint: 'pass --list ADDRESS with --signer FILE, or --certificates FOLDER',
    });
  }
  const made = { name, source, certificates, before };
  return keepProfile({ store, fetch, now }, made, options, false);
}

function mergeSource(
  before: TrustSource | undefined,
  { location, signers, territories, expired }: SyncOptions,
): TrustSource | undefined {
  const first = location ?? before?.location;
  if (first === undefined) return undefined;
  const pinned = signers?.map(base64Of) ?? before?.signers ?? [];
  if (pinned.length === 0) {
    throw new InnsigliError('usage.invalid', `expected a signer of ${first}, found none`, {
      hint: 'pass --signer FILE with the certificates published by its operator',
    });
  }
  const chosen = territories?.map((each) => each.toUpperCase()) ?? before?.territories;
  return {
    ...{ location: first, signers: pinned, ...defined({ territories: chosen }) },
    expired: expired ?? before?.expired ?? 'refuse',
  };
}

interface MadeProfile extends Pick<TrustProfile, 'name' | 'certificates'> {
  readonly source: TrustSource | undefined;
  readonly before: TrustProfile | undefined;
}

/** Fetches the lists of the source, if there is one, and stores the profile with them. */
async function keepProfile(
  { store, fetch, now }: TrustPorts,
  { source, before, ...rest }: MadeProfile,
  { acceptsShrunken = false }: Pick<SyncOptions, 'acceptsShrunken'>,
  isStrict: boolean,
): Promise<ChangedProfile> {
  const readFirst = ({ sha256 }: StoredList) => store.readList(rest.name, sha256);
  const request = { before, nowMs: now(), acceptsShrunken, isStrict, fetch, readFirst };
  const { lists, pivots, contents, outcomes }: SyncOutcome =
    source === undefined
      ? { lists: [], pivots: [], contents: new Map(), outcomes: [] }
      : await syncProfile({ source, ...request });
  const profile: TrustProfile = {
    ...{ v: 1, ...rest, ...defined({ source }) },
    version: (before?.version ?? 0) + 1,
    ...{ changedMs: now(), lists, pivots },
  };
  const named = listsOf(profile).map(({ sha256 }) => sha256);
  const { name, version } = profile;
  await store.put({ name, version, text: serializeProfile(profile), contents, named });
  return { profile, outcomes };
}

function base64Of(der: Uint8Array): string {
  return Buffer.from(der).toString('base64');
}

/** Exports a profile as one file. @throws trust.profile.notfound, trust.profile.invalid */
export async function exportTrust(
  { store }: Pick<TrustPorts, 'store'>,
  name: string,
): Promise<Uint8Array> {
  const profile = await requireProfile(store, name);
  const contents = new Map<string, Uint8Array>();
  for (const { sha256 } of listsOf(profile)) {
    contents.set(sha256, await store.readList(name, sha256));
  }
  return serializeBundle({ profile, contents });
}

/** Options for importing a bundle. */
export interface ImportOptions {
  /** Name of the profile. Default: the name in the bundle. */
  readonly name?: string | undefined;
  /** Required signers of the first list, DER. Default: those named in the bundle. */
  readonly signers?: readonly Uint8Array[] | undefined;
  readonly acceptsShrunken?: boolean | undefined;
}

/**
 * Imports a bundle atomically. Each signature is verified again, and outdated or shrunken lists are
 * rejected as for downloads.
 *
 * @throws trust.*, limit.exceeded
 */
export async function importTrust(
  { store, now }: Omit<TrustPorts, 'fetch'>,
  bytes: Uint8Array,
  options: ImportOptions,
): Promise<ChangedProfile> {
  const bundle = parseBundle(bytes);
  const { source: given, certificates } = bundle.profile;
  const name = requireProfileName(options.name ?? bundle.profile.name);
  const before = await findProfile(store, name);
  const signers = options.signers?.map(base64Of) ?? before?.source?.signers;
  const source = given && { ...given, ...defined({ signers }) };
  const ports = { store, fetch: fetchFrom(bundle), now };
  return keepProfile(ports, { name, certificates, source, before }, options, true);
}

/** Returns lists by the location that they had when the bundle was created. */
function fetchFrom({ profile, contents }: Bundle): FetchList {
  const byLocation = new Map<string, StoredList>();
  for (const each of listsOf(profile)) byLocation.set(each.location, each);
  return async (location) => {
    const found = byLocation.get(location);
    const bytes = found && contents.get(found.sha256);
    if (bytes !== undefined) return bytes;
    throw new InnsigliError('network.offline', `${location} is not in the bundle`);
  };
}
