import { sha256Of } from '../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { readZip, writeZip, type ZipArchive } from '../../formats/zip/index.ts';
import type { StoredList, TrustProfile } from '../ports/index.ts';
import { parseProfile, serializeProfile } from './profile-text.ts';

const PROFILE = 'profile.json';
const nameOf = (sha256: string) => `lists/${sha256}.xml`;

/** A profile with the bytes of its lists. */
export interface Bundle {
  readonly profile: TrustProfile;
  /** Bytes of the lists, by SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * Serializes a profile with all its lists as one reproducible ZIP archive. The lists are not
 * compressed, because the output of DEFLATE differs between versions of zlib.
 */
export function serializeBundle({ profile, contents }: Bundle): Uint8Array {
  const lists = [...contents.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = Buffer.from(serializeProfile(profile));
  return writeZip([
    { name: PROFILE, bytes: text, stored: true },
    ...lists.map(([sha256, bytes]) => ({ name: nameOf(sha256), bytes, stored: true })),
  ]);
}

/**
 * Parses a bundle and verifies that it is complete: every list is present and matches its digest.
 * Signatures of the lists are not verified here.
 *
 * @throws trust.bundle.invalid, limit.exceeded
 */
export function parseBundle(bytes: Uint8Array): Bundle {
  if (bytes.length > limits.trustBundleBytes) {
    const max = limits.trustBundleBytes;
    const message = `expected a bundle of at most ${max} bytes, found ${bytes.length}`;
    throw new InnsigliError('limit.exceeded', message);
  }
  try {
    const archive = readZip(bytes);
    const text = Buffer.from(requireEntry(archive, PROFILE)).toString('utf8');
    const profile = parseProfile(text, 'trust.bundle.invalid');
    const contents = new Map<string, Uint8Array>();
    for (const { sha256 } of listsOf(profile)) {
      if (!contents.has(sha256)) contents.set(sha256, requireList(archive, sha256));
    }
    const expected = contents.size + 1;
    if (archive.entries.length !== expected) {
      const found = archive.entries.length;
      throw new InnsigliError('trust.bundle.invalid', `expected ${expected} files, found ${found}`);
    }
    return { profile, contents };
  } catch (cause) {
    if (!isInnsigliError(cause) || !cause.code.startsWith('container.')) throw cause;
    const message = `expected a file of innsigli trust export: ${cause.message}`;
    throw new InnsigliError('trust.bundle.invalid', message, {
      cause,
      hint: 'create one with innsigli trust export NAME -o FILE; for lists in XML use trust sync',
    });
  }
}

/** All lists named by a profile: the first list, the lists below it, and the pivots. */
export function listsOf({ lists, pivots }: TrustProfile): readonly StoredList[] {
  return [...lists, ...pivots];
}

function requireEntry(archive: ZipArchive, name: string): Uint8Array {
  const entry = archive.find(name);
  if (entry === undefined) throw new InnsigliError('trust.bundle.invalid', `${name} is missing`);
  const max = limits.trustListBytes;
  if (entry.sizeBytes > max) {
    const message = `${name}: expected at most ${max} bytes, found ${entry.sizeBytes}`;
    throw new InnsigliError('limit.exceeded', message);
  }
  return entry.read();
}

function requireList(archive: ZipArchive, sha256: string): Uint8Array {
  const name = nameOf(sha256);
  const bytes = requireEntry(archive, name);
  if (sha256Of(bytes) === sha256) return bytes;
  throw new InnsigliError('trust.bundle.invalid', `${name} has a different digest`);
}
