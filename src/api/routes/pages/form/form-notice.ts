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

/** What is said of answers that are saved. */
export type FormNotice = NonNullable<FormDraft['notice']>;

/** What is said of answers before they are saved with it. */
export interface Said {
  readonly word?: keyof PageWords;
  readonly values?: Readonly<Record<string, string | number>> | undefined;
  readonly file?: string | undefined;
  readonly faults?: Iterable<readonly [string, FieldFault]>;
  readonly more?: string | undefined;
}

/** Sentences about what was done, and not about what is wrong. */
const good: ReadonlySet<string> = new Set(['formSaved', 'formCleared']);

/** The notice that is kept with the answers. */
export function noticeOf(
  { form }: Pick<FormVisit, 'form'>,
  { word, faults = [], ...about }: Said,
  step?: string,
): FormNotice {
  // A browser keeps no file in a page that is shown again.
  const chosen = form.takesUpload ? [[uploadField, 'file.none'] as const] : [];
  const all = new Map<string, FieldFault>([...chosen, ...faults]);
  return { word: word ?? '', faults: [...all], ...defined({ ...about, step }) };
}

/** What a notice says, in the language of the visit. */
export function shownNotice(
  visit: Pick<FormVisit, 'words' | 'company'>,
  { word, values, file, faults }: FormNotice,
): { readonly alert?: Frame['alert']; readonly faults: ReadonlyMap<string, string> } {
  const { words } = visit;
  const about = defined({ values, file });
  const all = inWords(words, faults as [string, FieldFault][], about);
  // Another version of the program may have known others.
  const marked = new Map([...all].filter(([, text]) => text !== undefined));
  if (!isWord(words, word)) return { faults: marked };
  const alert = { text: sentence(visit, { word, ...defined({ values }) }), isGood: good.has(word) };
  return { alert, faults: marked };
}

function isWord(words: PageWords, word: string): word is keyof PageWords {
  return Object.hasOwn(words, word);
}

/** Names of fields that stand at the head of a form, each with a link to it. */
const LINKS_MAX = 10;

/** The alert with links to the fields that it is about. */
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
