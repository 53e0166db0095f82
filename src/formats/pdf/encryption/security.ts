import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asString,
  type PdfDict,
  type PdfObject,
  type PdfReference,
  PdfStream,
  PdfString,
} from '../syntax/objects.ts';
import { type CryptMethod, type ObjectCipher, objectCipher } from './ciphers.ts';
import { type FileKey, findFileKey, type PasswordCheck } from './file-key.ts';
import { confirmedFlags, type PdfPermissions, readPermissions } from './permissions.ts';

/** The unlocked security handler of an encrypted file. */
export interface PdfSecurity {
  /** Whose password unlocked the file: the owner has all permissions. */
  readonly access: FileKey['access'];
  /** Permissions of the user; with AES-256 only those confirmed by /Perms. */
  readonly permissions: PdfPermissions;
  /** False if the document's metadata is not encrypted. */
  readonly encryptMetadata: boolean;
  /** Returns the object with its strings and data decrypted; stream data is decrypted on access. */
  decrypt(objectNumber: number, generation: number, object: PdfObject): PdfObject;
  /** Returns the object encrypted as the file requires; PdfRaw values are unchanged. */
  encrypt(reference: PdfReference, object: PdfObject): PdfObject;
}

type Resolve = (value: PdfObject | undefined) => PdfObject;

/**
 * Opens the standard security handler with the owner's or the user's password.
 *
 * @param firstId first part of the file's /ID
 * @param password undefined for the empty password
 * @throws pdf.password.needed, pdf.password.wrong
 * @throws pdf.encryption.unsupported for other handlers, including public-key ones
 * @throws pdf.encryption.invalid if the dictionary is damaged
 * @spec ISO 32000-2 §7.6
 */
export function openSecurity(
  dict: PdfDict,
  resolve: Resolve,
  firstId: Uint8Array,
  password: string | undefined,
): PdfSecurity {
  const handler = asName(resolve(dict.get('Filter')))?.value ?? '';
  if (handler !== 'Standard') {
    throw unsupported(`the security handler /${handler.slice(0, 40)}; only /Standard is supported`);
  }
  const version = asInteger(resolve(dict.get('V'))) ?? 0;
  const check = readCheck(dict, resolve, version, firstId);
  const methods = readMethods(dict, resolve, version);
  const found = findFileKey(check, password ?? '');
  if (found === undefined) {
    // Only attachments are encrypted, and sealing does not touch them.
    const isOpen = methods.strings === 'identity' && methods.streams === 'identity';
    if (!isOpen || password !== undefined) throw refused(password);
    const permissions = readPermissions(check.permissions, check.revision);
    const asIs = (object: PdfObject) => object;
    return {
      access: 'user',
      permissions,
      encryptMetadata: check.encryptMetadata,
      decrypt: (_number, _generation, object) => asIs(object),
      encrypt: (_reference, object) => asIs(object),
    };
  }
  const { key, access } = found;
  const { permissions, revision, confirmation, encryptMetadata } = check;
  const rules: CryptRules = { methods, resolve, encryptMetadata };
  const flags = revision < 5 ? permissions : confirmedFlags(permissions, confirmation, key);
  return {
    access,
    permissions: readPermissions(flags, revision),
    encryptMetadata,
    decrypt: (objectNumber, generation, object) => {
      const cipher = objectCipher(key, objectNumber, generation);
      return cryptObject(object, rules, cipher, 'decrypt');
    },
    encrypt: ({ objectNumber, generation }, object) => {
      const cipher = objectCipher(key, objectNumber, generation);
      return cryptObject(object, rules, cipher, 'encrypt');
    },
  };
}

function readCheck(
  dict: PdfDict,
  resolve: Resolve,
  version: number,
  fileId: Uint8Array,
): PasswordCheck {
  const bytes = (key: string) => asString(resolve(dict.get(key)))?.bytes ?? new Uint8Array();
  const revision = asInteger(resolve(dict.get('R'))) ?? 0;
  const bits = asInteger(resolve(dict.get('Length')));
  const possible: Readonly<Record<number, readonly number[]>> = {
    1: [2, 3],
    2: [2, 3],
    4: [4],
    5: [5, 6],
  };
  if (possible[version]?.includes(revision) !== true) {
    throw unsupported(`encryption of version ${version}, revision ${revision}`);
  }
  const keyLength = version === 5 ? 32 : version === 1 ? 5 : keyLengthOf(bits);
  const permissions = asInteger(resolve(dict.get('P')));
  if (permissions === undefined) throw invalid('/P is not an integer');
  const check = {
    revision,
    keyLength,
    owner: bytes('O'),
    user: bytes('U'),
    ownerKey: bytes('OE'),
    userKey: bytes('UE'),
    confirmation: bytes('Perms'),
    permissions: permissions | 0,
    encryptMetadata: version < 4 || resolve(dict.get('EncryptMetadata')) !== false,
    fileId,
  };
  const least = revision >= 5 ? 48 : 32;
  if (check.owner.length < least || check.user.length < (revision >= 5 ? 48 : 16)) {
    throw invalid('/O or /U is too short');
  }
  if (revision >= 5 && (check.ownerKey.length < 32 || check.userKey.length < 32)) {
    throw invalid('/OE or /UE is too short');
  }
  return check;
}

/** Key length in bytes from /Length, which is in bits, or in bytes as some writers have it. */
function keyLengthOf(bits: number | undefined): number {
  const stated = bits === undefined || bits < 40 ? bits : bits / 8;
  if (stated !== undefined && Number.isInteger(stated) && stated >= 5 && stated <= 16)
    return stated;
  return 5;
}

/** Methods by use, and those of named crypt filters. */
interface CryptMethods {
  readonly strings: CryptMethod;
  readonly streams: CryptMethod;
  readonly embeddedFiles: CryptMethod;
  named(name: string): CryptMethod;
}

/** Reads the methods of the crypt filters. @spec ISO 32000-2 §7.6.6, table 25 */
function readMethods(dict: PdfDict, resolve: Resolve, version: number): CryptMethods {
  if (version < 4) {
    return { strings: 'rc4', streams: 'rc4', embeddedFiles: 'rc4', named: () => 'rc4' };
  }
  const filters = asDict(resolve(dict.get('CF')));
  const named = (name: string): CryptMethod => {
    if (name === 'Identity') return 'identity';
    const filter = asDict(resolve(filters?.get(name)));
    if (filter === undefined) throw invalid(`/CF has no filter /${name.slice(0, 40)}`);
    const method = asName(resolve(filter.get('CFM')))?.value ?? 'None';
    if (method === 'None') return 'identity';
    if (method === 'V2') return 'rc4';
    if (method === 'AESV2') return 'aes-128';
    // A shorter file key would not fit.
    if (method === 'AESV3' && version === 5) return 'aes-256';
    throw unsupported(`the crypt method /${method.slice(0, 40)} in version ${version}`);
  };
  const readName = (key: string) => asName(resolve(dict.get(key)))?.value;
  const streams = readName('StmF') ?? 'Identity';
  return {
    strings: named(readName('StrF') ?? 'Identity'),
    streams: named(streams),
    embeddedFiles: named(readName('EFF') ?? streams),
    named,
  };
}

interface CryptRules {
  readonly methods: CryptMethods;
  readonly resolve: Resolve;
  readonly encryptMetadata: boolean;
}

type Direction = 'encrypt' | 'decrypt';

function cryptObject(
  object: PdfObject,
  rules: CryptRules,
  cipher: ObjectCipher,
  direction: Direction,
): PdfObject {
  if (object instanceof PdfStream) {
    if (asName(object.dict.get('Type'))?.value === 'XRef') return object;
    const dict = cryptStrings(object.dict, rules, cipher, direction, 0) as PdfDict;
    // The method may be given by references, which are resolved when the data is needed.
    return new PdfStream(dict, () =>
      cipher[direction](streamMethod(object.dict, rules), object.raw),
    );
  }
  return cryptStrings(object, rules, cipher, direction, 0);
}

function cryptStrings(
  object: PdfObject,
  rules: CryptRules,
  cipher: ObjectCipher,
  direction: Direction,
  depth: number,
): PdfObject {
  if (depth > limits.pdfDepth) {
    throw new InnsigliError('limit.exceeded', `objects are nested deeper than ${limits.pdfDepth}`);
  }
  if (object instanceof PdfString) {
    const bytes = cipher[direction](rules.methods.strings, object.bytes);
    return new PdfString(bytes, object.hex || direction === 'encrypt');
  }
  const next = (value: PdfObject) => cryptStrings(value, rules, cipher, direction, depth + 1);
  if (object instanceof Map) {
    const dict = object as PdfDict;
    // The value of a signature is not encrypted, so that it can be written after everything else.
    const isSignature = dict.has('ByteRange') && dict.has('Contents');
    const result = new Map<string, PdfObject>();
    for (const [key, value] of dict) {
      result.set(key, isSignature && key === 'Contents' ? value : next(value));
    }
    return result;
  }
  return asArray(object)?.map(next) ?? object;
}

function streamMethod(
  dict: PdfDict,
  { methods, resolve, encryptMetadata }: CryptRules,
): CryptMethod {
  const type = asName(resolve(dict.get('Type')))?.value;
  const filters = resolve(dict.get('Filter'));
  const position = (asArray(filters) ?? [filters]).findIndex(
    (filter) => asName(resolve(filter))?.value === 'Crypt',
  );
  if (position >= 0) {
    const all = resolve(dict.get('DecodeParms'));
    const own = asDict(resolve(asArray(all)?.[position] ?? all));
    return methods.named(asName(resolve(own?.get('Name')))?.value ?? 'Identity');
  }
  if (type === 'Metadata' && !encryptMetadata) return 'identity';
  return type === 'EmbeddedFile' ? methods.embeddedFiles : methods.streams;
}

function refused(password: string | undefined): InnsigliError {
  if (password === undefined) {
    return new InnsigliError('pdf.password.needed', 'the PDF needs a password', {
      hint: 'pass the password with --pdf-password-file FILE',
    });
  }
  return new InnsigliError(
    'pdf.password.wrong',
    'the password is neither the user nor the owner password',
    { hint: 'check the password: spaces count too' },
  );
}

function unsupported(what: string): InnsigliError {
  return new InnsigliError('pdf.encryption.unsupported', `the PDF uses ${what}`, {
    hint: 'save the document without encryption or with a password, and seal the result',
  });
}

function invalid(what: string): InnsigliError {
  return new InnsigliError('pdf.encryption.invalid', `the encryption dictionary: ${what}`);
}
