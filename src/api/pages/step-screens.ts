import {
  answerId,
  checkedWord,
  type FormQuestion,
  type FormQuestions,
} from '../../app/flow/index.ts';
import {
  answersForm,
  defaultButton,
  type FormFacts,
  hasMore,
  personPart,
  questionPart,
  savedNote,
  savedPart,
} from './form-screens.ts';
import { hiddenFields, html, type Markup, type Part } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** A step of a form: one question, or the details of persons. */
export interface StepFacts {
  /** Position among the steps, from 1. */
  readonly at: number;
  readonly count: number;
  /** Positions of the persons, or of the question, that the step asks about. */
  readonly persons: readonly number[];
  readonly question?: number;
}

/** One step of a form that asks one question at a time. */
export function stepScreen(words: PageWords, facts: FormFacts, step: StepFacts): Markup {
  const { at, count, persons, question } = step;
  const asked = question === undefined ? undefined : facts.questions[question];
  const parts: Part[] = persons.map((each) =>
    personPart(words, facts, facts.persons[each] ?? [], each),
  );
  if (asked !== undefined) parts.push(questionPart(words, facts, asked, question ?? 0));
  const hasOther = asked !== undefined && hasMore([asked]);
  const progress = filled(words.formStep, { at, count });
  // The page opens at its question: the legend states the progress, and a list is read from there.
  return html`${at === 1 && html`<p>${filled(words.formIntro, { company: facts.company })}</p>`}
<form method="post" id="${answersForm}">${hiddenFields(facts.hidden)}
${hasOther && defaultButton(words.continueButton)}
<progress class="steps" max="${count}" value="${at}" aria-hidden="true"></progress>
<fieldset class="part one"><legend tabindex="-1"${facts.faults.size === 0 && html` autofocus`}
>${progress}</legend>${parts}</fieldset>
<div class="row"><button>${words.continueButton}</button>${at > 1 && backButton(words)}</div>
${savedPart(words, facts.isSaved ? ['all', 'clear'] : ['all'])}</form>
${savedNote(words)}`;
}

interface ReviewedStep extends StepFacts {
  /** Address at which the answer can be changed. */
  readonly href: string;
  readonly faults: readonly string[];
}

/** All answers, for review before they are sent. */
export function reviewScreen(
  words: PageWords,
  facts: FormFacts,
  steps: readonly ReviewedStep[],
): Markup {
  const lines = steps.map(({ persons, question, href, faults }) => {
    const title = titleOf(words, facts, { persons, question });
    const named = `${words.formChange}: ${title}`;
    const answers =
      question === undefined
        ? persons.flatMap((at) => personAnswers(facts, at))
        : questionAnswers(words, facts, question);
    const lines = answers.map((text) => html`<dd class="text" dir="auto">${text}</dd>`);
    const shown = lines.length === 0 ? [html`<dd>&ndash;</dd>`] : lines;
    const marks = faults.map((fault) => html`<dd class="fault">${fault}</dd>`);
    return html`<div><dt>${title}</dt>${shown}${marks}
<dd><a href="${href}" aria-label="${named}">${words.formChange}</a></dd></div>`;
  });
  return html`<form method="post" class="review">${hiddenFields(facts.hidden)}
<section><h2 tabindex="-1" autofocus>${words.formReview}</h2><dl>${lines}</dl></section>
<div class="row"><button>${words.formSend}</button>${backButton(words)}</div>
${savedPart(words, ['all', 'clear'])}</form>
${savedNote(words)}`;
}

function backButton({ formBack }: PageWords): Markup {
  return html`<button class="plain" name="go" value="back" formnovalidate>${formBack}</button>`;
}

function titleOf(
  words: PageWords,
  { questions }: FormFacts,
  { persons: [first = 0], question }: { persons: readonly number[]; question: number | undefined },
): string {
  if (question !== undefined) return questions[question]?.label ?? '';
  return first === 0 ? words.formPerson : filled(words.formOther, { at: first + 1 });
}

function personAnswers({ persons, given }: FormFacts, at: number): readonly string[] {
  const texts = (persons[at] ?? []).map(({ name }) => given.get(`${name}${at}`)?.trim() ?? '');
  return texts.filter((text) => text !== '');
}

function questionAnswers(
  words: PageWords,
  { questions, given }: FormFacts,
  at: number,
): readonly string[] {
  const question = questions[at] as FormQuestions[number];
  const own = (each: FormQuestion, id: string) => {
    const text = given.get(id) ?? '';
    const isBox = each.kind === 'checkbox' || each.kind === 'boolean';
    return isBox ? (text === checkedWord ? words.formYes : words.formNo) : text.trim();
  };
  if (question.kind !== 'rows') {
    const text = own(question, answerId(at));
    return text === '' ? [] : [text];
  }
  const { columns, rowMost } = question;
  return Array.from({ length: rowMost }, (_, row) => {
    const ids = columns.map((_, column) => answerId(at, row, column));
    if (ids.every((id) => (given.get(id) ?? '') === '')) return [];
    const texts = columns.map((each, column) => own(each, ids[column] ?? ''));
    return [texts.filter((text) => text !== '').join(' · ')];
  }).flat();
}
