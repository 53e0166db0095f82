import { EidError, type EidIdentity } from '../../../app/ports/index.ts';
import { oids, readText } from '../../../formats/asn1/index.ts';
import { type Certificate, parseName } from '../../../formats/x509/index.ts';
import { readOr, responseFault } from '../provider-answer.ts';
import type { CscSettings } from './options.ts';

/** `PNOIS-0103901099`. @spec ETSI EN 319 412-1 §5.1.3 */
const PERSONAL_NUMBER = /^PNO([A-Z]{2})-(.{1,40})$/;

/**
 * The person named in a certificate; `ssn` is empty if it states no national number.
 *
 * @throws EidError `identityMismatch` if the national number is not the expected one
 */
export function personOf(
  { subjectDer }: Certificate,
  credentialId: string,
  loginHint: string,
  { assurance }: Pick<CscSettings, 'assurance'>,
): EidIdentity {
  const attributes = attributesOf(subjectDer);
  const found = PERSONAL_NUMBER.exec(attributes.get(oids.serialNumber) ?? '');
  const ssn = plain(found?.[2] ?? '');
  const expected = plain(loginHint);
  if (ssn !== '' && expected !== '' && !isSameNumber(ssn, expected)) {
    throw new EidError('identityMismatch', 'the certificate names a different national number');
  }
  const given = attributes.get(oids.givenName);
  const family = attributes.get(oids.surname);
  const full = given !== undefined && family !== undefined ? `${given} ${family}` : undefined;
  const name = full ?? attributes.get(oids.commonName);
  if (name === undefined) throw responseFault('the certificate names no one');
  const country = found?.[1] ?? attributes.get(oids.countryName) ?? '';
  return { ssn, name, country, subject: credentialId, assurance };
}

function attributesOf(subjectDer: Uint8Array): ReadonlyMap<string, string> {
  return readOr('the subject of the certificate cannot be read', () => {
    const all = parseName(subjectDer).flat();
    return new Map(all.map(({ type, value }) => [type, readText(value)]));
  });
}

function plain(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

/** Numbers may be written with or without the century. */
function isSameNumber(a: string, b: string): boolean {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return long === short || (long.length === 12 && short.length === 10 && long.endsWith(short));
}
