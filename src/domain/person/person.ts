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

/** The digits of `text`. A national number may be written with a dash. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Whether both numbers (national or phone) are equal; false if one is missing. */
export function isSameNumber(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && normalPhone(a) === normalPhone(b);
}

/**
 * Whether the contacts are the same person: equal national numbers, else equal e-mail address and
 * phone number. If one of them has no phone number, e-mail address and name must be equal, because
 * people share addresses. Logins use the same rule: of two contacts that differ only in a missing
 * phone number, one could never log in.
 */
export function isSamePerson(a: Contact, b: Contact): boolean {
  if (a.ssn !== undefined && b.ssn !== undefined) return isSameNumber(a.ssn, b.ssn);
  const [mail, phone] = [mailOf(a), phoneOf(a)];
  const [otherMail, otherPhone] = [mailOf(b), phoneOf(b)];
  if (mail !== otherMail) return false;
  if (phone !== '' && otherPhone !== '') return phone === otherPhone;
  return mail !== '' && isSameText(a.name, b.name);
}

/** Lookup keys: two contacts of the same person without national numbers share at least one. */
export function contactKeysOf(contact: Contact): readonly string[] {
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
