import { isSameNumber } from '../person/index.ts';

interface Known {
  readonly ssn?: string;
  readonly phoneNumber?: string;
}

/**
 * True when the one whom an identity provider saw is the signee: by national number, else by
 * phone. A signee of whom neither is known can be anybody.
 */
export function isIdentityOf(signee: Known, found: Known): boolean {
  if (signee.ssn !== undefined) return isSameNumber(signee.ssn, found.ssn);
  if (signee.phoneNumber === undefined) return true;
  return isSameNumber(signee.phoneNumber, found.phoneNumber);
}
