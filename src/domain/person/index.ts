/** Who a person is, as far as numbers, names and addresses tell. */

export { dialledPhone, normalPhone } from '../../base/phone.ts';
export { foldedName } from './folded-name.ts';
export {
  canFit,
  claimOf,
  type Fit,
  fitOf,
  fits,
  type Identity,
  maskedNumber,
  type ProvedIdentity,
  type SigneeIdentity,
  type SigneeLogin,
  signeeIdentities,
  usualSigneeIdentity,
} from './identity.ts';
export { type NumberStanding, numbersOf, standingOf } from './known-numbers.ts';
export {
  type Contact,
  digitsOf,
  isSameNumber,
  isSamePerson,
  reachesOf,
} from './person.ts';
export { isNameOfOne, isSameText } from './same-name.ts';
