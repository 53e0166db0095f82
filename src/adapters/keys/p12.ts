import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { CryptoEngine, MacData, SafeContents } from 'pkijs';
import { latin1Text } from '../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireBytes } from '../../base/given.ts';
import { readableOptions } from '../../base/taken.ts';
import {
  oids,
  readBytes,
  readDer,
  readSequence,
  readSmallInteger,
} from '../../formats/asn1/index.ts';
import type { Signer } from '../../seal/ports.ts';
import {
  choiceNames,
  keyFitsCertificate,
  parseGivenCertificate,
  type SigningChoice,
} from './key-object.ts';
import { signerOf } from './pem.ts';
import { wrongPasswordHint } from './pem-reader.ts';
import { decryptOldScheme, isOldScheme } from './pkcs12-cipher.ts';

/** A PKCS #12 file, and the choice of an algorithm. */
export interface P12SignerOptions extends SigningChoice {
  /** The file. */
  readonly p12: Uint8Array;
  /** Password of the file. Default: none, which also opens files with an empty password. */
  readonly password?: string;
}

/** Progress in opening a file, which determines how a failure is reported. */
interface Opening {
  readonly password: string;
  /** Remaining budget for key derivation, in PBKDF2 iterations. */
  roundsLeft: number;
  /** Whether the password has been used but not confirmed. */
  doubtful: boolean;
  /** Whether the MAC has confirmed the password. */
  sure: boolean;
}

type Pkijs = typeof import('pkijs');

const PBES2 = '1.2.840.113549.1.5.13';
const DES_EDE3_CBC = '1.2.840.113549.3.7';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const MAX_BYTES = 16 * 1024 * 1024;
/** A few seconds of work. OpenSSL uses 2,048 iterations, the most cautious software a million. */
const MAX_ROUNDS = 10_000_000;
/** Cost of an iteration in PBKDF2 iterations. OpenSSL does PBKDF2, JavaScript the other two. */
const costs = { pbkdf2: 1, mac: 5, oldScheme: 20 } as const;
const macDigests: readonly string[] = [oids.sha1, oids.sha256, oids.sha384, oids.sha512];

/**
 * Creates a signer from a PKCS #12 file, encrypted with AES or the legacy 3DES and RC2 schemes,
 * with any key supported by {@link keyObjectSigner}. If it contains several keys, the first that
 * matches a certificate signs.
 *
 * @throws usage.invalid, key.unreadable, key.password.missing, key.password.wrong, key.mismatch
 * @throws algorithm.unsupported if the key does not support the choice
 * @spec RFC 7292 §4, §5
 * @example
 * const signer = await p12Signer({ p12: await readFile('seal.p12'), password });
 */
export async function p12Signer(given: P12SignerOptions): Promise<Signer> {
  const names = { ...choiceNames, p12: 1, password: 1 } as const;
  const options = readableOptions('p12Signer', given, names);
  requireBytes('p12', options.p12);
  const { keys, certificates } = await readP12(options.p12, options.password);
  const [first] = keys;
  if (first === undefined) throw unreadable('it has no private key');
  if (certificates.length === 0) throw unreadable('it has no certificate');
  const parsed = certificates.map(parseGivenCertificate);
  const owned = keys.find((key) => parsed.some((one) => keyFitsCertificate(key, one)));
  return signerOf(owned ?? first, certificates, options);
}

async function readP12(bytes: Uint8Array, given: string | undefined) {
  if (bytes.length > MAX_BYTES) throw unreadable('it is larger than 16 MiB');
  if (bytes[0] !== 0x30 && latin1Text(bytes).includes('-----BEGIN ')) {
    throw new InnsigliError('key.unreadable', 'expected a PKCS#12 file, found PEM', {
      hint: 'for PEM use --key FILE --cert FILE; in the library pemSigner',
    });
  }
  const opening = { password: given ?? '', roundsLeft: MAX_ROUNDS, doubtful: false, sure: false };
  try {
    return await readWithPkijs(bytes, opening);
  } catch (cause) {
    if (isInnsigliError(cause) && cause.code !== 'asn1.invalid') throw cause;
    if (!opening.doubtful) throw unreadable('its structure or an algorithm is unknown', cause);
    if (given === undefined) {
      const message = 'the PKCS#12 file is protected by a password';
      throw new InnsigliError('key.password.missing', message, { hint: 'pass its password' });
    }
    const message = 'the password of the PKCS#12 file is incorrect';
    throw new InnsigliError('key.password.wrong', message, { hint: wrongPasswordHint });
  }
}

/** Reads keys, and certificates in DER. pkijs itself limits the depth and number of elements. */
async function readWithPkijs(bytes: Uint8Array, opening: Opening) {
  const pkijs = await import('pkijs');
  const pfx = pkijs.PFX.fromBER(new Uint8Array(bytes));
  if (pfx.version !== 3) throw unreadable('it is not version 3');
  if (pfx.authSafe.contentType !== oids.data) throw unreadable('it is protected by a signature');
  const engine = await makeEngine(pkijs, opening);
  const password = new Uint8Array(Buffer.from(opening.password, 'utf8')).buffer;
  const checkIntegrity = canConfirm(pfx.macData, opening);
  opening.doubtful = checkIntegrity;
  await pfx.parseInternalValues({ password, checkIntegrity }, engine);
  opening.doubtful = false;
  opening.sure = checkIntegrity;

  const safe = pfx.parsedValue?.authenticatedSafe;
  if (safe === undefined) throw unreadable('it is empty');
  const safeContents = safe.safeContents.map(() => ({ password }));
  await safe.parseInternalValues({ safeContents }, engine);
  const keys: KeyObject[] = [];
  const certificates: Uint8Array[] = [];
  const readBags = async ({ safeBags }: SafeContents): Promise<void> => {
    for (const { bagValue } of safeBags) {
      if (bagValue instanceof pkijs.PrivateKeyInfo) {
        keys.push(readKey(bagValue.toSchema().toBER()));
      } else if (bagValue instanceof pkijs.PKCS8ShroudedKeyBag) {
        const encryptedContentInfo = new pkijs.EncryptedContentInfo({
          contentEncryptionAlgorithm: bagValue.encryptionAlgorithm,
          encryptedContent: bagValue.encryptedData,
        });
        const request = { password, encryptedContentInfo };
        keys.push(readKey(await engine.decryptEncryptedContentInfo(request)));
      } else if (bagValue instanceof pkijs.CertBag && bagValue.certId === X509_CERTIFICATE) {
        const { certValue } = bagValue;
        if ('getValue' in certValue) certificates.push(new Uint8Array(certValue.getValue()));
      } else if (bagValue instanceof pkijs.SafeContents) await readBags(bagValue);
    }
  };
  for (const { value } of safe.parsedValue.safeContents) await readBags(value);
  return { keys, certificates };
}

/**
 * Whether the MAC can confirm the password. It cannot for an empty password, which implementations
 * hash in two different ways. In that case, and for any other kind of MAC, decryption and the match
 * of key and certificate decide.
 */
function canConfirm(mac: MacData | undefined, opening: Opening): boolean {
  if (mac === undefined || opening.password === '') return false;
  if (!macDigests.includes(mac.mac.digestAlgorithm.algorithmId)) return false;
  spend(mac.iterations ?? 1, costs.mac, opening);
  return true;
}

/** A crypto engine that counts iterations and also supports the legacy schemes. */
async function makeEngine(pkijs: Pkijs, opening: Opening): Promise<CryptoEngine> {
  const { Crypto } = await import('@peculiar/webcrypto');
  const engine = new pkijs.CryptoEngine({ name: 'innsigli', crypto: new Crypto() });
  const decryptModern = engine.decryptEncryptedContentInfo.bind(engine);
  const findAlgorithm = engine.getAlgorithmByOID.bind(engine);
  // WebCrypto does not support 3DES, but @peculiar/webcrypto does.
  engine.getAlgorithmByOID = (oid: string, ...rest: [boolean?, string?]) =>
    oid === DES_EDE3_CBC ? { name: 'DES-EDE3-CBC', length: 192 } : findAlgorithm(oid, ...rest);
  engine.decryptEncryptedContentInfo = async (request) => {
    const { encryptedContentInfo } = request;
    const { algorithmId: scheme, algorithmParams } =
      encryptedContentInfo.contentEncryptionAlgorithm;
    if (scheme !== PBES2 && !isOldScheme(scheme)) {
      throw unreadable(`its encryption ${scheme} is unknown`);
    }
    const parameters = readSequence(readDer(new Uint8Array(algorithmParams.toBER())), scheme);
    // PBES2 { { PBKDF2, { salt, iterations … } }, cipher }; legacy schemes { salt, iterations }
    const [saltNode, roundsNode] =
      scheme === PBES2
        ? readSequence(readSequence(parameters[0], 'key derivation')[1], 'PBKDF2 parameters')
        : parameters;
    const rounds = readSmallInteger(roundsNode, 'rounds');
    spend(rounds, scheme === PBES2 ? costs.pbkdf2 : costs.oldScheme, opening);
    opening.doubtful = !opening.sure;
    if (scheme === PBES2) return decryptModern(request);
    const salt = readBytes(saltNode, 'salt');
    const encrypted = new Uint8Array(encryptedContentInfo.getEncryptedContent());
    const plain = await decryptOldScheme(scheme, salt, rounds, encrypted, opening.password);
    if (plain === undefined) throw new Error('decryption failed');
    return new Uint8Array(plain).buffer;
  };
  return engine;
}

/** Deducts iterations from the budget of the file. */
function spend(rounds: number, cost: number, opening: Opening): void {
  opening.roundsLeft -= rounds * cost;
  if (rounds >= 1 && opening.roundsLeft >= 0) return;
  const limit = `expected 1 to ${MAX_ROUNDS / cost} in the whole file`;
  throw unreadable(`it needs ${rounds} rounds of hashing, ${limit}`);
}

function readKey(pkcs8: ArrayBuffer): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
}

function unreadable(why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('key.unreadable', `the PKCS#12 file cannot be read: ${why}`, {
    hint: 'export the key again as PKCS#12 with AES-256, or as PEM',
    cause,
  });
}
