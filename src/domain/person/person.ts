import { normalPhone } from '../../base/phone.ts';
import { plainName } from './same-name.ts';

/** What is known of a person. */
export interface Contact {
  readonly name: string;
  /** National number, digits only. */
  readonly ssn?: string;
  readonly phoneNumber?: string;
  readonly email?: string;
  readonly address?: string;
  readonly postalCode?: string;
  readonly city?: string;
}

/** `text` as digits; a national number may be written with a dash. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** True when both numbers (national or phone) are the same one; false when one is missing. */
export function isSameNumber(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && normalPhone(a) === normalPhone(b);
}

/**
 * True when the contacts are one person: equal national number, else equal e-mail and phone, and
 * where there is no phone the same name too: people share addresses.
 */
export function isSamePerson(a: Contact, b: Contact): boolean {
  if (a.ssn !== undefined && b.ssn !== undefined) return isSameNumber(a.ssn, b.ssn);
  const reach = reachOf(a);
  return reach !== undefined && reach === reachOf(b);
}

/**
 * How somebody is reached, in one form: the same text for two is one person, unless they have
 * different national numbers. Undefined for one who cannot be reached.
 */
export function reachOf({ email, phoneNumber, name }: Contact): string | undefined {
  const mail = email?.trim().toLowerCase() ?? '';
  const phone = phoneNumber === undefined ? '' : normalPhone(phoneNumber);
  if (phone !== '') return `${phone} ${mail}`;
  return mail === '' ? undefined : `${mail}\n${plainName(name)}`;
}
