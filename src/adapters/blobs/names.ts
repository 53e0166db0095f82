import { randomUUID } from 'node:crypto';

/** Name prefix of a file that is being written. */
export const TEMPORARY = '.new-';
/** Name prefix of a blob that is being deleted. */
const DELETING = '.gone-';

/** The name of a blob being deleted: its digest and the start time of the deletion. */
export function deletionName(sha256: string, beganAtMs: number): string {
  return `${DELETING}${sha256}-${Math.trunc(beganAtMs)}-${randomUUID()}`;
}

/** Parses a name made by {@link deletionName}; undefined for any other name. */
export function parseDeletionName(
  name: string,
): { readonly sha256: string; readonly beganAtMs: number } | undefined {
  const [, sha256, beganAt] = /^\.gone-([0-9a-f]{64})-(?:(\d+)-)?/.exec(name) ?? [];
  return sha256 === undefined ? undefined : { sha256, beganAtMs: Number(beganAt ?? 0) };
}

/** Whether a name is that of a file being written or of a blob being deleted. */
export function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY) || name.startsWith(DELETING);
}

/** Whether a text can be the name of a blob: a SHA-256 in hexadecimal. */
export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
