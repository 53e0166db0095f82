/** Identity of a person, as far as numbers, names and addresses tell. */

export * from '../../base/phone.ts';
export * from './identity.ts';
export * from './person.ts';
export { foldedName, isNameOfOne, isSameText } from './same-name.ts';
