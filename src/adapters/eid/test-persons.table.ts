/** Outcome of a session of the simulator. */
export type Scenario =
  | 'success'
  /** The person presses «no». */
  | 'cancel'
  /** Nobody ever answers. */
  | 'silence'
  /** The provider does not start a session. */
  | 'no-start'
  /** Another person answers. */
  | 'mismatch'
  /** The provider says that it took too long, before our own deadline. */
  | 'late'
  /** The app of the person could not be started. */
  | 'start-failed';

/** A person that the simulator knows by number. */
export interface TestPerson {
  /** National number, ten digits. */
  readonly ssn: string;
  /** Seven digits, as in Iceland. */
  readonly phone: string;
  readonly name: string;
  readonly hasSim: boolean;
  readonly hasApp: boolean;
  readonly scenario: Scenario;
}

const valid = (
  ssn: string,
  phone: string,
  name: string,
  means: { readonly hasSim: boolean; readonly hasApp: boolean },
): TestPerson => ({ ssn, phone, name, ...means, scenario: 'success' });

const reserved = (ssn: string, phone: string, name: string, scenario: Scenario): TestPerson => ({
  ssn,
  phone,
  name,
  hasSim: true,
  hasApp: true,
  scenario,
});

const app = { hasSim: false, hasApp: true };
const sim = { hasSim: true, hasApp: false };
const both = { hasSim: true, hasApp: true };

/** The person who answers instead of another. */
export const stranger = reserved('0103901099', '0100010', 'Ókunn Aðkomudóttir', 'success');

/**
 * The published test persons, whose names are made up, and numbers that are reserved for what can
 * go wrong. Every other well-formed number is nobody, or where that is set a made-up person with
 * a name derived from it.
 */
export const testPersons: readonly TestPerson[] = [
  valid('5000101886', '1111111', 'Prófun Einars ehf.', app),
  valid('6000101990', '2222222', 'Þórður Ðagnýjarson', app),
  valid('6000101991', '3333333', 'Æsa Öxndal', sim),
  valid('6000101992', '4444444', 'Łucja Żółkiewska', app),
  valid('6000101993', '5555555', 'Čeněk Dvořák', sim),
  valid('6000101994', '6666666', 'Ödön Kőrösi', both),
  valid('6000101995', '7777777', 'Åse Bjørnstad', sim),
  valid('6000101996', '8888888', 'Jürgen Weiß', app),
  valid('6000101997', '9999999', 'Inés Muñoz', sim),
  stranger,
  reserved('0103901179', '0100011', 'Hildur Hættirvið', 'cancel'),
  reserved('0103901419', '0100014', 'Þögull Þorsteinsson', 'silence'),
  reserved('0103901849', '0100018', 'Lokað Kerfisdóttir', 'no-start'),
  // The person without a meter in any register.
  reserved('0303901459', '0100019', 'Mælirlaus Mælisson', 'success'),
  reserved('0203901589', '0100015', 'Annar Maður', 'mismatch'),
  reserved('0203901669', '0100016', 'Síðbúin Seinsdóttir', 'late'),
  reserved('0203901749', '0100017', 'Óræstur Tækjason', 'start-failed'),
];

/** Parts of the names of all others. */
export const givenNames = [
  'Anna',
  'Baldur',
  'Dagný',
  'Einar',
  'Guðrún',
  'Helgi',
  'Ingibjörg',
  'Jón',
  'Katrín',
  'Ólöf',
  'Páll',
  'Sigríður',
  'Snæbjörn',
  'Þóra',
  'Ægir',
  'Örn',
];

/** As {@link givenNames}. */
export const familyNames = [
  'Arnars',
  'Bjarkar',
  'Elíasar',
  'Gríms',
  'Hrafns',
  'Ísaks',
  'Kára',
  'Loga',
  'Márs',
  'Njáls',
  'Óðins',
  'Sturlu',
  'Tómasar',
  'Úlfs',
  'Vals',
  'Þórs',
];
