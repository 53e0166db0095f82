/** Identity of a person, as far as numbers, names and addresses tell. */

export { dialledPhone, normalPhone } from '../../base/phone.ts';
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
export { type Contact, digitsOf, isSameNumber, isSamePerson, reachesOf } from './person.ts';
export { foldedName, isNameOfOne, isSameText } from './same-name.ts';
