import { answerId, type FormQuestion, type FormQuestions } from '../../app/flow/index.ts';
import type { SignatureType } from '../../domain/process/index.ts';
import { html, type Markup, type Part } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** Which details of persons a form asks for. */
export interface PersonFields {
  readonly signatureType: SignatureType;
  /** Persons who must be named: the one who fills the form in, and others. */
  readonly needed: number;
  /** Persons who may be named. */
  readonly most: number;
}

/** A form with what has been given so far. */
export interface FormFacts extends PersonFields {
  readonly company: string;
  readonly questions: FormQuestions;
  /** Fields that are not shown. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Texts by the ids of fields. */
  readonly given: ReadonlyMap<string, string>;
  /** What is wrong with them, by the same ids. */
  readonly faults: ReadonlyMap<string, string>;
}

/** A field of the page. */
interface Field {
  readonly id: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly help?: string;
  readonly lengthMax?: number;
  readonly autocomplete?: string;
  /** In a row that may be left empty: not called optional by itself. */
  readonly isInRow?: boolean;
}

/** The form of a flow: who signs, and what the document says. */
export function formScreen(words: PageWords, facts: FormFacts): Markup {
  const { company, hidden, questions, most } = facts;
  const persons = Array.from({ length: most }, (_, at) => personPart(words, facts, at));
  const answers = questions.map((question, at) => questionPart(words, facts, question, at));
  return html`<p>${filled(words.formIntro, { company })}</p>
<form method="post">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${persons}
<fieldset class="part"><legend>${words.formAnswers}</legend>${answers}</fieldset>
<button>${words.continueButton}</button></form>`;
}

function personPart(words: PageWords, facts: FormFacts, at: number): Markup {
  const { signatureType, needed } = facts;
  const isRequired = at < needed;
  const title = at === 0 ? words.formPerson : filled(words.formOther, { at: at + 1 });
  const own = (autocomplete: string) => (at === 0 ? { autocomplete } : { autocomplete: 'off' });
  const isPhoned = signatureType !== 'ClickToSign';
  // A Qualified signature rests on a number; others who sign get their link by mail.
  const isMailed = signatureType !== 'Qualified' || at > 0;
  const line = (type: string, field: Field) => lineField(words, facts, type, field);
  return html`<fieldset class="part"><legend>${title}</legend>
${line('text', {
  ...{ id: `name${at}`, label: words.formName, isRequired },
  ...{ lengthMax: 200, ...own('name') },
})}
${line('email', {
  ...{ id: `email${at}`, label: words.formEmail, isRequired: isRequired && isMailed },
  ...{ lengthMax: 254, ...own('email') },
})}
${
  isPhoned &&
  line('tel', {
    ...{ id: `phone${at}`, label: words.phoneLabel, lengthMax: 40, ...own('tel') },
    isRequired: isRequired && signatureType === 'Simple',
  })
}
${
  signatureType === 'Qualified' &&
  line('text', {
    ...{ id: `ssn${at}`, label: words.numberLabel, lengthMax: 40, ...own('off') },
    isRequired: false,
  })
}</fieldset>`;
}

function questionPart(
  words: PageWords,
  facts: FormFacts,
  question: FormQuestions[number],
  at: number,
): Markup {
  if (question.kind !== 'rows') return fieldPart(words, facts, question, answerId(at));
  const { label, columns, rowCount } = question;
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const legend = filled(words.formRow, { label, at: row + 1 });
    const fields = columns.map((each, column) =>
      fieldPart(words, facts, each, answerId(at, row, column), true),
    );
    const body = html`<legend>${legend}</legend>${fields}`;
    return html`<fieldset class="part">${body}</fieldset>`;
  });
  return html`${rows}`;
}

function fieldPart(
  words: PageWords,
  facts: FormFacts,
  { label, help, kind, isRequired, options = [], lengthMax }: FormQuestion,
  id: string,
  isInRow = false,
): Markup {
  const field = {
    // Rows that are left empty are none: nothing in them is required by itself.
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
  return html`${labelPart(words, field)}<input type="${type}" id="${id}" name="${id}"
value="${facts.given.get(id) ?? ''}"${lengthMax !== undefined && html` maxlength="${lengthMax}"`}
${mode !== undefined && html` inputmode="${mode}"`}
${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}
${isRequired && html` required`}${stateOf(facts, field)}>${faultPart(facts, id)}`;
}

function linesField(words: PageWords, facts: FormFacts, field: Field): Markup {
  const { id, isRequired, lengthMax } = field;
  // The first line end in a text area is not part of its text.
  return html`${labelPart(words, field)}<textarea id="${id}" name="${id}" rows="4"
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

function shownLabel(words: PageWords, { label, isRequired, isInRow = false }: Field): string {
  return isRequired || isInRow ? label : filled(words.formOptional, { label });
}

function helpPart(id: string, help: string): Markup {
  return html`<p class="help" id="${id}-help">${help}</p>`;
}

function faultPart({ faults }: FormFacts, id: string): Part {
  const fault = faults.get(id);
  return fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`;
}

/** What describes a field to those who do not see it. */
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
