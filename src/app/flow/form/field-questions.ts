import { defined } from '../../../base/defined.ts';
import { rootPlace } from '../../../domain/flow/index.ts';
import type { FormField } from './form-fields.ts';
import {
  type FormQuestion,
  type FormQuestions,
  isAskable,
  isEmptyOnly,
  questionOf,
} from './question.ts';

/** The questions of a PDF form; its schema, parsed, may word and narrow them. */
export function fieldQuestions(fields: readonly FormField[], schema?: unknown): FormQuestions {
  const place = rootPlace(schema);
  const asked = new Map<string, FormQuestion>();
  for (const field of fields) {
    const { name, label = name, isRequired, isReadOnly, isHidden } = field;
    // Fields of one name hold one value.
    if (!isAskable(name) || isReadOnly === true || isHidden === true || asked.has(name)) continue;
    const isNeeded = isRequired || place?.required.has(name) === true;
    const question = narrowed(field, questionOf(name, label, place?.member(name), isNeeded));
    const isAllowed = place?.allows(name) !== false && !isEmptyOnly(question);
    if (isAllowed || isNeeded) asked.set(name, question);
  }
  return [...asked.values()];
}

/** The question of a schema, as the kind of the field lets it be answered. */
function narrowed(field: FormField, question: FormQuestion): FormQuestion {
  const { kind, options, isMultiline, isRequired } = field;
  const { preset = question.preset } = field;
  const lengths = [field.lengthMax, question.lengthMax].filter((each) => each !== undefined);
  const lengthMax = lengths.length === 0 ? undefined : Math.max(0, Math.min(...lengths));
  const own = { ...question, ...defined({ preset, lengthMax }) };
  if (kind === 'checkbox') {
    const { options: words } = question;
    const isOnly = words !== undefined && words.length === 1;
    return { ...withoutOptions(own), kind, isRequired: isRequired || isOnly };
  }
  if (kind === 'text') {
    return own.kind === 'text' && isMultiline === true ? { ...own, kind: 'lines' } : own;
  }
  const both = options?.filter((each) => own.options?.includes(each) ?? true);
  const isNumeric = own.kind === 'number' || own.kind === 'integer' ? true : own.isNumeric;
  return { ...own, kind: 'choice', ...defined({ options: both, isNumeric }) };
}

function withoutOptions({ options: _, isNumeric: _numeric, ...question }: FormQuestion) {
  return question;
}
