/** Who a person is, as far as numbers and addresses tell. */
export {
  type Contact,
  digitsOf,
  isIdentityOf,
  isSameNumber,
  isSamePerson,
  normalPhone,
  reachOf,
} from './person.ts';
