import { oids, readText } from '../../../../formats/asn1/index.ts';
import { type Certificate, keyUsageBits, parseName } from '../../../../formats/x509/index.ts';
import { readOr, responseFault } from '../../provider-answer.ts';
import { nationalNumber, type UserInfo } from './user-info.ts';

const what = 'the certificate in the response';

/**
 * Checks that the certificate belongs to the person named by the provider: its subject must have
 * exactly one serial number, with their national number, and exactly one common name, with their
 * name.
 *
 * @throws EidError `invalidResponse`
 */
export function requirePerson(
  certificate: Certificate,
  person: Pick<UserInfo, 'number' | 'name'>,
): void {
  const number = nationalNumber(onlyAttribute(certificate, oids.serialNumber));
  if (number !== person.number) throw responseFault(`${what}: expected the number of the person`);
  const name = onlyAttribute(certificate, oids.commonName);
  if (comparable(name) !== comparable(person.name)) {
    throw responseFault(`${what}: expected the name of the person`);
  }
}

/** Checks the key usage, if the certificate states one. @throws EidError `invalidResponse` */
export function requireUsage({ extensions }: Certificate, purpose: 'auth' | 'sign'): void {
  const { keyUsage } = extensions;
  const signing = keyUsageBits.nonRepudiation;
  const permitted = purpose === 'sign' ? signing : signing | keyUsageBits.digitalSignature;
  if (keyUsage === undefined || (keyUsage & permitted) !== 0) return;
  throw responseFault(`${what} is not for this purpose`);
}

function onlyAttribute(certificate: Certificate, type: string): string {
  const all = readOr(`${what}: its subject cannot be read`, () =>
    parseName(certificate.subjectDer).flat(),
  );
  const found = all.filter((attribute) => attribute.type === type);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw responseFault(`${what}: expected one ${type} in its subject, found ${found.length}`);
  }
  return readText(only.value);
}

function comparable(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
