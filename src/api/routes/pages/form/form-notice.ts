import type { FormDraft } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import {
  type Frame,
  filled,
  type PageWords,
  personLines,
  uploadField,
} from '../../../pages/index.ts';
import { type FieldFault, inWords } from './form-answers.ts';
import { type FormVisit, sentence } from './form-visit.ts';

/** A notice stored with saved answers. */
export type FormNotice = NonNullable<FormDraft['notice']>;

/** A notice about answers, before it is saved with them. */
export interface NewNotice {
  readonly word?: keyof PageWords;
  readonly values?: Readonly<Record<string, string | number>> | undefined;
  readonly file?: string | undefined;
  readonly faults?: Iterable<readonly [string, FieldFault]>;
  readonly more?: string | undefined;
}

/** Texts that confirm an action rather than report an error. */
const good: ReadonlySet<string> = new Set(['formSaved', 'formCleared']);

/** The notice to store with the answers. */
export function noticeOf(
  { form }: Pick<FormVisit, 'form'>,
  { word, faults = [], ...about }: NewNotice,
  step?: string,
): FormNotice {
  // Browsers do not retain a chosen file when a page is shown again.
  const chosen = form.takesUpload ? [[uploadField, 'file.none'] as const] : [];
  const all = new Map<string, FieldFault>([...chosen, ...faults]);
  return { word: word ?? '', faults: [...all], ...defined({ ...about, step }) };
}

/** Texts of a notice, in the language of the visit. */
export function shownNotice(
  visit: Pick<FormVisit, 'words' | 'company'>,
  { word, values, file, faults }: FormNotice,
): { readonly alert?: Frame['alert']; readonly faults: ReadonlyMap<string, string> } {
  const { words } = visit;
  const about = defined({ values, file });
  const all = inWords(words, faults as [string, FieldFault][], about);
  // A different version of the program may have stored other faults.
  const marked = new Map([...all].filter(([, text]) => text !== undefined));
  if (!isWord(words, word)) return { faults: marked };
  const alert = { text: sentence(visit, { word, ...defined({ values }) }), isGood: good.has(word) };
  return { alert, faults: marked };
}

function isWord(words: PageWords, word: string): word is keyof PageWords {
  return Object.hasOwn(words, word);
}

/** Maximum number of fields listed at the top of a form, each with a link. */
const LINKS_MAX = 10;

/** The alert with links to the fields it concerns. */
export function withLinks(
  visit: Pick<FormVisit, 'words' | 'form'>,
  alert: Frame['alert'],
  faults: ReadonlyMap<string, string>,
  hrefOf: (id: string) => string | undefined,
): Frame['alert'] {
  const isElsewhere = (href: string) => !href.startsWith('#');
  if (alert === undefined) return undefined;
  const links = [...faults].slice(0, LINKS_MAX).flatMap(([id, fault]) => {
    const [href, label] = [hrefOf(id), labelOf(visit, id)];
    return href === undefined || label === undefined
      ? []
      : [{ href, label, ...(isElsewhere(href) ? { fault } : {}) }];
  });
  return links.length === 0 ? alert : { ...alert, links };
}

function labelOf({ words, form }: Pick<FormVisit, 'words' | 'form'>, id: string) {
  if (id === uploadField) return words.formFile;
  const [, name, at = ''] = /^(name|email|phone|ssn)(\d{1,3})$/.exec(id) ?? [];
  if (name !== undefined) {
    const label = words[personLines[name as keyof typeof personLines].word];
    return at === '0' ? label : `${filled(words.formOther, { at: Number(at) + 1 })}: ${label}`;
  }
  const [, place, row, column] = /^q(\d{1,5})(?:\.(\d{1,5})\.(\d{1,5}))?$/.exec(id) ?? [];
  const question = form.questions[Number(place ?? -1)];
  if (question?.kind !== 'rows' || row === undefined) return question?.label;
  const label = filled(words.formRow, { label: question.label, at: Number(row) + 1 });
  return `${label}: ${question.columns[Number(column)]?.label ?? ''}`;
}
