import { normalPhone } from '../../base/text/index.ts';
import { isSameText, plainName } from './same-name.ts';

/** Known facts about a person. */
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
 * True when the contacts are one person: equal national number, else equal e-mail and phone. If one
 * of them has no phone, e-mail and name must be equal: people share addresses. Logins decide
 * likewise: of two who differ in a missing phone alone, one could never log in.
 */
export function isSamePerson(a: Contact, b: Contact): boolean {
  if (a.ssn !== undefined && b.ssn !== undefined) return isSameNumber(a.ssn, b.ssn);
  const [mail, phone] = [mailOf(a), phoneOf(a)];
  const [otherMail, otherPhone] = [mailOf(b), phoneOf(b)];
  if (mail !== otherMail) return false;
  if (phone !== '' && otherPhone !== '') return phone === otherPhone;
  return mail !== '' && isSameText(a.name, b.name);
}

/** Texts of which two who are one person without national numbers have one in common. */
export function reachesOf(contact: Contact): readonly string[] {
  const [mail, phone] = [mailOf(contact), phoneOf(contact)];
  return [
    ...(phone === '' ? [] : [`${phone} ${mail}`]),
    ...(mail === '' ? [] : [`${mail}\n${plainName(contact.name)}`]),
  ];
}

function mailOf({ email }: Contact): string {
  return email?.trim().toLowerCase() ?? '';
}

function phoneOf({ phoneNumber }: Contact): string {
  return phoneNumber === undefined ? '' : normalPhone(phoneNumber);
}
