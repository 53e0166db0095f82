import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { oids, readBitOctets, readDer, readSequence } from '../../formats/asn1/index.ts';
import {
  assembleCertificate,
  buildCertificateTbs,
  buildName,
  type Certificate,
  type CertificateExtensionInput,
  keyUsageBits,
  parseCertificate,
  type SignatureAlgorithm,
} from '../../formats/x509/index.ts';
import type { RandomSource } from '../../seal/ports.ts';
import { type MemberName, type MemberPlan, memberNames, type TrustPlan } from './plan.ts';

const YEAR_MS = 365.25 * 24 * 3_600_000;

/** A certificate of the PKI with its key. */
export interface IssuedMember {
  readonly name: MemberName;
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
}

/** Clock, random source and URLs for issuing certificates. */
export interface IssueContext {
  readonly nowMs: number;
  readonly random: RandomSource;
  /** Base URL of the HTTP interface of the PKI, without a trailing slash. */
  readonly baseUrl: string;
}

/** A person to issue a certificate for. */
export interface PersonRequest {
  readonly name: string;
  /** For example `PNOIS-1234567890`. @spec ETSI EN 319 412-1 §5.1.3 */
  readonly serialNumber: string;
}

/** Issuer and URLs for the certificate of a person. */
export interface PersonContext extends Omit<IssueContext, 'random'> {
  readonly issuer: { readonly certificate: Certificate; readonly privateKey: KeyObject };
  readonly organizationName: string;
  /** Serial number of the certificate: 16 bytes, positive. */
  readonly certificateNumber: Uint8Array;
}

/** More than the time a document may wait for its remaining signatures and validation data. */
const PERSON_YEARS = 3;

const newKeyPair = promisify(generateKeyPair);

/** Signature algorithm for a key: RSA PKCS#1, or ECDSA with the digest that matches the curve. */
export function algorithmOf(key: KeyObject): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return { scheme: 'rsa-pkcs1', digest: 'sha256' };
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return { scheme: 'ecdsa', digest: curve === 'secp384r1' ? 'sha384' : 'sha256' };
}

/** SHA-1 of the public key bits: the usual key identifier. @spec RFC 5280 §4.2.1.2 (1) */
export function keyIdOf(certificate: { readonly publicKeyBits: Uint8Array }): Uint8Array {
  return createHash('sha1').update(certificate.publicKeyBits).digest();
}

/**
 * Issues the plan's certificates, issuers first. Keys are generated concurrently off the main
 * thread.
 */
export async function issueMembers(
  plan: TrustPlan,
  context: IssueContext,
): Promise<readonly IssuedMember[]> {
  const pairs = await Promise.all(
    memberNames.map((name) => generatePair(plan.certificates[name].key)),
  );
  const issued = new Map<MemberName, IssuedMember>();
  for (const [index, name] of memberNames.entries()) {
    const pair = pairs[index] as { publicKey: KeyObject; privateKey: KeyObject };
    const issuerName = plan.certificates[name].issuer;
    const issuer = issuerName === undefined ? undefined : issued.get(issuerName);
    issued.set(name, issueMember(plan, name, pair, issuer, context));
  }
  return [...issued.values()];
}

function generatePair(kind: MemberPlan['key']) {
  return kind === 'RSA-3072'
    ? newKeyPair('rsa', { modulusLength: 3072 })
    : newKeyPair('ec', { namedCurve: kind });
}

function issueMember(
  plan: TrustPlan,
  name: MemberName,
  pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  issuer: IssuedMember | undefined,
  { nowMs, random, baseUrl }: IssueContext,
): IssuedMember {
  const { commonName, profile, years } = plan.certificates[name];
  const subjectDer = buildName({ organizationName: plan.organizationName, commonName });
  const spkiDer = pair.publicKey.export({ format: 'der', type: 'spki' });
  const signingKey = issuer?.privateKey ?? pair.privateKey;
  const algorithm = algorithmOf(signingKey);
  const subjectKeyId = spkiKeyId(spkiDer);
  const serialNumber = Buffer.from(random(16));
  // Positive and of full length: the first byte is between 0x40 and 0x7f.
  serialNumber[0] = ((serialNumber[0] as number) & 0x3f) | 0x40;
  const tbsDer = buildCertificateTbs({
    serialNumber,
    issuerDer: issuer?.certificate.subjectDer ?? subjectDer,
    subjectDer,
    notBeforeMs: nowMs - plan.backdateHours * 3_600_000,
    notAfterMs: nowMs + years * YEAR_MS,
    spkiDer,
    algorithm,
    extensions: {
      subjectKeyId,
      authorityKeyId: issuer === undefined ? subjectKeyId : keyIdOf(issuer.certificate),
      ...profileExtensions[profile],
      ...addresses(profile, issuer?.name, baseUrl),
    },
  });
  const der = assembleCertificate(tbsDer, algorithm, sign(algorithm.digest, tbsDer, signingKey));
  return { name, certificate: parseCertificate(der), privateKey: pair.privateKey };
}

/** Creates a P-256 key for the signatures of one session of a person, with its certificate. */
export async function issuePerson(
  { name, serialNumber }: PersonRequest,
  { issuer, organizationName, certificateNumber, nowMs, baseUrl }: PersonContext,
): Promise<{ readonly certificate: Uint8Array; readonly privateKey: KeyObject }> {
  const { publicKey, privateKey } = await newKeyPair('ec', { namedCurve: 'P-256' });
  const spkiDer = publicKey.export({ format: 'der', type: 'spki' });
  const algorithm = algorithmOf(issuer.privateKey);
  const tbsDer = buildCertificateTbs({
    serialNumber: certificateNumber,
    issuerDer: issuer.certificate.subjectDer,
    subjectDer: buildName({ organizationName, commonName: name, serialNumber }),
    notBeforeMs: nowMs - 3_600_000,
    notAfterMs: nowMs + PERSON_YEARS * YEAR_MS,
    spkiDer,
    algorithm,
    extensions: {
      subjectKeyId: spkiKeyId(spkiDer),
      authorityKeyId: keyIdOf(issuer.certificate),
      basicConstraints: { ca: false },
      keyUsage: keyUsageBits.nonRepudiation,
      ...addresses('seal', 'ca', baseUrl),
    },
  });
  const signature = sign(algorithm.digest, tbsDer, issuer.privateKey);
  return { certificate: assembleCertificate(tbsDer, algorithm, signature), privateKey };
}

/** The key identifier of a SubjectPublicKeyInfo, computed from its last element, the BIT STRING. */
function spkiKeyId(spkiDer: Uint8Array): Uint8Array {
  const [, keyBits] = readSequence(readDer(spkiDer), 'public key');
  return keyIdOf({ publicKeyBits: readBitOctets(keyBits, 'public key') });
}

const issuing = keyUsageBits.keyCertSign | keyUsageBits.cRLSign;
const signing = keyUsageBits.digitalSignature | keyUsageBits.nonRepudiation;
const noAuthority = { ca: false };

const profileExtensions: Readonly<Record<MemberPlan['profile'], CertificateExtensionInput>> = {
  root: { basicConstraints: { ca: true }, keyUsage: issuing },
  ca: { basicConstraints: { ca: true, pathLength: 0 }, keyUsage: issuing },
  seal: { basicConstraints: noAuthority, keyUsage: signing },
  tsa: {
    basicConstraints: noAuthority,
    keyUsage: signing,
    extendedKeyUsage: [oids.timeStamping],
    extendedKeyUsageCritical: true,
  },
  ocsp: {
    basicConstraints: noAuthority,
    keyUsage: keyUsageBits.digitalSignature,
    extendedKeyUsage: [oids.ocspSigning],
    ocspNoCheck: true,
  },
};

/**
 * URLs of revocation status: CRL for certificates of the root, OCSP and CRL for those of the
 * issuing CA, none for the OCSP responder. Seal certificates have no OCSP URL: validators that
 * query OCSP and get no response (NSS) would report an offline seal as untrusted, while those that
 * look for a CRL find it. OCSP responses are embedded anyway.
 */
function addresses(
  profile: MemberPlan['profile'],
  issuer: MemberName | undefined,
  baseUrl: string,
): CertificateExtensionInput {
  if (issuer === undefined) return {};
  const caIssuerUrls = [`${baseUrl}/issuer/${issuer}.cer`];
  if (profile === 'ocsp') return { caIssuerUrls };
  const crlUrls = [`${baseUrl}/crl/${issuer}.crl`];
  return profile === 'ca' || profile === 'seal'
    ? { caIssuerUrls, crlUrls }
    : { caIssuerUrls, crlUrls, ocspUrls: [`${baseUrl}/ocsp`] };
}
