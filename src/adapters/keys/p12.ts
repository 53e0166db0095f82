import { createHmac, createPrivateKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { CoreError, isCoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  childrenOf,
  type DerNode,
  derOf,
  oids,
  readDer,
  readOctets,
  readOid,
  readSequence,
  readSmallInteger,
  requireTag,
} from '../../formats/asn1/index.ts';
import { parseDigestAlgorithm } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import { keyFitsCertificate, parseGivenCertificate, type SigningChoice } from './key-object.ts';
import { signerOf } from './pem.ts';
import {
  decryptWithPassword,
  derivePkcs12,
  type PasswordForms,
  passwordForms,
} from './pkcs12-cipher.ts';

/** A PKCS #12 file. */
export interface P12SignerOptions extends SigningChoice {
  readonly p12: Uint8Array;
  /** Not given: files without a password, or with an empty one, open all the same. */
  readonly password?: string;
}

/** What a PKCS #12 file keeps. */
interface Contents {
  readonly keys: KeyObject[];
  /** DER. */
  readonly certificates: Uint8Array[];
}

const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const BAG = '1.2.840.113549.1.12.10.1.';
const MAX_BYTES = 16 * 1024 * 1024;
const NESTING = 4;

/**
 * A signer from a PKCS #12 file: AES as well as the old 3DES and RC2 forms, any key that
 * {@link keyObjectSigner} takes. Of several keys the first with a certificate signs.
 *
 * @throws key.unreadable, key.password.missing, key.password.wrong, key.mismatch
 * @throws algorithm.unsupported when the key cannot do what was chosen
 * @spec RFC 7292 §4, §5
 */
export async function p12Signer(options: P12SignerOptions): Promise<Signer> {
  const { keys, certificates } = await readP12(options.p12, options.password);
  const [first] = keys;
  if (first === undefined) throw unreadable('it keeps no private key');
  if (certificates.length === 0) throw unreadable('it keeps no certificate');
  const parsed = certificates.map(parseGivenCertificate);
  const owned = keys.find((key) => parsed.some((one) => keyFitsCertificate(key, one)));
  return signerOf(owned ?? first, certificates, options);
}

async function readP12(bytes: Uint8Array, password: string | undefined): Promise<Contents> {
  try {
    if (bytes.length > MAX_BYTES) throw unreadable('it is larger than 16 MiB');
    const [version, authSafe, macData] = readSequence(readDer(bytes), 'PFX');
    if (readSmallInteger(version, 'version') !== 3) throw unreadable('it is not version 3');
    const safe = readData(authSafe);
    const forms = openMac(macData, safe, password);
    const contents: Contents = { keys: [], certificates: [] };
    for (const part of bounded(readSequence(readDer(safe), 'AuthenticatedSafe'))) {
      const plain = await readPart(part, forms, password);
      await readBags(plain, forms, password, contents, 0);
    }
    return contents;
  } catch (error) {
    if (!isCoreError(error) || error.code !== 'asn1.invalid') throw error;
    throw unreadable(error.message, error);
  }
}

function bounded(nodes: DerNode[]): DerNode[] {
  if (nodes.length <= limits.certificates) return nodes;
  throw unreadable(`it has too many parts: ${nodes.length}`);
}

/** The OCTET STRING inside a ContentInfo of type data. */
function readData(contentInfo: DerNode | undefined): Uint8Array {
  const [type, wrapped] = readSequence(contentInfo, 'ContentInfo');
  if (readOid(type) !== oids.data) throw unreadable(`content type ${readOid(type)} is unknown`);
  return readOctets(childrenOf(requireTag(wrapped, 0xa0, 'content'))[0], 'content');
}

/**
 * The form of the password that the MAC confirms. An empty password is hashed as one zero
 * character by some writers and as nothing by others.
 *
 *     MacData { DigestInfo { algorithm, digest }, salt, iterations DEFAULT 1 }
 */
function openMac(
  macData: DerNode | undefined,
  safe: Uint8Array,
  password: string | undefined,
): PasswordForms {
  const usual = passwordForms(password ?? '');
  if (macData === undefined) return usual;
  const [info, saltNode, roundsNode] = readSequence(macData, 'MacData');
  const [algorithm, digestNode] = readSequence(info, 'DigestInfo');
  const salt = readOctets(saltNode, 'salt');
  const rounds = roundsNode === undefined ? 1 : readSmallInteger(roundsNode, 'iterations');
  const expected = readOctets(digestNode, 'digest');
  let hash: string;
  try {
    hash = parseDigestAlgorithm(algorithm);
  } catch (error) {
    // Another kind of MAC: decryption and the match of key and certificate still tell.
    if (isCoreError(error) && error.code === 'algorithm.unsupported') return usual;
    throw error;
  }
  const nothing = { utf8: new Uint8Array(0), bmp: new Uint8Array(0) };
  for (const forms of password ? [usual] : [usual, nothing]) {
    const key = derivePkcs12(hash, forms.bmp, salt, rounds, 3, expected.length);
    const found = createHmac(hash, key).update(safe).digest();
    if (found.length === expected.length && timingSafeEqual(found, expected)) return forms;
  }
  throw refused(password);
}

async function readPart(
  part: DerNode,
  forms: PasswordForms,
  password: string | undefined,
): Promise<Uint8Array> {
  const [type, wrapped] = readSequence(part, 'ContentInfo');
  if (readOid(type) !== ENCRYPTED_DATA) return readData(part);
  const [encryptedData] = childrenOf(requireTag(wrapped, 0xa0, 'content'));
  const [, info] = readSequence(encryptedData, 'EncryptedData');
  const [, algorithm, content] = readSequence(info, 'EncryptedContentInfo');
  const plain = await decryptWithPassword(algorithm, readImplicitOctets(content), forms);
  if (plain === undefined) throw refused(password);
  return plain;
}

/** `[0] IMPLICIT OCTET STRING`, in one piece or in several. */
function readImplicitOctets(node: DerNode | undefined): Uint8Array {
  if (node?.tag === 0xa0) {
    return Buffer.concat(childrenOf(node).map((piece) => readOctets(piece, 'encrypted content')));
  }
  const whole = requireTag(node, 0x80, 'encrypted content');
  return whole.bytes.subarray(whole.contentStart, whole.contentEnd);
}

async function readBags(
  bytes: Uint8Array,
  forms: PasswordForms,
  password: string | undefined,
  contents: Contents,
  depth: number,
): Promise<void> {
  if (depth > NESTING) throw unreadable('its bags nest too deep');
  for (const bag of bounded(readSequence(readDer(bytes), 'SafeContents'))) {
    const [type, wrapped] = readSequence(bag, 'SafeBag');
    const [value] = childrenOf(requireTag(wrapped, 0xa0, 'value of a bag'));
    if (value === undefined) throw unreadable('a bag is empty');
    const name = readOid(type);
    if (name === `${BAG}1`) contents.keys.push(readKey(derOf(value)));
    else if (name === `${BAG}2`) {
      const [algorithm, encrypted] = readSequence(value, 'EncryptedPrivateKeyInfo');
      const plain = await decryptWithPassword(algorithm, readOctets(encrypted), forms);
      if (plain === undefined) throw refused(password);
      contents.keys.push(readKey(plain));
    } else if (name === `${BAG}3`) {
      const [kind, certificate] = readSequence(value, 'CertBag');
      if (readOid(kind) !== X509_CERTIFICATE) continue;
      const [octets] = childrenOf(requireTag(certificate, 0xa0, 'certificate'));
      contents.certificates.push(readOctets(octets, 'certificate'));
    } else if (name === `${BAG}6`) {
      await readBags(derOf(value), forms, password, contents, depth + 1);
    }
  }
}

function readKey(pkcs8: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw unreadable('its private key is damaged or of an unknown kind', cause);
  }
}

function refused(password: string | undefined): CoreError {
  if (password === undefined) {
    return new CoreError('key.password.missing', 'the PKCS#12 file is protected by a password', {
      hint: 'give its password',
    });
  }
  return new CoreError('key.password.wrong', 'the password does not open the PKCS#12 file');
}

function unreadable(why: string, cause?: unknown): CoreError {
  return new CoreError('key.unreadable', `the PKCS#12 file cannot be read: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}
