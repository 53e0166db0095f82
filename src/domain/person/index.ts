/** Who a person is, as far as numbers and addresses tell. */
export { type Contact, digitsOf, isSameNumber, isSamePerson, normalPhone } from './person.ts';
