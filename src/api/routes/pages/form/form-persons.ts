import type { CustomerForm } from '../../../../app/flow/index.ts';
import { claimedNameFault, isMailAddress } from '../../../../domain/message/index.ts';
import { dialledPhone } from '../../../../domain/person/index.ts';
import type { PersonField } from '../../../pages/index.ts';
import type { FieldFault } from './form-answers.ts';

/** Maximum number of further persons on a form, besides the one filling it in. */
const OTHERS_MAX = 20;

/** Fields of each person on a form: the one filling it in, then those who must or may also sign. */
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
  // A Simple signature always requires a phone number, which also serves for login.
  const asksEither = signatureType === 'Qualified' || (needsNumber && signatureType !== 'Simple');
  // A Qualified signature is based on a number; further signees get their link by mail.
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
  /** Position on the form. Further persons whose fields are empty do not count. */
  readonly at: number;
  readonly name: string;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
  readonly ssn: string | undefined;
}

/** Returns the persons that a form names, and the errors in their fields by field ID. */
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

// The rest is checked when signees are added; what can be checked without them is checked here.
function isFit(name: PersonField['name'], text: string): boolean {
  if (name === 'name') return claimedNameFault(text) === undefined;
  if (name === 'email') return isMailAddress(text);
  return name !== 'phone' || dialledPhone(text) !== undefined;
}
