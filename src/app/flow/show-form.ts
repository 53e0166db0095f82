import { InnsigliError } from '../../base/errors.ts';
import {
  type FlowType,
  isOpenForm,
  type QuestionMode,
  takesUploads,
} from '../../domain/flow/index.ts';
import { usualSigneeIdentity } from '../../domain/person/index.ts';
import type { SignatureType } from '../../domain/process/index.ts';
import { useCase } from '../operation.ts';
import type { FlowPorts } from './flow-work.ts';
import { publishedForm } from './form/published-form.ts';
import type { FormQuestions } from './form/question.ts';
import { publishedSchema, requireFlow, unknownFlow } from './show-flow.ts';

/** The form of a flow that anyone may fill in and sign. */
export interface CustomerForm {
  readonly flowKey: string;
  readonly name: string;
  readonly type: FlowType;
  /** Short code of the language of the flow. */
  readonly language: string;
  readonly signatureType: SignatureType;
  readonly requiresAuth: boolean;
  /** Whether the signee must log in, and is identified by a phone or national number. */
  readonly needsNumber: boolean;
  /** Minimum number of additional signees to be named; `maxAdditionalSignees` is the maximum. */
  readonly minAdditionalSignees: number;
  readonly maxAdditionalSignees: number;
  /** How the page presents the questions, unless the person chooses. */
  readonly questionMode: QuestionMode;
  readonly questions: FormQuestions;
  /** Whether the person who fills in the form uploads the document, a PDF. */
  readonly takesUpload: boolean;
  /** Digest of the questions: answers belong to one version of them. */
  readonly version: string;
}

/**
 * Returns the questions of the form of a flow.
 *
 * @throws flow.not_found also if only the company can start processes of the flow
 */
export const showForm = useCase(
  ['flow.not_found', 'blob.missing'],
  async (ports: FlowPorts, companyKey, key: string): Promise<CustomerForm> => {
    const { flow, schema, rule } = await ports.store.read(async (unit) => {
      const found = await requireFlow(unit, companyKey, key);
      const company = await unit.companies.find(companyKey);
      const schema = await publishedSchema(unit, found);
      return { flow: found, schema, rule: company?.signeeIdentity };
    });
    if (!isOpenForm(flow)) throw unknownFlow(key);
    const { questions, version, fault } = await publishedForm(ports, flow, schema);
    // An earlier version may have published the form without testing it.
    if (fault !== undefined) throw unsendable(key, fault);
    const { signatureType, requiresAuth, minAdditionalSignees = 0 } = flow.settings;
    const { questionMode = 'All' } = flow.settings;
    const { maxAdditionalSignees = minAdditionalSignees } = flow.settings;
    const { name, type, language } = flow;
    const identity = flow.settings.signeeIdentity ?? rule ?? usualSigneeIdentity;
    return {
      ...{ flowKey: flow.key, name, type, language, signatureType, requiresAuth },
      needsNumber: requiresAuth && identity === 'number',
      ...{ minAdditionalSignees, maxAdditionalSignees, questionMode, questions, version },
      takesUpload: takesUploads(flow),
    };
  },
);

function unsendable(key: string, fault: string): InnsigliError {
  const message = `the form of ${key.slice(0, 40)} could never be sent: ${fault}`;
  return new InnsigliError('flow.not_found', message, {
    hint: 'change the document or the schema; examples in a schema show valid answers',
  });
}
