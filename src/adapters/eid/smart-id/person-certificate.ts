import { createPublicKey, type KeyObject } from 'node:crypto';
import { EidError } from '../../../app/ports/index.ts';
import {
  type DerNode,
  oids,
  readOid,
  readSequence,
  readText,
} from '../../../formats/asn1/index.ts';
import { type Certificate, keyUsageBits, parseName } from '../../../formats/x509/index.ts';
import { readOr, responseFault } from '../provider-answer.ts';
import { type CertificateLevel, type SmartIdOptions, usual } from './options.ts';

/** The person named in a certificate. */
export interface CertifiedPerson {
  /** As in the certificate, such as `PNOEE-40404040009`. */
  readonly identifier: string;
  readonly country: string;
  readonly number: string;
  readonly name: string;
}

const what = 'the certificate in the response';
const unreadable = `${what} cannot be read`;
const LEAST_RSA_BITS = 2_048;

/**
 * Checks that a certificate is meant for authentication and has the level stated in the response.
 *
 * @throws EidError `invalidResponse`; `assuranceTooLow` if the level is below the required one
 * @spec ETSI EN 319 411-1 §5.3
 */
export function requireProfile(
  { extensions }: Certificate,
  level: CertificateLevel,
  options: SmartIdOptions,
): void {
  const { certificateLevel = usual.certificateLevel } = options;
  if (level === 'ADVANCED' && certificateLevel === 'QUALIFIED') {
    throw new EidError('assuranceTooLow', `${what}: expected the level QUALIFIED`, level);
  }
  if (!hasPolicies(extensions, level, options)) {
    throw responseFault(`${what}: expected the policies of the level ${level}`);
  }
  const uses: readonly string[] = options.extendedKeyUsages ?? usual.extendedKeyUsages;
  if (extensions.extendedKeyUsage?.some((use) => uses.includes(use)) !== true) {
    throw responseFault(`${what}: expected a certificate for authentication`);
  }
  if (((extensions.keyUsage ?? 0) & keyUsageBits.digitalSignature) === 0) {
    throw responseFault(`${what}: expected the key usage digitalSignature`);
  }
}

/** The level of a certificate by its policies; the lower one if it lacks those of `QUALIFIED`. */
export function levelOf({ extensions }: Certificate, options: SmartIdOptions): CertificateLevel {
  return hasPolicies(extensions, 'QUALIFIED', options) ? 'QUALIFIED' : 'ADVANCED';
}

function hasPolicies(
  { policies }: Certificate['extensions'],
  level: CertificateLevel,
  options: SmartIdOptions,
): boolean {
  const found = readOr(unreadable, () => policiesOf(policies.certificatePolicies));
  return (options.policies ?? usual.policies)[level].every((policy) => found.includes(policy));
}

function policiesOf(node: DerNode | undefined): readonly string[] {
  if (node === undefined) return [];
  return readSequence(node, 'policies').map((each) => readOid(readSequence(each, 'policy')[0]));
}

const identifierForm = /^(PNO|PAS|IDC)([A-Z]{2})-([A-Za-z0-9-]{1,32})$/;

/**
 * The person named in a certificate.
 *
 * @throws EidError `invalidResponse`; `accountUnusable` for an identifier without a national number
 * @spec ETSI EN 319 412-1 §5.1.3
 */
export function personOf(certificate: Certificate): CertifiedPerson {
  const attributes = readOr(unreadable, () =>
    parseName(certificate.subjectDer)
      .flat()
      .map(({ type, value }) => [type, readText(value)] as const),
  );
  const find = (wanted: string): string | undefined => {
    const found = attributes.filter(([type]) => type === wanted);
    if (found.length > 1) throw responseFault(`${what}: expected one ${wanted} in its subject`);
    return found[0]?.[1].trim();
  };
  const identifier = find(oids.serialNumber) ?? '';
  const [, type, country, number] = identifierForm.exec(identifier) ?? [];
  if (country === undefined || number === undefined) {
    throw responseFault(`${what}: expected an identifier of EN 319 412-1`);
  }
  if (type !== 'PNO') throw new EidError('accountUnusable', 'the account has no national number');
  const given = find(oids.givenName);
  const family = find(oids.surname);
  const isNamed = given !== undefined && family !== undefined;
  const name = isNamed ? `${given} ${family}` : find(oids.commonName);
  if (name === undefined || name === '') throw responseFault(`${what}: expected a name`);
  const digits = country === 'IS' ? number.replace('-', '') : number;
  return { identifier, country, number: digits, name };
}

/** A certificate's public key. @throws EidError `invalidResponse` unless RSA, 2048 bits or more */
export function rsaKeyOf({ spkiDer }: Certificate): KeyObject {
  const key = readOr(unreadable, () =>
    createPublicKey({ key: Buffer.from(spkiDer), format: 'der', type: 'spki' }),
  );
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType === 'rsa' && bits >= LEAST_RSA_BITS) return key;
  throw responseFault(`${what}: expected an RSA key of at least ${LEAST_RSA_BITS} bits`);
}
