import { defined } from '../../base/defined.ts';
import {
  invalid,
  list,
  type Members,
  object,
  optional,
  type Read,
  string,
} from '../../base/input.ts';
import {
  type FlowValues,
  fieldDataMember,
  isOpenForm,
  requireValues,
} from '../../domain/flow/index.ts';
import { withoutWebAddresses } from '../../domain/message/index.ts';
import type { Signee, SigningProcess } from '../../domain/process/index.ts';
import { unknownFlow } from '../flow/index.ts';
import { operation } from '../operation.ts';
import { createErrors, createProcess } from './create.ts';
import { requireCompanyFlow } from './read.ts';
import type { CreatePorts, SigneeRequest } from './requests.ts';

/** A person whom a form names. */
export interface FormPerson {
  readonly name: string;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  /** National number. */
  readonly ssn?: string | undefined;
}

/** The answers of somebody who fills in the form of a flow. */
export interface FormRequest {
  readonly flowKey: string;
  readonly values: FlowValues;
  /** The one who fills it in, then those who shall sign besides. */
  readonly persons: readonly FormPerson[];
  /** Language of their messages, such as `En`. */
  readonly language?: string | undefined;
}

/** A process that somebody began by a form. */
export interface StartedByForm {
  readonly process: SigningProcess;
  /** The one who filled the form in. */
  readonly signee: Signee;
  /** Their link was sent to their mail address: it proves that the address is theirs. */
  readonly isLinkSent: boolean;
}

const readRequest: Read<FormRequest> = object({
  flowKey: string,
  values: (value) => requireValues(value),
  persons: list(
    object({
      name: string,
      email: optional(string),
      phoneNumber: optional(string),
      ssn: optional(string),
    } satisfies Members<FormPerson>),
  ),
  language: optional(string),
} satisfies Members<FormRequest>);

/**
 * Begins a process with the answers of somebody unknown. The flow must be open to them. What they
 * write is theirs and not the company's: names that mail programs turn into links are refused.
 *
 * A signature by click rests on the mail address alone. Its link goes there, and is not given to
 * the one who wrote the address.
 */
export const startByForm = operation(readRequest, {
  errors: [...createErrors, 'message.channel.none'],
  run: async (ports: CreatePorts, companyKey, request): Promise<StartedByForm> => {
    const { flowKey, values, persons, language } = request;
    const { flow } = await ports.store.read((unit) =>
      requireCompanyFlow(unit, companyKey, flowKey),
    );
    if (!isOpenForm(flow)) throw unknownFlow(flowKey);
    const [first] = persons;
    if (first === undefined) return invalid('signees', 'expected who fills the form in');
    const { signatureType, requiresAuth, activityDisplayName } = flow.settings;
    const isLinkSent = signatureType === 'ClickToSign' && !requiresAuth;
    const signees = persons.map((person, at) =>
      signeeOf(person, at, language, at > 0 || isLinkSent),
    );
    const meta = { [fieldDataMember]: JSON.stringify(values) };
    const shown = activityDisplayName ?? `${flow.name} (${first.name.trim()})`;
    const process = await createProcess(
      ports,
      companyKey,
      { flowKey, signees, meta, activityDisplayName: shown },
      { isByCustomer: true },
    );
    return { process, signee: process.signees[0] as Signee, isLinkSent };
  },
});

function signeeOf(
  { name, email, phoneNumber, ssn }: FormPerson,
  at: number,
  language: string | undefined,
  isByMail: boolean,
): SigneeRequest {
  if (withoutWebAddresses(name) !== name) {
    const found = 'found a dot, colon or slash as web addresses have it';
    invalid(`signees[${at}].name`, `expected a name, ${found}`, 'write a space after it');
  }
  if (isByMail && (email ?? '').trim() === '') {
    invalid(`signees[${at}].email`, 'expected an e-mail address, for the link');
  }
  const contact = defined({ email, phoneNumber, ssn, language });
  return { name, ...contact, delivery: isByMail ? 'Email' : 'None' };
}
