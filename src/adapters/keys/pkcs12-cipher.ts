import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { concatBytes } from '../../base/bytes.ts';
import { CoreError } from '../../base/errors.ts';
import {
  type DerNode,
  readOctets,
  readOid,
  readSequence,
  readSmallInteger,
} from '../../formats/asn1/index.ts';

/** A password in the two forms that PKCS #12 hashes. */
export interface PasswordForms {
  /** UTF-8, for PBES2. */
  readonly utf8: Uint8Array;
  /** BMPString with its final zero, for everything older. @spec RFC 7292 B.1 */
  readonly bmp: Uint8Array;
}

/** Rounds of key derivation that a file may ask for. */
const MAX_ROUNDS = 2_000_000;

/** Both forms of a password. */
export function passwordForms(password: string): PasswordForms {
  const bmp = Buffer.from(`${password}\0`, 'utf16le').swap16();
  return { utf8: Buffer.from(password, 'utf8'), bmp };
}

/**
 * Derives octets from a password the way of PKCS #12.
 *
 * @param purpose 1 key, 2 initialisation vector, 3 MAC key
 * @throws key.unreadable when the file asks for too many rounds
 * @spec RFC 7292 B.2
 */
export function derivePkcs12(
  hash: string,
  password: Uint8Array,
  salt: Uint8Array,
  rounds: number,
  purpose: 1 | 2 | 3,
  lengthBytes: number,
): Uint8Array {
  checkRounds(rounds);
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  const input = concatBytes([repeatTo(salt, block), repeatTo(password, block)]);
  const diversifier = new Uint8Array(block).fill(purpose);
  const parts: Uint8Array[] = [];
  for (let done = 0; done < lengthBytes; ) {
    let digest = createHash(hash).update(diversifier).update(input).digest();
    for (let i = 1; i < rounds; i++) digest = createHash(hash).update(digest).digest();
    parts.push(digest);
    done += digest.length;
    const addend = repeatTo(digest, block).subarray(0, block);
    for (let start = 0; start < input.length; start += block) {
      let carry = 1;
      for (let i = block - 1; i >= 0; i--) {
        carry += (input[start + i] as number) + (addend[i] as number);
        input[start + i] = carry & 0xff;
        carry >>= 8;
      }
    }
  }
  return concatBytes(parts).subarray(0, lengthBytes);
}

/** The octets again and again up to a multiple of `block`; none stay none. */
function repeatTo(octets: Uint8Array, block: number): Uint8Array {
  const filled = new Uint8Array(Math.ceil(octets.length / block) * block);
  for (let i = 0; i < filled.length; i++) filled[i] = octets[i % octets.length] as number;
  return filled;
}

function checkRounds(rounds: number): void {
  if (rounds >= 1 && rounds <= MAX_ROUNDS) return;
  throw new CoreError('key.unreadable', `the PKCS#12 file asks for ${rounds} rounds of hashing`);
}

/** Schemes of RFC 7292 Appendix C: the cipher, octets of key and of initialisation vector. */
const oldSchemes: Record<string, readonly [cipher: 'des-ede3-cbc' | 'rc2', key: number]> = {
  '1.2.840.113549.1.12.1.3': ['des-ede3-cbc', 24],
  '1.2.840.113549.1.12.1.4': ['des-ede3-cbc', 16],
  '1.2.840.113549.1.12.1.5': ['rc2', 16],
  '1.2.840.113549.1.12.1.6': ['rc2', 5],
};
const OLD_IV_BYTES = 8;
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';

/** HMACs for PBKDF2. RFC 8018 B.1.2 */
const pseudoRandom: Record<string, string> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/** Ciphers of PBES2 with octets of key. RFC 8018 B.2, RFC 3565 §4.1 */
const ciphers: Record<string, readonly [cipher: string, key: number]> = {
  '2.16.840.1.101.3.4.1.2': ['aes-128-cbc', 16],
  '2.16.840.1.101.3.4.1.22': ['aes-192-cbc', 24],
  '2.16.840.1.101.3.4.1.42': ['aes-256-cbc', 32],
  '1.2.840.113549.3.7': ['des-ede3-cbc', 24],
};

/**
 * The plain octets of what a password protects; undefined when the password does not fit.
 *
 * @throws key.unreadable when the scheme is unknown
 * @throws asn1.invalid
 * @spec RFC 8018 §6.2, RFC 7292 Appendix C
 */
export async function decryptWithPassword(
  algorithm: DerNode | undefined,
  encrypted: Uint8Array,
  password: PasswordForms,
): Promise<Uint8Array | undefined> {
  const [identifier, parameters] = readSequence(algorithm, 'encryption algorithm');
  const name = readOid(identifier);
  if (name === PBES2) return decryptPbes2(parameters, encrypted, password);
  const scheme = oldSchemes[name];
  if (scheme === undefined) throw unknown(`encryption ${name}`);
  const [saltNode, roundsNode] = readSequence(parameters, 'parameters');
  const salt = readOctets(saltNode, 'salt');
  const rounds = readSmallInteger(roundsNode, 'rounds');
  const key = derivePkcs12('sha1', password.bmp, salt, rounds, 1, scheme[1]);
  const iv = derivePkcs12('sha1', password.bmp, salt, rounds, 2, OLD_IV_BYTES);
  if (scheme[0] === 'rc2') return decryptRc2(key, iv, encrypted);
  const full = key.length === 24 ? key : concatBytes([key, key.subarray(0, 8)]);
  return decrypt(scheme[0], full, iv, encrypted);
}

function decryptPbes2(
  parameters: DerNode | undefined,
  encrypted: Uint8Array,
  password: PasswordForms,
): Uint8Array | undefined {
  const [derivation, encryption] = readSequence(parameters, 'PBES2 parameters');
  const [kdf, kdfParameters] = readSequence(derivation, 'key derivation');
  if (readOid(kdf) !== PBKDF2) throw unknown(`key derivation ${readOid(kdf)}`);
  const [salt, rounds, ...rest] = readSequence(kdfParameters, 'PBKDF2 parameters');
  const prf = rest.find((node) => node.tag === 0x30);
  const prfName = prf === undefined ? '1.2.840.113549.2.7' : readOid(readSequence(prf, 'PRF')[0]);
  const hash = pseudoRandom[prfName];
  if (hash === undefined) throw unknown(`key derivation with ${prfName}`);
  const [cipherNode, ivNode] = readSequence(encryption, 'encryption scheme');
  const cipher = ciphers[readOid(cipherNode)];
  if (cipher === undefined) throw unknown(`encryption ${readOid(cipherNode)}`);
  const count = readSmallInteger(rounds, 'rounds');
  checkRounds(count);
  const key = pbkdf2Sync(password.utf8, readOctets(salt, 'salt'), count, cipher[1], hash);
  return decrypt(cipher[0], key, readOctets(ivNode, 'initialisation vector'), encrypted);
}

function decrypt(
  cipher: string,
  key: Uint8Array,
  iv: Uint8Array,
  encrypted: Uint8Array,
): Uint8Array | undefined {
  try {
    const decipher = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** RC2 left OpenSSL's default provider; node-forge has it in JavaScript. */
async function decryptRc2(
  key: Uint8Array,
  iv: Uint8Array,
  encrypted: Uint8Array,
): Promise<Uint8Array | undefined> {
  const { default: forge } = await import('node-forge');
  const text = (octets: Uint8Array) => Buffer.from(octets).toString('latin1');
  const cipher = forge.rc2.createDecryptionCipher(text(key), key.length * 8);
  cipher.start(text(iv));
  cipher.update(forge.util.createBuffer(text(encrypted)));
  return cipher.finish() ? Buffer.from(cipher.output.getBytes(), 'latin1') : undefined;
}

function unknown(what: string): CoreError {
  return new CoreError('key.unreadable', `the PKCS#12 file uses ${what}, which is unknown`, {
    hint: 'export the key again with AES-256, or as PEM',
  });
}
