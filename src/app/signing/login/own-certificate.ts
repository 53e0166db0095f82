import { attemptAny } from '../../../base/errors.ts';
import { type Identity, isNameOfOne } from '../../../domain/person/index.ts';
import { type DerNode, oids, readText } from '../../../formats/asn1/index.ts';
import { parseName } from '../../../formats/x509/index.ts';
import { mismatchError } from './eid-session.ts';

/** National number with its country of issue. @spec ETSI EN 319 412-1 §5.1.3 */
const WITH_SCHEME = /^PNO[A-Z]{2}-(.+)$/;
/** Older certificates contain the number alone. */
const ALONE = /^(?:\d{6}|\d{8})-?\d{4}$/;

/**
 * Requires that a certificate belongs to the person identified by the provider: by national number
 * if the subject has one, otherwise by name.
 *
 * @param subjectDer Name, DER
 * @throws authentication.error.signee.logon.mismatch
 */
export function requireOwnCertificate(subjectDer: Uint8Array, identity: Identity): void {
  if (!isOwn(subjectDer, identity)) throw mismatchError();
}

function isOwn(subjectDer: Uint8Array, { ssn, name }: Identity): boolean {
  const textsOf = readSubject(subjectDer);
  const numbers = textsOf(oids.serialNumber).flatMap((text) => numberIn(text) ?? []);
  if (numbers.length > 0 && ssn !== '') return numbers.every((own) => isSame(own, ssn));
  const [given] = textsOf(oids.givenName);
  const [family] = textsOf(oids.surname);
  const whole = given === undefined || family === undefined ? [] : [`${given} ${family}`];
  return [...textsOf(oids.commonName), ...whole].some((own) => isNameOfOne(own, name));
}

function numberIn(text: string): string | undefined {
  return WITH_SCHEME.exec(text)?.[1] ?? (ALONE.test(text) ? text : undefined);
}

/** Numbers may be written with or without hyphen and century. */
function isSame(own: string, ssn: string): boolean {
  const [a, b] = [own, ssn].map((each) => each.replace(/[^0-9A-Za-z]/g, '').toUpperCase());
  const [long = '', short = ''] = (a ?? '').length > (b ?? '').length ? [a, b] : [b, a];
  return long === short || (long.length === 12 && short.length === 10 && long.endsWith(short));
}

/** Returns the texts of a Name by attribute type. None if it cannot be parsed. */
function readSubject(subjectDer: Uint8Array): (type: string) => readonly string[] {
  const attributes = attemptAny(() => parseName(subjectDer).flat()) ?? [];
  const textOf = (value: DerNode) => attemptAny(() => readText(value)) ?? [];
  return (type) => attributes.flatMap((each) => (each.type === type ? textOf(each.value) : []));
}
