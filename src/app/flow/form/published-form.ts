import { createHash } from 'node:crypto';
import { sha256Of } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { invalid } from '../../../base/input.ts';
import {
  type Flow,
  isOpenForm,
  parseDocumentTemplate,
  rootPlace,
  takesUploads,
} from '../../../domain/flow/index.ts';
import type { FlowPorts } from '../flow-work.ts';
import { conditionFault, withConditions } from './ask-conditions.ts';
import type { FormField } from './form-fields.ts';
import { templateQuestions } from './form-questions.ts';
import { formFault, sizeFault } from './prove-form.ts';
import {
  type FormQuestion,
  type FormQuestions,
  isAskable,
  isEmptyOnly,
  questionOf,
} from './question.ts';

/** The form of a flow, derived from its document and its schema. */
export interface PublishedForm {
  readonly questions: FormQuestions;
  /** Digest of the questions: answers belong to one version of them. */
  readonly version: string;
  /** The reason that the form cannot be submitted. */
  readonly fault?: string;
}

type FormPorts = Pick<FlowPorts, 'blobs' | 'work'>;

/** Maximum number of cached forms. A company with many evicts its own rather than others'. */
const KEPT_MAX = 64;

interface KeptForm {
  readonly companyKey: string;
  readonly form: Promise<PublishedForm>;
}

const kept = new WeakMap<object, Map<string, KeptForm>>();

/**
 * The form of a flow with the schema in `text`. Anyone may request it at any rate, so it is cached:
 * a form does not change.
 *
 * @throws blob.missing
 */
export async function publishedForm(
  ports: FormPorts,
  flow: Flow,
  text: string | undefined,
): Promise<PublishedForm> {
  const known = kept.get(ports.blobs) ?? new Map<string, KeptForm>();
  kept.set(ports.blobs, known);
  const { companyKey, type, templateSha256, settings } = flow;
  const facts = JSON.stringify([companyKey, type, templateSha256, settings.fileNameTemplate, text]);
  const name = createHash('sha256').update(facts).digest('base64');
  const form = known.get(name)?.form ?? makeForm(ports, flow, text);
  // Evicts the least recently used one.
  known.delete(name);
  known.set(name, { companyKey, form });
  if (known.size > KEPT_MAX) known.delete(oldestOfMost(known));
  try {
    return await form;
  } catch (error) {
    known.delete(name);
    throw error;
  }
}

/** The least recently used form of the company that has the most. */
function oldestOfMost(known: ReadonlyMap<string, KeptForm>): string {
  const counts = new Map<string, number>();
  for (const { companyKey } of known.values()) {
    counts.set(companyKey, (counts.get(companyKey) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const [name = ''] = [...known].find(([, each]) => counts.get(each.companyKey) === most) ?? [];
  return name;
}

/**
 * Rejects a flow that is open to customers but whose form cannot be submitted.
 *
 * @throws validation.error
 */
export async function requireSendable(
  ports: FormPorts,
  flow: Flow,
  text: string | undefined,
): Promise<void> {
  if (!isOpenForm(flow)) return;
  const { fault } = await publishedForm(ports, flow, text);
  if (fault === undefined) return;
  const advice = 'change the document or the schema; examples in a schema show valid answers';
  const why = `Customer: the form could never be sent: ${fault}`;
  invalid('settings.initiationMethod', why, advice);
}

async function makeForm(
  ports: FormPorts,
  flow: Flow,
  text: string | undefined,
): Promise<PublishedForm> {
  if (takesUploads(flow)) return { questions: [], version: 'upload' };
  const { blobs, work } = ports;
  const schema: unknown = text === undefined ? undefined : JSON.parse(text);
  const template = await blobs.get(flow.templateSha256 ?? '');
  const plain = await questionsOf(ports, flow, template, schema);
  const questions = withConditions(plain, schema);
  const tooLarge = sizeFault(questions) ?? conditionFault(questions);
  // The questions are not processed further, nor cached.
  if (tooLarge !== undefined) return { questions: [], version: 'none', fault: tooLarge };
  const isForm = flow.type === 'FillAndSign';
  const fault = await formFault(questions, schema, {
    take: async (values) => {
      if (text !== undefined) await work.requireFit(text, values);
      await work[isForm ? 'fillForm' : 'renderDocument'](template, values);
    },
    findFaults: (all) =>
      work.findValueFaults({
        ...{ of: isForm ? 'form' : 'template', bytes: template, all },
        ...defined({ schema: text }),
      }),
  });
  return {
    questions,
    version: sha256Of(JSON.stringify(questions)).slice(0, 16),
    ...defined({ fault }),
  };
}

async function questionsOf(
  { work }: FormPorts,
  { type, settings: { fileNameTemplate = '' } }: Flow,
  template: Uint8Array,
  schema: unknown,
): Promise<FormQuestions> {
  if (type === 'FillAndSign') return fieldQuestions(await work.formFields(template), schema);
  return templateQuestions(parseDocumentTemplate(template), [fileNameTemplate], schema);
}

/** The questions of a PDF form; the parsed schema may supply texts and restrict the answers. */
function fieldQuestions(fields: readonly FormField[], schema?: unknown): FormQuestions {
  const place = rootPlace(schema);
  const asked = new Map<string, FormQuestion>();
  for (const field of fields) {
    const { name, label = name, isRequired, isReadOnly, isHidden } = field;
    // Fields with the same name share one value.
    if (!isAskable(name) || isReadOnly === true || isHidden === true || asked.has(name)) continue;
    const isNeeded = isRequired || place?.required.has(name) === true;
    const question = narrowed(field, questionOf(name, label, place?.member(name), isNeeded));
    const isAllowed = place?.allows(name) !== false && !isEmptyOnly(question);
    if (isAllowed || isNeeded) asked.set(name, question);
  }
  return [...asked.values()];
}

/** The question of a schema, restricted to what the type of the field permits. */
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
