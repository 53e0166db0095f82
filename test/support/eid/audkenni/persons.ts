import { createHash, createPrivateKey, type KeyObject, privateEncrypt } from 'node:crypto';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData } from '../../../../src/formats/cms/index.ts';
import {
  buildName,
  keyUsageBits,
  serializeDigestAlgorithm,
} from '../../../../src/formats/x509/index.ts';
import { makeTestPki, signWith, type TestMember, type TestPki } from '../../pki.ts';

/** A person of the provider with their SIM card and app. */
export interface Person {
  readonly ssn: string;
  readonly phone: string;
  readonly name: string;
  readonly documentNr: string;
  readonly sim: TestMember;
  readonly app: TestMember;
}

/** Certificates and persons: those of the provider, and of a foreign CA with the same names. */
export interface World {
  readonly pki: TestPki;
  readonly foreign: TestPki;
  readonly person: Person;
  readonly other: Person;
  /** The same person with certificates that have expired or were issued by another CA. */
  readonly expired: Person;
  readonly untrusted: Person;
  readonly authenticationOnly: Person;
}

interface Variant {
  readonly notAfterMs?: number;
  readonly keyUsage?: number;
}

function issue(pki: TestPki, ssn: string, name: string, variant: Variant = {}): Person {
  const { notAfterMs, keyUsage } = variant;
  const common = {
    name,
    key: 'RSA-2048',
    ...(notAfterMs === undefined ? {} : { notAfterMs }),
    ...(keyUsage === undefined ? {} : { extensions: { keyUsage } }),
  } as const;
  // Certificates on SIM cards contain the plain number, those of the app the form of EN 319 412-1.
  const subject = { countryName: 'IS', organizationalUnitName: 'TEST', commonName: name };
  return {
    ssn,
    phone: `6${ssn.slice(0, 6)}`,
    name,
    documentNr: `PNOIS-${ssn}-TEST-Q`,
    sim: pki.issue({ ...common, subjectDer: buildName({ ...subject, serialNumber: ssn }) }),
    app: pki.issue({
      ...common,
      subjectDer: buildName({ ...subject, serialNumber: `PNOIS-${ssn}` }),
    }),
  };
}

const DAY_MS = 24 * 3_600_000;

/** Creates a world. Generating its keys is slow: use one per test file. */
export function makeWorld(pki = makeTestPki()): World {
  const foreign = makeTestPki();
  const ssn = '0103901099';
  const name = 'Sigríður Þórðardóttir';
  return {
    pki,
    foreign,
    person: issue(pki, ssn, name),
    other: issue(pki, '0203901589', 'Jón Jónsson'),
    expired: issue(pki, ssn, name, { notAfterMs: pki.nowMs - DAY_MS }),
    untrusted: issue(foreign, ssn, name),
    authenticationOnly: issue(pki, ssn, name, { keyUsage: keyUsageBits.digitalSignature }),
  };
}

/** An RSASSA-PKCS1-v1_5 signature value over a hash, as the app creates it. */
export function appSignature(person: Person, hash: Uint8Array, digest: 'sha256' | 'sha512') {
  const algorithm = der.sequence(serializeDigestAlgorithm(digest).subarray(2), der.nil());
  const info = der.sequence(algorithm, der.octetString(hash));
  return privateEncrypt(rsaKey(person.app), Buffer.from(info));
}

function rsaKey({ privateKey }: TestMember): KeyObject {
  return createPrivateKey({
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    format: 'pem',
  });
}

/** Deviations from a valid CMS. */
export interface CmsVariant {
  readonly bareSignature?: boolean;
  readonly withoutCertificates?: boolean;
  readonly contentType?: string;
}

/** A CMS over data given by its hash, as the service for SIM cards creates it. */
export function simCms(
  { sim }: Person,
  hash: Uint8Array,
  { bareSignature, withoutCertificates, contentType = oids.data }: CmsVariant = {},
): Uint8Array {
  const signedAttributes = buildSignedAttributes({
    contentType,
    messageDigest: hash,
    certificate: sim.certificate,
    certificateDigest: 'sha256',
  });
  const signature = bareSignature === true ? new Uint8Array(256) : signWith(sim, signedAttributes);
  return buildSignedData({
    digest: 'sha256',
    signedAttributes,
    signatureAlgorithm: sim.algorithm,
    signature,
    certificate: sim.certificate,
    // Includes the issuer, so that others can build the path; they must have the root.
    certificates: withoutCertificates === true ? [] : [sim.der, ...sim.chain.slice(0, 1)],
  });
}

/** The SHA-256 of a text. */
export function textHash(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest();
}
