import {
  answerId,
  type FormQuestion,
  type FormQuestions,
  type RowsQuestion,
} from '../../app/flow/index.ts';
import { limits } from '../../base/limits.ts';
import { hiddenFields, html, type Markup, type Part } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** Number of rows added to a list on request. */
const ROWS_MORE = 5;

/** A detail of a person that a form asks for. Its ID is the name with the person's position. */
export interface PersonField {
  readonly name: 'name' | 'email' | 'phone' | 'ssn';
  readonly isRequired: boolean;
  /** At least one of the fields marked so must be filled in. */
  readonly isEither?: true;
}

/** A form with the answers so far. */
export interface FormFacts {
  readonly company: string;
  /** Fields of the persons who may be named: the person filling in the form, then the rest. */
  readonly persons: readonly (readonly PersonField[])[];
  readonly questions: FormQuestions;
  /** Positions of the questions that apply, given the answers so far. */
  readonly asked: ReadonlySet<number>;
  /** Answers can be saved: the form may be left and resumed, or shown in the other layout. */
  readonly isSavable: boolean;
  /** The answers are saved. */
  readonly isSaved: boolean;
  /** The page already says elsewhere that they are saved. */
  readonly isSavedSaid: boolean;
  /** Maximum size in megabytes of the document to upload. Undefined if the form takes none. */
  readonly uploadMb: number | undefined;
  /** Hidden fields. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Entered texts by field ID. */
  readonly given: ReadonlyMap<string, string>;
  /** Errors by field ID. */
  readonly faults: ReadonlyMap<string, string>;
}

interface Field {
  readonly id: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly help?: string;
  readonly lengthMax?: number;
  readonly autocomplete?: string;
  /** In a row that may be left empty: the field is not labelled optional by itself. */
  readonly isInRow?: boolean;
  /** One of several fields of which at least one must be filled in. */
  readonly isEither?: true;
}

/** ID of the form with the answers. */
export const answersForm = 'answers';

/** The form of a flow: who signs, and the values that the document is filled with. */
export function formScreen(words: PageWords, facts: FormFacts): Markup {
  const { company, hidden, questions, uploadMb } = facts;
  const persons = facts.persons.map((fields, at) => personPart(words, facts, fields, at));
  const answers = questions.map(
    (question, at) => facts.asked.has(at) && questionPart(words, facts, question, at),
  );
  const isUpload = uploadMb !== undefined;
  const content = isUpload ? uploadPart(words, facts, uploadMb) : answers;
  // After an upload the person continues to sign the document; answers are sent.
  const send = isUpload ? words.continueButton : words.formSend;
  const acts = [
    ...(facts.isSavable ? (['save', 'one'] as const) : []),
    ...(facts.isSaved ? (['clear'] as const) : []),
  ];
  const intro = filled(isUpload ? words.formUpload : words.formIntro, { company });
  return html`<p>${intro}</p>
<form method="post" id="${answersForm}"${isUpload && html` enctype="multipart/form-data"`}>
${hiddenFields(hidden)}${hasMore(questions) && defaultButton(send)}${persons}
<fieldset class="part"><legend>${words.formAnswers}</legend>${content}</fieldset>
<button>${send}</button>
${acts.length > 0 && savedPart(words, acts)}</form>
${facts.isSaved && !facts.isSavedSaid && savedNote(words)}`;
}

/** Buttons for saved answers, besides continuing. */
export function savedPart(
  words: PageWords,
  acts: readonly ('save' | 'one' | 'all' | 'clear')[],
): Markup {
  const texts = {
    ...{ save: words.formSave, one: words.formOne, all: words.formAll, clear: words.formClear },
  };
  const buttons = acts.map(
    (act) =>
      html`<button class="link" name="go" value="${act}" formnovalidate>${texts[act]}</button>`,
  );
  return html`<div class="row later">${buttons}</div>`;
}

/** Hours for which answers are retained. */
export const savedHours = limits.formDraftMs / 3_600_000;

/** Note on how long the answers are retained. */
export function savedNote({ formSaved }: PageWords): Markup {
  return html`<p class="soft saved">${filled(formSaved, { hours: savedHours })}</p>`;
}

/** True if a list can get more rows by a button. */
export function hasMore(questions: FormQuestions): boolean {
  return questions.some((each) => each.kind === 'rows' && each.rowCount < each.rowMost);
}

/** Button that the Enter key triggers in a field: other buttons precede the submit button. */
export function defaultButton(text: string): Markup {
  return html`<button class="default" tabindex="-1" aria-hidden="true">${text}</button>`;
}

/** Asks whether to delete the saved answers; `back` is the address of the form. */
export function clearScreen(words: PageWords, hidden: FormFacts['hidden'], back: string): Markup {
  return html`<form method="post">${hiddenFields(hidden)}
<section><h2 tabindex="-1" autofocus>${words.formClearAsk}</h2></section>
<div class="row"><button>${words.formClear}</button>
<a class="button plain" href="${back}">${words.formKeep}</a></div></form>`;
}

/** Fields requested of persons. */
export const personLines: {
  readonly [Name in PersonField['name']]: {
    readonly type: string;
    readonly word: keyof PageWords;
    readonly lengthMax: number;
    readonly autocomplete: string;
  };
} = {
  name: { type: 'text', word: 'formName', lengthMax: 200, autocomplete: 'name' },
  email: { type: 'email', word: 'formEmail', lengthMax: 254, autocomplete: 'email' },
  phone: { type: 'tel', word: 'phoneLabel', lengthMax: 40, autocomplete: 'tel' },
  ssn: { type: 'text', word: 'numberLabel', lengthMax: 40, autocomplete: 'off' },
};

/** Fields of one person. */
export function personPart(
  words: PageWords,
  facts: FormFacts,
  fields: readonly PersonField[],
  at: number,
): Markup {
  const title = at === 0 ? words.formPerson : filled(words.formOther, { at: at + 1 });
  const firstOfEither = fields.find(({ isEither }) => isEither);
  const lines = fields.map((field) => {
    const { name, isRequired, isEither } = field;
    const { type, word, lengthMax, autocomplete } = personLines[name];
    const id = `${name}${at}`;
    // The error has the same text: show it only once.
    const isHelped = field === firstOfEither && facts.faults.get(id) !== words.formEither;
    return lineField(words, facts, type, {
      ...{ id, label: words[word], isRequired, lengthMax },
      // The browser's stored data is about the person filling in the form.
      autocomplete: at === 0 ? autocomplete : 'off',
      ...(isEither ? { isEither } : {}),
      ...(isHelped ? { help: words.formEither } : {}),
    });
  });
  return html`<fieldset class="part"><legend>${title}</legend>\n${lines}</fieldset>`;
}

/** Name of the field with the uploaded document. */
export const uploadField = 'document';

function uploadPart(words: PageWords, facts: FormFacts, size: number): Markup {
  const help = filled(words.formFileHelp, { size });
  const field = { id: uploadField, label: words.formFile, isRequired: true, help };
  return html`${labelPart(words, field)}<input type="file" id="${uploadField}"
name="${uploadField}" accept=".pdf,application/pdf" multiple required${stateOf(facts, field)}>
${faultPart(facts, uploadField)}`;
}

/** A question with its answer, or a list with its rows. */
export function questionPart(
  words: PageWords,
  facts: FormFacts,
  question: FormQuestions[number],
  at: number,
): Markup {
  if (question.kind !== 'rows') return fieldPart(words, facts, question, answerId(at));
  const { label, columns, rowMost } = question;
  const count = shownRows(facts, question, at);
  const rows = Array.from({ length: count }, (_, row) => {
    const legend = filled(words.formRow, { label, at: row + 1 });
    const fields = columns.map((each, column) =>
      fieldPart(words, facts, each, answerId(at, row, column), true),
    );
    const body = html`<legend>${legend}</legend>${fields}`;
    return html`<fieldset class="part">${body}</fieldset>`;
  });
  if (count === rowMost) return html`${rows}`;
  const next = `${answerId(at)}.${Math.min(count + ROWS_MORE, rowMost)}`;
  const text = filled(words.formMore, { label });
  // The page opens at the first new row.
  const target = `#${answerId(at, count)}`;
  return html`${rows}<p><button class="plain" name="more" value="${next}" formaction="${target}"
formnovalidate>${text}</button></p>`;
}

/** Rows of a list up to the last one that has content or was requested. */
function shownRows(
  { given }: FormFacts,
  { columns, rowCount, rowMost }: RowsQuestion,
  at: number,
): number {
  const [, asked = '0'] = (given.get('more') ?? '').split(`${answerId(at)}.`);
  let count = Math.max(rowCount, Number.parseInt(asked, 10) || 0);
  for (let row = count; row < rowMost; row += 1) {
    if (columns.some((_, column) => given.get(answerId(at, row, column)))) count = row + 1;
  }
  return Math.min(count, rowMost);
}

function fieldPart(
  words: PageWords,
  facts: FormFacts,
  { label, help, kind, isRequired, options = [], lengthMax }: FormQuestion,
  id: string,
  isInRow = false,
): Markup {
  const field = {
    // Empty rows are dropped, so nothing in them is required by itself.
    ...{ id, label, isInRow, isRequired: isRequired && !isInRow },
    ...(help === undefined ? {} : { help }),
    ...(lengthMax === undefined ? {} : { lengthMax }),
  };
  switch (kind) {
    case 'checkbox':
    case 'boolean':
      return boxField(facts, field);
    case 'choice':
      return choiceField(words, facts, field, options);
    case 'lines':
      return linesField(words, facts, field);
    case 'date':
    case 'email':
      return lineField(words, facts, kind, field);
    default:
      return lineField(words, facts, 'text', field, kind === 'text' ? undefined : 'decimal');
  }
}

function lineField(
  words: PageWords,
  facts: FormFacts,
  type: string,
  field: Field,
  mode?: string,
): Markup {
  const { id, isRequired, lengthMax, autocomplete } = field;
  return html`${labelPart(words, field)}<input type="${type}" id="${id}" name="${id}" dir="auto"
value="${facts.given.get(id) ?? ''}"${lengthMax !== undefined && html` maxlength="${lengthMax}"`}
${mode !== undefined && html` inputmode="${mode}"`}
${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}
${isRequired && html` required`}${stateOf(facts, field)}>${faultPart(facts, id)}`;
}

function linesField(words: PageWords, facts: FormFacts, field: Field): Markup {
  const { id, isRequired, lengthMax } = field;
  // HTML drops the first line break in a text area.
  return html`${labelPart(words, field)}<textarea id="${id}" name="${id}" dir="auto" rows="4"
${lengthMax !== undefined && html` maxlength="${lengthMax}"`}${isRequired && html` required`}
${stateOf(facts, field)}>\n${facts.given.get(id) ?? ''}</textarea>${faultPart(facts, id)}`;
}

function boxField(facts: FormFacts, field: Field): Markup {
  const { id, label, isRequired, help } = field;
  const isChecked = facts.given.get(id) === 'checked';
  return html`<label class="check"><input type="checkbox" id="${id}" name="${id}" value="checked"
${isChecked && html` checked`}${isRequired && html` required`}${stateOf(facts, field)}>
<span>${label}</span></label>
${help !== undefined && helpPart(id, help)}${faultPart(facts, id)}`;
}

function choiceField(
  words: PageWords,
  facts: FormFacts,
  field: Field,
  options: readonly string[],
): Markup {
  const { id, isRequired } = field;
  const given = facts.given.get(id);
  const choices = options.map(
    (option) =>
      html`<option value="${option}"${option === given && html` selected`}>${option}</option>`,
  );
  return html`${labelPart(words, field)}<select id="${id}" name="${id}"
${isRequired && html` required`}${stateOf(facts, field)}><option value=""></option>${choices}
</select>${faultPart(facts, id)}`;
}

function labelPart(words: PageWords, field: Field): Markup {
  const { id, help } = field;
  const label = shownLabel(words, field);
  return html`<label for="${id}">${label}</label>${help !== undefined && helpPart(id, help)}`;
}

function shownLabel(words: PageWords, { label, isRequired, isInRow, isEither }: Field): string {
  const isPlain = isRequired || isInRow === true || isEither === true;
  return isPlain ? label : filled(words.formOptional, { label });
}

function helpPart(id: string, help: string): Markup {
  return html`<p class="help" id="${id}-help">${help}</p>`;
}

function faultPart({ faults }: FormFacts, id: string): Part {
  const fault = faults.get(id);
  return fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`;
}

/** Describes a field to assistive technology. */
function stateOf({ faults }: FormFacts, { id, help }: Field): Part {
  const isWrong = faults.has(id);
  const about = [
    ...(help === undefined ? [] : [`${id}-help`]),
    ...(isWrong ? [`${id}-fault`] : []),
  ];
  return [
    isWrong && html` aria-invalid="true"`,
    about.length > 0 && html` aria-describedby="${about.join(' ')}"`,
  ];
}
