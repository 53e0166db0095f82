import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import { invalid } from '../../../base/input.ts';
import {
  type Flow,
  isOpenForm,
  parseDocumentTemplate,
  takesUploads,
} from '../../../domain/flow/index.ts';
import type { FlowPorts } from '../flow-work.ts';
import { conditionFault, withConditions } from './ask-conditions.ts';
import { fieldQuestions } from './field-questions.ts';
import { templateQuestions } from './form-questions.ts';
import { formFault, sizeFault } from './prove-form.ts';
import type { FormQuestions } from './question.ts';

/** The form of a flow, as its document and its schema make it. */
export interface PublishedForm {
  readonly questions: FormQuestions;
  /** Digest of the questions: answers belong to one version of them. */
  readonly version: string;
  /** Why nobody could send it. */
  readonly fault?: string;
}

type FormPorts = Pick<FlowPorts, 'blobs' | 'work'>;

/** Forms that are kept: one company that has many does not drive out those of others. */
const KEPT_MAX = 64;

interface KeptForm {
  readonly companyKey: string;
  readonly form: Promise<PublishedForm>;
}

const kept = new WeakMap<object, Map<string, KeptForm>>();

/**
 * The form of a flow with the schema in `text`. Anybody may ask for it again and again: it is made
 * once, for a form does not change.
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
  // The one that was asked for last is forgotten last.
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

/** The form that was asked for least recently, of the company that has the most. */
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
 * Refuses a flow that is open to customers, and whose form nobody could send: they would fill it in
 * in vain.
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
  const advice = 'change document or schema; examples in a schema show which answers fit';
  const why = `Customer: nobody could send the form: ${fault}`;
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
  // Nothing more is made of them, and they are not kept.
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
    version: createHash('sha256').update(JSON.stringify(questions)).digest('hex').slice(0, 16),
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
