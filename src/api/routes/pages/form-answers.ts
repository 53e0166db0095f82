import { answerAt, type CustomerForm } from '../../../app/flow/index.ts';
import { defined } from '../../../base/defined.ts';
import { errorKinds, isInnsigliError } from '../../../base/errors.ts';
import type { PageWords } from '../../pages/index.ts';

/** Persons that a form has room for, besides the one who fills it in. */
const OTHERS_MAX = 20;

/** Persons that a form has room for. */
export function personsOf({ maxAdditionalSignees }: CustomerForm): number {
  return 1 + Math.min(maxAdditionalSignees, OTHERS_MAX);
}

/** Faults of answers in words, by the ids of their fields. */
export function inWords(
  words: PageWords,
  faults: Iterable<readonly [string, 'missing' | 'unfit']>,
): Map<string, string> {
  return new Map(
    [...faults].map(([id, fault]) => [
      id,
      fault === 'missing' ? words.formMissing : words.formUnfit,
    ]),
  );
}

/** The persons of a form: those besides the first who are left empty are none. */
export function personsIn(form: CustomerForm, given: ReadonlyMap<string, string>) {
  const text = (id: string) => (given.get(id) ?? '').trim();
  return Array.from({ length: personsOf(form) }, (_, at) => ({
    name: text(`name${at}`),
    email: text(`email${at}`) || undefined,
    phoneNumber: text(`phone${at}`) || undefined,
    ssn: text(`ssn${at}`) || undefined,
  })).filter((person, at) => at === 0 || Object.values(person).some((each) => each));
}

/** Why a form was refused. */
interface FormRefusal {
  readonly status: number;
  readonly text: string;
  readonly fault?: string;
}

/** Statuses of refusals that are about what was written, or about the form. */
const writtenStatuses: Readonly<Record<number, number>> = { 400: 422, 422: 422 };

/**
 * What is wrong with a form that was refused, in words, and the field that it is about. Throws what
 * is none of the person's answers.
 */
export function refusalOf(form: CustomerForm, words: PageWords, error: unknown): FormRefusal {
  // A fault of the host is none of the person's answers: it is answered as everywhere.
  if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
  const { code, details } = error;
  const field = typeof details['field'] === 'string' ? details['field'] : '';
  if (code === 'flow.values.invalid') {
    const fault = field === '' ? undefined : answerAt(form.questions, field);
    const text = fault === undefined ? words.formRefused : words.formFaults;
    return { status: 422, text, ...defined({ fault }) };
  }
  const [, at, member] = /^signees\[(\d+)\](?:\.(\w+))?/.exec(field) ?? [];
  if (code === 'validation.error' && at !== undefined) {
    const names: Readonly<Record<string, string>> = { phoneNumber: 'phone' };
    const known = names[member ?? ''] ?? member ?? contactOf(form);
    return { status: 422, text: words.formFaults, fault: `${known}${at}` };
  }
  if (code === 'request.rate.exceeded') return { status: 429, text: words.errorThrottled };
  const status = writtenStatuses[errorKinds[code].httpStatus] ?? 409;
  return { status, text: words.errorUnexpected };
}

/** The contact that a signature of the form rests on. */
function contactOf({ signatureType }: CustomerForm): string {
  return signatureType === 'ClickToSign' ? 'email' : 'phone';
}
