/** Identity of a person, as established by numbers, names and addresses. */

export { dialledPhone, normalPhone } from '../../base/text/index.ts';
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
export {
  icelandicMobile,
  type NationalNumber,
  type NumberFault,
  readKennitala,
} from './kennitala.ts';
export { type Contact, contactKeysOf, digitsOf, isSameNumber, isSamePerson } from './person.ts';
export { isNameOfOne, isSameText } from './same-name.ts';
