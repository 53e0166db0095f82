import { createHash } from 'node:crypto';
import {
  type Flow,
  type FlowType,
  isOpenForm,
  parseDocumentTemplate,
} from '../../domain/flow/index.ts';
import { usualSigneeIdentity } from '../../domain/person/index.ts';
import type { SignatureType } from '../../domain/process/index.ts';
import { useCase } from '../operation.ts';
import type { FlowPorts } from './flow-work.ts';
import type { FormField } from './form/form-fields.ts';
import { type FormQuestions, fieldQuestions, templateQuestions } from './form/form-questions.ts';
import { requireFlow, unknownFlow } from './show-flow.ts';

/** The form of a flow that anybody may fill in and sign. */
export interface CustomerForm {
  readonly flowKey: string;
  readonly name: string;
  readonly type: FlowType;
  /** Short code of the language of the flow. */
  readonly language: string;
  readonly signatureType: SignatureType;
  readonly requiresAuth: boolean;
  /** Who signs logs in, and is known by a phone or national number. */
  readonly needsNumber: boolean;
  /** Signees that must, and may, be named besides the one who fills the form in. */
  readonly minAdditionalSignees: number;
  readonly maxAdditionalSignees: number;
  readonly questions: FormQuestions;
  /** Digest of the questions: answers belong to one version of them. */
  readonly version: string;
}

/**
 * What the form of a flow asks a person for.
 *
 * @throws flow.not_found also when the company alone begins processes of the flow
 */
export const showForm = useCase(
  ['flow.not_found', 'blob.missing'],
  async (
    ports: Pick<FlowPorts, 'store' | 'blobs' | 'work'>,
    companyKey,
    key: string,
  ): Promise<CustomerForm> => {
    const { flow, schema, rule } = await ports.store.read(async (unit) => {
      const found = await requireFlow(unit, companyKey, key);
      const { publishedVersion: version } = found;
      const stored =
        version === undefined ? undefined : await unit.flows.findSchema(found.key, version);
      const company = await unit.companies.find(companyKey);
      return { flow: found, schema: stored?.schema, rule: company?.signeeIdentity };
    });
    if (!isOpenForm(flow)) throw unknownFlow(key);
    const questions = await questionsOf(ports, flow, schema && JSON.parse(schema));
    const { signatureType, requiresAuth, minAdditionalSignees = 0 } = flow.settings;
    const { maxAdditionalSignees = minAdditionalSignees } = flow.settings;
    const { name, type, language } = flow;
    const identity = flow.settings.signeeIdentity ?? rule ?? usualSigneeIdentity;
    return {
      ...{ flowKey: flow.key, name, type, language, signatureType, requiresAuth },
      needsNumber: requiresAuth && identity === 'number',
      ...{ minAdditionalSignees, maxAdditionalSignees, questions },
      version: createHash('sha256').update(JSON.stringify(questions)).digest('hex').slice(0, 16),
    };
  },
);

async function questionsOf(
  { blobs, work }: Pick<FlowPorts, 'blobs' | 'work'>,
  { type, templateSha256 = '', settings }: Flow,
  schema: unknown,
): Promise<FormQuestions> {
  if (type === 'FillAndSign') {
    return fieldQuestions(await fieldsOf({ blobs, work }, templateSha256), schema);
  }
  const template = await blobs.get(templateSha256);
  const { fileNameTemplate } = settings;
  const more = fileNameTemplate === undefined ? [] : [fileNameTemplate];
  return templateQuestions(parseDocumentTemplate(template), more, schema);
}

/** Forms whose fields are kept. */
const KEPT_MAX = 32;
const kept = new WeakMap<object, Map<string, readonly FormField[]>>();

/** The fields of a stored form: anybody may ask again and again, and a form does not change. */
async function fieldsOf(
  { blobs, work }: Pick<FlowPorts, 'blobs' | 'work'>,
  sha256: string,
): Promise<readonly FormField[]> {
  const known = kept.get(blobs) ?? new Map<string, readonly FormField[]>();
  kept.set(blobs, known);
  const fields = known.get(sha256) ?? (await work.formFields(await blobs.get(sha256)));
  // The one that was asked for last is forgotten last.
  known.delete(sha256);
  known.set(sha256, fields);
  if (known.size > KEPT_MAX) known.delete(known.keys().next().value as string);
  return fields;
}
