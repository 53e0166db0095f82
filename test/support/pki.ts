import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { oids } from '../../src/formats/asn1/index.ts';
import {
  assembleCertificate,
  buildCertificateTbs,
  buildCrl,
  buildName,
  buildOcspResponse,
  type Certificate,
  type CertificateExtensionInput,
  keyUsageBits,
  type OcspCertificateId,
  parseCertificate,
  type SignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import type { RevocationSource } from '../../src/seal/ports.ts';
import { atFileEnd } from './file-end.ts';
import { type KeyPair, newKeyPair } from './key-pairs.ts';

/** Kinds of keys of certificates in the test PKI. */
export type TestKeyKind =
  | 'P-256'
  | 'P-384'
  | 'P-521'
  | 'RSA-2048'
  | 'RSA-PSS'
  | 'Ed25519'
  | 'Ed448';

/** A certificate of a test PKI with its private key. */
export interface TestMember {
  readonly name: string;
  readonly certificate: Certificate;
  /** The certificate, DER. */
  readonly der: Uint8Array;
  /** Issuers, nearest first, including the root, DER. */
  readonly chain: readonly Uint8Array[];
  readonly privateKey: KeyObject;
  /** Signature algorithm of its key. */
  readonly algorithm: SignatureAlgorithm;
}

/** Options of {@link TestPki.issue}; every default is valid. */
export interface TestRequest {
  readonly name: string;
  readonly issuer?: TestMember;
  readonly key?: TestKeyKind;
  /** Certifies the key of this member instead of a new one. */
  readonly keyOf?: TestMember;
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  /** Replaces single extensions of the default profile; undefined removes one. */
  readonly extensions?:
    | { [K in keyof CertificateExtensionInput]?: CertificateExtensionInput[K] | undefined }
    | undefined;
  readonly subjectDer?: Uint8Array;
  /** Content bytes. Default: twelve random ones. */
  readonly serialNumber?: Uint8Array;
  /** Signature algorithm of the issuer, if not its usual one. */
  readonly signedWith?: SignatureAlgorithm;
}

/** Predefined members, by their special property. */
export const memberVariants = {
  signer: {},
  rsa: { key: 'RSA-2048' },
  pss: { key: 'RSA-PSS' },
  p384: { key: 'P-384' },
  p521: { key: 'P-521' },
  ed25519: { key: 'Ed25519' },
  ed448: { key: 'Ed448' },
  revoked: {},
  expired: { fromDays: -400, toDays: -30 },
  notYetValid: { fromDays: 30, toDays: 400 },
  wrongUsage: { extensions: { keyUsage: keyUsageBits.keyEncipherment } },
  tlsServer: {
    extensions: { keyUsage: keyUsageBits.digitalSignature, extendedKeyUsage: [oids.serverAuth] },
  },
  tsa: { extensions: { extendedKeyUsage: [oids.timeStamping], extendedKeyUsageCritical: true } },
  tsaNotCritical: { extensions: { extendedKeyUsage: [oids.timeStamping] } },
  tsaExpired: {
    fromDays: -400,
    toDays: -30,
    extensions: { extendedKeyUsage: [oids.timeStamping], extendedKeyUsageCritical: true },
  },
  ocsp: { extensions: { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true } },
} as const satisfies Record<
  string,
  {
    key?: TestKeyKind;
    fromDays?: number;
    toDays?: number;
    extensions?: CertificateExtensionInput;
  }
>;

/** Name of a predefined member. */
export type TestMemberName = keyof typeof memberVariants | 'root' | 'ca';

/** A PKI in memory. */
export interface TestPki {
  readonly nowMs: number;
  /** A member created on first use: `root`, `ca` or one of {@link memberVariants}. */
  member(name: TestMemberName): TestMember;
  /** A custom certificate, by the issuing CA unless another issuer is given. */
  issue(request: TestRequest): TestMember;
  /** An OCSPResponse of the delegated responder, DER; `revoked` is the only revoked member. */
  ocsp(certificate: Certificate, options?: TestOcspOptions): Uint8Array;
  /** A CRL, DER; the CA's CRL lists the member `revoked`. */
  crl(issuer?: TestMember, options?: TestCrlOptions): Uint8Array;
  readonly revocation: RevocationSource;
}

/** Deviations from a valid CRL. */
export interface TestCrlOptions {
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number;
  /** Replaces the member `revoked`; for keyCompromise, five days ago. */
  readonly revoked?: readonly TestMember[];
  readonly reasonCode?: number;
  readonly revokedAtMs?: number;
}

/** Deviations from a valid response. */
export interface TestOcspOptions {
  readonly responder?: TestMember;
  readonly issuer?: TestMember;
  readonly digest?: 'sha1' | 'sha256';
  readonly status?: 'good' | 'revoked' | 'unknown';
  /** For `revoked`. Default: keyCompromise, five days ago. */
  readonly reasonCode?: number;
  readonly revokedAtMs?: number;
  readonly thisUpdateMs?: number;
  /** Default: `thisUpdateMs`. */
  readonly producedAtMs?: number;
  /** Statuses of further SingleResponses on the same certificate. */
  readonly also?: readonly ('good' | 'revoked' | 'unknown')[];
  readonly nextUpdateMs?: number | undefined;
  readonly certificates?: readonly Uint8Array[];
  readonly nonce?: Uint8Array;
  /** Replaces the signature. */
  readonly sign?: (tbsDer: Uint8Array) => Uint8Array;
}

const DAY_MS = 24 * 3_600_000;
const rsaPairs = new Map<string, KeyPair>();
atFileEnd('key pairs of end entities', () => rsaPairs.clear());

/**
 * RSA keys of end entities are shared by the PKIs of a test file, because generating them is slow.
 */
function pairFor(name: string, kind: TestKeyKind, isCa: boolean) {
  if (isCa || !kind.startsWith('RSA')) return generate(kind, name);
  const label = `${kind} ${name}`;
  const pair = rsaPairs.get(label) ?? generate(kind, name);
  rsaPairs.set(label, pair);
  return pair;
}

function generate(kind: TestKeyKind, name: string): KeyPair {
  switch (kind) {
    case 'RSA-2048':
    case 'RSA-PSS':
      return newKeyPair(kind, name);
    case 'Ed25519':
      return generateKeyPairSync('ed25519');
    case 'Ed448':
      return generateKeyPairSync('ed448');
    default:
      return generateKeyPairSync('ec', { namedCurve: kind });
  }
}

function pairOf({ privateKey }: TestMember) {
  return { publicKey: createPublicKey(privateKey), privateKey };
}

const algorithms: Record<TestKeyKind, SignatureAlgorithm> = {
  'P-256': { scheme: 'ecdsa', digest: 'sha256' },
  'P-384': { scheme: 'ecdsa', digest: 'sha384' },
  'P-521': { scheme: 'ecdsa', digest: 'sha512' },
  'RSA-2048': { scheme: 'rsa-pkcs1', digest: 'sha256' },
  'RSA-PSS': { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 },
  Ed25519: { scheme: 'ed25519', digest: 'sha512' },
  Ed448: { scheme: 'ed448', digest: 'shake256' },
};

/** A signature over `data` as encoded in X.509 structures. */
export function signWith(
  { algorithm, privateKey }: Pick<TestMember, 'algorithm' | 'privateKey'>,
  data: Uint8Array,
): Uint8Array {
  const { scheme } = algorithm;
  if (scheme === 'ed25519' || scheme === 'ed448') return sign(null, data, privateKey);
  if (algorithm.scheme !== 'rsa-pss') return sign(algorithm.digest, data, privateKey);
  return sign(algorithm.digest, data, {
    key: privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: algorithm.saltLengthBytes ?? 20,
  });
}

function digest(name: string, bytes: Uint8Array): Uint8Array {
  return createHash(name).update(bytes).digest();
}

/** The OCSP CertID of a certificate. */
export function ocspId(
  certificate: Certificate,
  issuer: Certificate,
  name: 'sha1' | 'sha256' = 'sha1',
): OcspCertificateId {
  return {
    digest: name,
    issuerNameHash: digest(name, issuer.subjectDer),
    issuerKeyHash: digest(name, issuer.publicKeyBits),
    serialNumber: certificate.serialNumber,
  };
}

/** Options of a test PKI. */
export interface TestPkiOptions {
  /** The present of the PKI. Default: 2026-06-01T12:00:00Z. */
  readonly nowMs?: number;
  /** Key of root and issuing CA. Default: P-256. */
  readonly caKey?: TestKeyKind;
  /** Base URL of the status services in certificates. Default: `http://127.0.0.1:8318`. */
  readonly baseUrl?: string;
  /** If false, certificates name only CRLs. */
  readonly namesOcsp?: boolean;
}

/** A root, an issuing CA and members with one special property each, created on first use. */
export function makeTestPki(options: TestPkiOptions = {}): TestPki {
  const { nowMs = Date.UTC(2026, 5, 1, 12), caKey = 'P-256', namesOcsp = true } = options;
  const baseUrl = options.baseUrl ?? 'http://127.0.0.1:8318';
  const members = new Map<string, TestMember>();
  const ca = {
    basicConstraints: { ca: true },
    keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
  };

  const issue = (request: TestRequest, selfSigned = false): TestMember => {
    const { name, key = 'P-256' } = request;
    const isCa = request.extensions?.basicConstraints?.ca ?? false;
    const { publicKey, privateKey } =
      request.keyOf === undefined ? pairFor(name, key, isCa) : pairOf(request.keyOf);
    const algorithm = request.keyOf?.algorithm ?? algorithms[key];
    const issuer = selfSigned ? undefined : (request.issuer ?? pki.member('ca'));
    const subjectDer = request.subjectDer ?? buildName({ countryName: 'IS', commonName: name });
    const spkiDer = publicKey.export({ format: 'der', type: 'spki' });
    const ownKeyId = digest('sha1', spkiDer);
    const signing = request.signedWith ?? issuer?.algorithm ?? algorithm;
    const defaults: CertificateExtensionInput = {
      basicConstraints: { ca: false },
      keyUsage: keyUsageBits.digitalSignature | keyUsageBits.nonRepudiation,
      subjectKeyId: ownKeyId,
      authorityKeyId: issuer?.certificate.extensions.subjectKeyId ?? ownKeyId,
      crlUrls: [`${baseUrl}/crl/${issuer?.name ?? name}.crl`],
      ...(namesOcsp ? { ocspUrls: [`${baseUrl}/ocsp`] } : {}),
      caIssuerUrls: [`${baseUrl}/issuer/${issuer?.name ?? name}.cer`],
    };
    const tbsDer = buildCertificateTbs({
      serialNumber: request.serialNumber ?? Buffer.concat([Buffer.of(0x4d), randomBytes(11)]),
      issuerDer: issuer?.certificate.subjectDer ?? subjectDer,
      subjectDer,
      notBeforeMs: request.notBeforeMs ?? nowMs - 30 * DAY_MS,
      notAfterMs: request.notAfterMs ?? nowMs + 365 * DAY_MS,
      spkiDer,
      algorithm: signing,
      extensions: { ...defaults, ...request.extensions } as CertificateExtensionInput,
    });
    const signer = { algorithm: signing, privateKey: issuer?.privateKey ?? privateKey };
    const der = assembleCertificate(tbsDer, signing, signWith(signer, tbsDer));
    const chain = issuer === undefined ? [] : [issuer.der, ...issuer.chain];
    return { name, certificate: parseCertificate(der), der, chain, privateKey, algorithm };
  };

  const create = (name: TestMemberName): TestMember => {
    if (name === 'root') return issue({ name, key: caKey, extensions: ca }, true);
    if (name === 'ca')
      return issue({ name, key: caKey, issuer: pki.member('root'), extensions: ca });
    const {
      fromDays,
      toDays,
      key,
      extensions,
    }: {
      fromDays?: number;
      toDays?: number;
      key?: TestKeyKind;
      extensions?: CertificateExtensionInput;
    } = memberVariants[name];
    return issue({
      name,
      ...(key === undefined ? {} : { key }),
      ...(extensions === undefined ? {} : { extensions }),
      ...(fromDays === undefined ? {} : { notBeforeMs: nowMs + fromDays * DAY_MS }),
      ...(toDays === undefined ? {} : { notAfterMs: nowMs + toDays * DAY_MS }),
    });
  };

  const isRevoked = (certificate: Certificate) =>
    members.get('revoked')?.certificate.serialNumber === certificate.serialNumber ||
    Buffer.compare(pki.member('revoked').certificate.serialNumber, certificate.serialNumber) === 0;
  const revokedAtMs = nowMs - 5 * DAY_MS;

  const pki: TestPki = {
    nowMs,
    member(name) {
      const member = members.get(name) ?? create(name);
      members.set(name, member);
      return member;
    },
    issue: (request) => issue(request),
    ocsp(certificate, options = {}) {
      const responder = options.responder ?? pki.member('ocsp');
      const issuer = options.issuer ?? pki.member('ca');
      const status = options.status ?? (isRevoked(certificate) ? 'revoked' : 'good');
      const thisUpdateMs = options.thisUpdateMs ?? nowMs;
      const nextUpdateMs = 'nextUpdateMs' in options ? options.nextUpdateMs : nowMs + 7 * DAY_MS;
      const { reasonCode = 1 } = options;
      const revocation = { revokedAtMs: options.revokedAtMs ?? revokedAtMs, reasonCode };
      return buildOcspResponse(
        {
          responderKeyHash: digest('sha1', responder.certificate.publicKeyBits),
          producedAtMs: options.producedAtMs ?? thisUpdateMs,
          responses: [status, ...(options.also ?? [])].map((said) => ({
            certificateId: ocspId(certificate, issuer.certificate, options.digest),
            status: said,
            ...(said === 'revoked' ? revocation : {}),
            thisUpdateMs,
            ...(nextUpdateMs === undefined ? {} : { nextUpdateMs }),
          })),
          certificates: options.certificates ?? [responder.der],
          ...(options.nonce === undefined ? {} : { nonce: options.nonce }),
          algorithm: responder.algorithm,
        },
        options.sign ?? ((tbsDer) => signWith(responder, tbsDer)),
      );
    },
    crl(issuer = pki.member('ca'), times = {}) {
      const { reasonCode = 1 } = times;
      const revoked = times.revoked ?? (issuer.name === 'ca' ? [pki.member('revoked')] : []);
      return buildCrl(
        {
          issuerDer: issuer.certificate.subjectDer,
          thisUpdateMs: times.thisUpdateMs ?? nowMs,
          nextUpdateMs: times.nextUpdateMs ?? nowMs + 7 * DAY_MS,
          crlNumber: 1,
          authorityKeyId: issuer.certificate.extensions.subjectKeyId ?? new Uint8Array(20),
          algorithm: issuer.algorithm,
          revoked: revoked.map(({ certificate: { serialNumber } }) => ({
            serialNumber,
            revokedAtMs: times.revokedAtMs ?? revokedAtMs,
            reasonCode,
          })),
        },
        (tbsDer) => signWith(issuer, tbsDer),
      );
    },
    revocation: {
      async find(certificate, issuer) {
        const root = pki.member('root');
        return Buffer.compare(issuer.der, root.der) === 0
          ? { ocsp: [], crls: [pki.crl(root)] }
          : { ocsp: [pki.ocsp(certificate)], crls: [] };
      },
    },
  };
  return pki;
}
