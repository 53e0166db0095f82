import type { CompanyService } from '../../../../app/company-service.ts';
import { answersFrom, type CustomerForm } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { attempt } from '../../../../base/errors.ts';
import { parseValues } from '../../../../domain/flow/index.ts';
import { chooseLanguage } from '../../../../domain/message/index.ts';
import { answersForm, type Frame, filled, layout, pageWords } from '../../../pages/index.ts';
import { type PageVisit, withQuery } from '../visit.ts';
import type { FormRefusal } from './form-answers.ts';
import type { FormRate } from './form-rate.ts';

/** Query parameters of a form's address. */
export interface FormQuery {
  readonly lng?: string;
  readonly iframe?: string;
  readonly initialData?: string;
  readonly phone?: string;
  readonly ssn?: string;
  readonly email?: string;
  /** The step shown, if the form asks one question at a time. */
  readonly step?: string;
  /** `review`: the step was opened from the review, and returns there. */
  readonly from?: string;
}

/** A request to the form of a flow. */
export interface FormVisit extends PageVisit {
  readonly rate: FormRate;
  readonly company: CompanyService;
  readonly form: CustomerForm;
  readonly query: FormQuery;
}

/** Initial answers from the query of the form's address. */
export function initialAnswers({ form, query }: FormVisit): ReadonlyMap<string, string> {
  const begun = new Map(answersFrom(form.questions, initialValues(query.initialData)));
  const known = { email0: query.email, phone0: query.phone, ssn0: query.ssn };
  for (const [id, text] of Object.entries(known)) if (text !== undefined) begun.set(id, text);
  return begun;
}

// Anyone can craft the address: unreadable values are ignored.
function initialValues(data = '') {
  if (data === '') return {};
  return attempt(() => parseValues(Buffer.from(data, 'base64url').toString('utf8'))) ?? {};
}

/** Text with the reason why a form was rejected. */
export function sentence(
  { words, company }: Pick<FormVisit, 'words' | 'company'>,
  { word, values }: Pick<FormRefusal, 'word' | 'values'>,
): string {
  return filled(words[word], { company: company.company.name, ...values });
}

/** The same visit in a different language. */
export function inLanguage(visit: FormVisit, lng: string): FormVisit {
  const language = chooseLanguage(lng.split('-')[0], visit.language);
  const query = { ...visit.query, lng: language.toLowerCase() };
  return { ...visit, language, words: pageWords(language), query };
}

/** Properties of the page around a form. */
interface Around {
  readonly alert?: Frame['alert'] | undefined;
  readonly progress?: string;
  /** The step preserved when the language changes. */
  readonly step?: string;
  /** Typed values are submitted when the language changes. */
  readonly isTyped?: true;
}

/** Renders a page of the form. */
export function pageOf(
  { company, form, language, scope, look, query }: FormVisit,
  body: Parameters<typeof layout>[2],
  { alert, progress, step, isTyped }: Around = {},
): string {
  const { isFramed } = scope;
  const frame = { language, company: company.company.name, isFramed, look, isLanguageOpen: true };
  const { initialData, phone, ssn, email, iframe } = query;
  const keptQuery = defined({ initialData, phone, ssn, email, iframe, step });
  const more = defined({ alert, progress, languageForm: isTyped && answersForm });
  return layout({ ...frame, keptQuery, ...more }, form.name, body);
}

/** Redirects to a page, so that reloading or going back does not resubmit. */
export function redirectTo({ reply }: Pick<FormVisit, 'reply'>, location: string): string {
  reply.code(303).header('location', location);
  return '';
}

/** The address of the form with its initial values, and a step. */
export function addressOf(
  { form, query }: Pick<FormVisit, 'form' | 'query'>,
  more: { readonly step?: string; readonly from?: string } = {},
): string {
  const { lng, initialData, phone, ssn, email, iframe } = query;
  const kept = { lng, initialData, phone, ssn, email, iframe, ...more };
  return withQuery(`/s/${encodeURIComponent(form.flowKey)}`, kept);
}
