import type { EidFailCode } from '../../../app/ports/index.ts';

/**
 * Outcome of a simulated session: the person agrees, a different person responds, no one responds,
 * or the provider fails at the start or at a poll.
 */
export type Scenario =
  | 'success'
  | 'mismatch'
  | 'silence'
  | { readonly code: EidFailCode; readonly at: 'start' | 'poll' };

/** A person of the simulator. */
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

const fails = (code: EidFailCode): Scenario => ({ code, at: 'poll' });
const refuses = (code: EidFailCode): Scenario => ({ code, at: 'start' });

const app = { hasSim: false, hasApp: true };
const sim = { hasSim: true, hasApp: false };
const both = { hasSim: true, hasApp: true };

/** The person who responds in place of a different one. */
export const stranger = reserved('0103901099', '0100010', 'Ókunn Aðkomudóttir', 'success');

/**
 * The published test persons, with fictitious names, and reserved numbers for failures. Any other
 * well-formed number belongs to no one or, if so configured, to a synthetic person with a name
 * derived from the number.
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
  reserved('0103901179', '0100011', 'Hildur Hættirvið', fails('userCancel')),
  reserved('0103901419', '0100014', 'Þögull Þorsteinsson', 'silence'),
  reserved('0103901849', '0100018', 'Lokað Kerfisdóttir', refuses('internalError')),
  // A person without a meter in any register.
  reserved('0303901459', '0100019', 'Mælirlaus Mælisson', 'success'),
  reserved('0203901589', '0100015', 'Annar Maður', 'mismatch'),
  reserved('0203901669', '0100016', 'Síðbúin Seinsdóttir', fails('expiredTransaction')),
  reserved('0203901749', '0100017', 'Óræstur Tækjason', fails('startFailed')),
  reserved('0403901019', '0100020', 'Ógild Skilríkjadóttir', fails('certificateErr')),
  reserved('0403901109', '0100021', 'Rangur Kóðason', fails('wrongVerificationCode')),
  reserved('0403901299', '0100022', 'Læst Aðgangsdóttir', fails('accountUnusable')),
  reserved('0403901379', '0100023', 'Gamall Appsson', fails('appNotSupported')),
  reserved('0403901459', '0100024', 'Áhætta Metinsdóttir', fails('riskBlocked')),
  reserved('0403901529', '0100025', 'Fjarri Sambandsson', fails('unreachable')),
  reserved('0403901609', '0100026', 'Svar Bilaðsdóttir', fails('invalidResponse')),
  reserved('0403901799', '0100027', 'Hætt Þjónustudóttir', fails('cancelled')),
  reserved('0403901879', '0100028', 'Neitar Símtalsson', fails('userDeclinedCall')),
  reserved('0403901959', '0100029', 'Lágt Traustsson', fails('assuranceTooLow')),
  reserved('0503901049', '0100030', 'Upptekinn Annarsson', refuses('alreadyInProgress')),
  reserved('0503901129', '0100031', 'Slökkt Þjónustudóttir', refuses('providerUnavailable')),
  reserved('0503901209', '0100032', 'Enginn Notandason', refuses('notAUser')),
];

/** Parts of the names of synthetic persons. */
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

/** Like {@link givenNames}. */
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
