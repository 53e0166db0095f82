/** Identity of a person, as far as numbers, names and addresses tell. */

export * from '../../base/phone.ts';
export { readCpr } from './cpr-number.ts';
export * from './identity.ts';
export { icelandicMobile, readKennitala } from './kennitala.ts';
export type {
  NationalNumber,
  NumberCountry,
  NumberFault,
  NumberKind,
} from './national-number.ts';
export * from './person.ts';
export { readPersonnummer } from './personnummer.ts';
export { foldedName, isNameOfOne, isSameText } from './same-name.ts';
