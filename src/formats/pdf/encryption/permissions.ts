import { createDecipheriv } from 'node:crypto';
import { latin1Text } from '../../../base/bytes.ts';

/** Permissions to change the document without the owner's password. @spec ISO 32000-2 table 22 */
export interface PdfPermissions {
  /** Change content, except as controlled by the other permissions. */
  readonly modify: boolean;
  /** Annotate and fill forms; with `modify` also create form fields. */
  readonly annotate: boolean;
  /** Fill existing fields, including signature fields. */
  readonly fillForms: boolean;
}

/** The permissions in the value of /P. */
export function readPermissions(flags: number, revision: number): PdfPermissions {
  const bit = (number: number): boolean => (flags & (1 << (number - 1))) !== 0;
  return {
    modify: bit(4),
    annotate: bit(6),
    // Revision 2 has no finer ones.
    fillForms: bit(6) || (revision >= 3 && bit(9)),
  };
}

/**
 * The flags of /P that /Perms confirms. Anyone can change /P, but /Perms only with the key: a flag
 * counts if both contain it, and none does if /Perms cannot be read.
 *
 *     flags (4)  ff ff ff ff  T or F  "adb"  random (4), encrypted with AES-256
 *
 * @param locked the 16 bytes of /Perms
 * @spec ISO 32000-2 §7.6.4.4.12, algorithm 13
 */
export function confirmedFlags(flags: number, locked: Uint8Array, fileKey: Uint8Array): number {
  if (locked.length < 16) return 0;
  const cipher = createDecipheriv('aes-256-ecb', fileKey, null).setAutoPadding(false);
  const open = cipher.update(locked.subarray(0, 16));
  return latin1Text(open.subarray(9, 12)) === 'adb' ? flags & open.readInt32LE(0) : 0;
}
