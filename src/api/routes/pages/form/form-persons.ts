import type { CustomerForm } from '../../../../app/flow/index.ts';
import { claimedNameFault, isMailAddress } from '../../../../domain/message/index.ts';
import { dialledPhone } from '../../../../domain/person/index.ts';
import type { PersonField } from '../../../pages/index.ts';
import type { FieldFault } from './form-answers.ts';

/** Persons that a form has room for, besides the one who fills it in. */
const OTHERS_MAX = 20;

/**
 * What a form asks of each person that it has room for: the one who fills it in, then those who
 * shall or may sign besides.
 */
export function personFields(form: CustomerForm): readonly (readonly PersonField[])[] {
  const { minAdditionalSignees, maxAdditionalSignees } = form;
  const count = 1 + Math.min(maxAdditionalSignees, OTHERS_MAX);
  return Array.from({ length: count }, (_, at) =>
    fieldsOf(form, at).map((field) =>
      at <= minAdditionalSignees ? field : { ...field, isRequired: false },
    ),
  );
}

function fieldsOf({ signatureType, needsNumber }: CustomerForm, at: number): PersonField[] {
  const asksPhone = signatureType !== 'ClickToSign' || needsNumber;
  // A Simple signature has a phone in any case, which is a number to log in with, too.
  const asksEither = signatureType === 'Qualified' || (needsNumber && signatureType !== 'Simple');
  // A Qualified signature rests on a number; others who sign get their link by mail.
  const isMailed = signatureType !== 'Qualified' || at > 0;
  const either = asksEither ? { isEither: true as const } : {};
  return [
    { name: 'name', isRequired: true },
    { name: 'email', isRequired: isMailed },
    ...(asksPhone
      ? [{ name: 'phone' as const, isRequired: signatureType === 'Simple', ...either }]
      : []),
    ...(asksEither ? [{ name: 'ssn' as const, isRequired: false, ...either }] : []),
  ];
}

/** A person as a form names them. */
export interface NamedPerson {
  /** Place on the form: those besides the first who are left empty are nobody. */
  readonly at: number;
  readonly name: string;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
  readonly ssn: string | undefined;
}

/** The persons that a form names, and what it lacks of them by the ids of its fields. */
export function personsIn(
  form: CustomerForm,
  given: ReadonlyMap<string, string>,
): {
  readonly persons: readonly NamedPerson[];
  readonly faults: ReadonlyMap<string, FieldFault>;
} {
  const text = (id: string) => (given.get(id) ?? '').trim();
  const persons: NamedPerson[] = [];
  const faults = new Map<string, FieldFault>();
  for (const [at, fields] of personFields(form).entries()) {
    const isNamed = fields.some(({ name }) => text(`${name}${at}`) !== '');
    if (at > form.minAdditionalSignees && !isNamed) continue;
    const asked = fieldsOf(form, at);
    for (const { name, isRequired } of asked) {
      const own = text(`${name}${at}`);
      if (own === '' && isRequired) faults.set(`${name}${at}`, 'missing');
      else if (own !== '' && !isFit(name, own)) faults.set(`${name}${at}`, 'unfit');
    }
    const either = asked.filter(({ isEither }) => isEither).map(({ name }) => `${name}${at}`);
    const [first] = either;
    if (first !== undefined && either.every((id) => text(id) === '')) faults.set(first, 'either');
    const of = (name: PersonField['name']) =>
      asked.some((each) => each.name === name) ? text(`${name}${at}`) || undefined : undefined;
    persons.push({
      ...{ at, name: text(`name${at}`), email: of('email') },
      ...{ phoneNumber: of('phone'), ssn: of('ssn') },
    });
  }
  return { persons, faults };
}

// The rest is looked at where signees are: what can be said without them is said at once.
function isFit(name: PersonField['name'], text: string): boolean {
  if (name === 'name') return claimedNameFault(text) === undefined;
  if (name === 'email') return isMailAddress(text);
  return name !== 'phone' || dialledPhone(text) !== undefined;
}
