import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { concatBytes, equalBytes } from '../../../base/bytes.ts';
import { encodeText } from '../syntax/text.ts';
import { rc4 } from './rc4.ts';

/** Entries of an encryption dictionary for checking passwords. */
export interface PasswordCheck {
  readonly revision: number;
  /** Length of the file key in bytes, as stated in the dictionary. */
  readonly keyLength: number;
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  /** /OE and /UE: the file key, encrypted with each password; revisions 5 and 6. */
  readonly ownerKey: Uint8Array;
  readonly userKey: Uint8Array;
  /** /Perms: /P and more, encrypted with the file key; revisions 5 and 6. */
  readonly confirmation: Uint8Array;
  /** /P as 32 bits. */
  readonly permissions: number;
  readonly encryptMetadata: boolean;
  /** First part of the file's /ID. */
  readonly fileId: Uint8Array;
}

/** The file key, and whose password unlocked it. */
export interface FileKey {
  readonly key: Uint8Array;
  readonly access: 'owner' | 'user';
}

const EMPTY = new Uint8Array();
// biome-ignore format: four lines of eight, as in the standard
const PADDING = Uint8Array.from([
  0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
  0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
]);

/** The file key for the owner's or the user's password; undefined if the password is neither. */
export function findFileKey(check: PasswordCheck, password: string): FileKey | undefined {
  return check.revision >= 5 ? modernKey(check, password) : classicKey(check, password);
}

const md5 = (...parts: Uint8Array[]): Uint8Array => hashOf('md5', ...parts);

function hashOf(algorithm: string, ...parts: Uint8Array[]): Uint8Array {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Revisions 2 to 4. @spec ISO 32000-2 §7.6.4.3, algorithms 2, 6 and 7 */
function classicKey(check: PasswordCheck, password: string): FileKey | undefined {
  const passwords = classicPasswords(password).map(pad);
  // /Length is often incorrect or missing; /U shows which is right. Revision 4 should have 16.
  const lengths = check.revision === 4 ? [16, check.keyLength] : [check.keyLength, 16, 5];
  for (const keyLength of new Set(lengths)) {
    const sized = { ...check, keyLength };
    for (const padded of passwords) {
      // The standard repeatedly hashes all 16 bytes, some writers only as many as the key has.
      for (const hashed of new Set([16, keyLength])) {
        const asOwner = userKey(sized, userPasswordOf(sized, padded, hashed));
        if (asOwner !== undefined) return { key: filled(check, asOwner), access: 'owner' };
      }
      const asUser = userKey(sized, padded);
      if (asUser !== undefined) return { key: filled(check, asUser), access: 'user' };
    }
  }
  return undefined;
}

/** The key that encrypts objects: revision 4 pads a short key with zeros, as Acrobat does. */
function filled({ revision }: PasswordCheck, key: Uint8Array): Uint8Array {
  return revision === 4 ? concatBytes([key, new Uint8Array(16 - key.length)]) : key;
}

/** In PDFDocEncoding, as the standard requires, and in UTF-8, which some writers use. */
function classicPasswords(password: string): readonly Uint8Array[] {
  const document = encodeText(password);
  const utf8 = Buffer.from(password, 'utf8');
  return document.hex || equalBytes(document.bytes, utf8) ? [utf8] : [document.bytes, utf8];
}

function pad(password: Uint8Array): Uint8Array {
  return concatBytes([password, PADDING]).subarray(0, 32);
}

function userKey(check: PasswordCheck, padded: Uint8Array): Uint8Array | undefined {
  const { revision, keyLength, owner, user, fileId, permissions } = check;
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions);
  const open = revision >= 4 && !check.encryptMetadata ? Buffer.alloc(4, 0xff) : EMPTY;
  const first = md5(padded, owner.subarray(0, 32), flags, fileId, open);
  const key = hashedAgain(first, revision, keyLength).subarray(0, keyLength);
  if (revision === 2) return equalBytes(rc4(key, PADDING), user.subarray(0, 32)) ? key : undefined;
  let proof = rc4(key, md5(PADDING, fileId));
  for (let round = 1; round <= 19; round++) proof = rc4(mixed(key, round), proof);
  return equalBytes(proof, user.subarray(0, 16)) ? key : undefined;
}

/** The user's password, padded, decrypted with the owner's. */
function userPasswordOf(check: PasswordCheck, ownerPadded: Uint8Array, hashed: number): Uint8Array {
  const { revision, keyLength } = check;
  const key = hashedAgain(md5(ownerPadded), revision, hashed).subarray(0, keyLength);
  let password = check.owner.subarray(0, 32);
  const rounds = revision === 2 ? 0 : 19;
  for (let round = rounds; round >= 0; round--) password = rc4(mixed(key, round), password);
  return password;
}

function hashedAgain(hash: Uint8Array, revision: number, lengthBytes: number): Uint8Array {
  let key = hash;
  const rounds = revision >= 3 ? 50 : 0;
  for (let round = 0; round < rounds; round++) key = md5(key.subarray(0, lengthBytes));
  return key;
}

function mixed(key: Uint8Array, value: number): Uint8Array {
  return key.map((byte) => byte ^ value);
}

/**
 * Revisions 5 and 6: hash (32), validation salt (8), key salt (8).
 *
 * @spec ISO 32000-2 §7.6.4.3.3, algorithm 2.A
 */
function modernKey(check: PasswordCheck, password: string): FileKey | undefined {
  for (const bytes of modernPasswords(password)) {
    const found = modernKeyOf(check, bytes);
    if (found !== undefined) return found;
  }
  return undefined;
}

const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
const NOTHING = /\u200d|[\u00ad\u1806\u200b\u200c\u2060\ufeff]|[\ufe00-\ufe0f]/g;

/** Prepared as the standard requires, and unchanged: some writers omit the preparation. */
function modernPasswords(password: string): readonly Uint8Array[] {
  const prepared = password.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC');
  const forms = prepared === password ? [password] : [prepared, password];
  return forms.map((form) => Buffer.from(form, 'utf8').subarray(0, 127));
}

function modernKeyOf(check: PasswordCheck, bytes: Uint8Array): FileKey | undefined {
  const { revision, owner, user, ownerKey, userKey: lockedUserKey } = check;
  const bound = user.subarray(0, 48);
  const hash = revision === 5 ? simpleHash : hardenedHash;
  const opens = (entry: Uint8Array, extra: Uint8Array) =>
    equalBytes(hash(bytes, entry.subarray(32, 40), extra), entry.subarray(0, 32));
  const unlock = (entry: Uint8Array, extra: Uint8Array, locked: Uint8Array) => {
    const key = hash(bytes, entry.subarray(40, 48), extra);
    const cipher = createDecipheriv('aes-256-cbc', key, new Uint8Array(16)).setAutoPadding(false);
    return cipher.update(locked.subarray(0, 32));
  };
  if (opens(owner, bound)) return { key: unlock(owner, bound, ownerKey), access: 'owner' };
  if (opens(user, EMPTY)) return { key: unlock(user, EMPTY, lockedUserKey), access: 'user' };
  return undefined;
}

function simpleHash(password: Uint8Array, salt: Uint8Array, extra: Uint8Array): Uint8Array {
  return hashOf('sha256', password, salt, extra);
}

/** The hardened hash of revision 6. @spec ISO 32000-2 §7.6.4.3.4, algorithm 2.B */
function hardenedHash(password: Uint8Array, salt: Uint8Array, extra: Uint8Array): Uint8Array {
  let key = simpleHash(password, salt, extra);
  for (let round = 1; ; round++) {
    const block = concatBytes([password, key, extra]);
    const repeated = concatBytes(new Array<Uint8Array>(64).fill(block));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(repeated);
    // 256 is 1 modulo 3, so the number is congruent to the sum of its bytes.
    const rest = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hashOf(['sha256', 'sha384', 'sha512'][rest] as string, encrypted);
    const last = encrypted[encrypted.length - 1] as number;
    if (round >= 64 && last <= round - 32) return key.subarray(0, 32);
  }
}
