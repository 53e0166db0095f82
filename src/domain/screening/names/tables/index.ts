/** Tables about names: titles, nicknames, compounds, spellings by language. */
export {
  articles,
  compoundParts,
  FATHER,
  faith,
  OF_FAITH,
  OF_GOD,
  SERVANT,
  SERVANT_OF_GOD,
  spellings,
} from './compounds.table.ts';
export { familyNames } from './family-names.table.ts';
export {
  families,
  finals,
  givenSyllables,
  hushed,
  initials,
  liquid,
  medials,
  nasal,
  type Spelling,
  unwritten,
} from './korean.table.ts';
export {
  mandarinFamilies,
  pinyinFinals,
  wadeFinals,
  wadeInitials,
  wadeSyllables,
} from './mandarin.table.ts';
export { nicknames } from './nicknames.table.ts';
export { loneNames, ownNames } from './own-names.table.ts';
export { shortForms } from './short-forms.table.ts';
export { slavicNames } from './slavic-names.table.ts';
export { somaliSpellings } from './somali.table.ts';
export { honorifics, particles } from './titles.table.ts';
