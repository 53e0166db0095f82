/** Identity of a person, as far as numbers, names and addresses tell. */

export { dialledPhone, normalPhone } from '../../base/text/index.ts';
export { readCpr } from './cpr-number.ts';
export {
  canFit,
  claimOf,
  type Fit,
  fitOf,
  fits,
  type Identity,
  maskedNumber,
  type NumberStanding,
  numbersOf,
  type ProvedIdentity,
  type SigneeIdentity,
  type SigneeLogin,
  signeeIdentities,
  standingOf,
  usualSigneeIdentity,
} from './identity.ts';
export { icelandicMobile, readKennitala } from './kennitala.ts';
export type {
  NationalNumber,
  NumberCountry,
  NumberFault,
  NumberKind,
} from './national-number.ts';
export { type Contact, digitsOf, isSameNumber, isSamePerson, reachesOf } from './person.ts';
export { readPersonnummer } from './personnummer.ts';
export { isNameOfOne, isSameText } from './same-name.ts';
