import { randomUUID } from 'node:crypto';

/** Begin of the name of a file that is being written. */
export const TEMPORARY = '.new-';
/** Begin of the name of a content that is being removed. */
const LEAVING = '.gone-';

/** A name for a content while it is being removed: its digest, and when that began. */
export function leavingName(sha256: string, beganAtMs: number): string {
  return `${LEAVING}${sha256}-${Math.trunc(beganAtMs)}-${randomUUID()}`;
}

/** The parts of a name made by {@link leavingName}; undefined for another name. */
export function parseLeaving(
  name: string,
): { readonly sha256: string; readonly beganAtMs: number } | undefined {
  const [, sha256, beganAt] = /^\.gone-([0-9a-f]{64})-(?:(\d+)-)?/.exec(name) ?? [];
  return sha256 === undefined ? undefined : { sha256, beganAtMs: Number(beganAt ?? 0) };
}

/** True for what is no content yet, or about to be none. */
export function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY) || name.startsWith(LEAVING);
}

/** True for the name of a content: its SHA-256, hexadecimal. */
export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
