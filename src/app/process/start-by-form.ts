import { defined } from '../../base/defined.ts';
import {
  bytes,
  invalid,
  list,
  type Members,
  object,
  optional,
  type Read,
  string,
} from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import {
  type Flow,
  type FlowValues,
  fieldDataMember,
  fileNameFrom,
  isOpenForm,
  requireValues,
  takesUploads,
} from '../../domain/flow/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { claimedNameFault, withoutWebAddresses } from '../../domain/message/index.ts';
import { type Signee, type SigningProcess, systemActor } from '../../domain/process/index.ts';
import { unknownFlow } from '../flow/index.ts';
import { operation, useCase } from '../operation.ts';
import { requireFormQuota, requireQuotas } from '../quotas.ts';
import { requireChannels, requireIdentity, type SigneeRequest } from './build-signees.ts';
import {
  type CreatePorts,
  createErrors,
  createProcess,
  type ProcessRequest,
  requireTrial,
} from './create.ts';
import { createSequenceFrom } from './create-sequence.ts';
import { requireCompanyFlow } from './read.ts';

/** A person named in a form. */
export interface FormPerson {
  readonly name: string;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  /** National number. */
  readonly ssn?: string | undefined;
}

/** A document uploaded with a form. */
export interface BroughtDocument {
  readonly pdf: Uint8Array;
  /** File name as reported by the browser. */
  readonly fileName?: string | undefined;
}

/** A submitted form of a flow. */
export interface FormRequest {
  readonly flowKey: string;
  readonly values: FlowValues;
  /** Uploaded documents, if the flow creates no document. Several documents become a sequence. */
  readonly documents?: readonly BroughtDocument[] | undefined;
  /** The person who submits the form, followed by any further signees. */
  readonly persons: readonly FormPerson[];
  /** Language of the messages, such as `En`. */
  readonly language?: string | undefined;
}

/** A process started through a form. */
export interface StartedByForm {
  /** The first process, if several documents were uploaded. */
  readonly process: SigningProcess;
  /** The sequence of several documents, and the key in it of the person who uploaded them. */
  readonly sequence?: { readonly key: string; readonly personKey: string };
  /** The person who submitted the form. */
  readonly signee: Signee;
  /** Whether the signing link was mailed to the signee, which proves control of the address. */
  readonly isLinkSent: boolean;
}

const readRequest: Read<FormRequest> = object({
  flowKey: string,
  values: (value) => requireValues(value),
  documents: optional(
    list(object({ pdf: bytes, fileName: optional(string) } satisfies Members<BroughtDocument>)),
  ),
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

/** Operations that start processes through a form, for unidentified persons. */
export const formOperations = {
  /**
   * Checks whether the form of a flow could start a process now, whatever its input, so that no one
   * fills it in for nothing. Throws the error that prevents it: a quota, the end of a trial, no
   * channel for messages, no e-ID.
   *
   * @throws validation.error if no signee could log in, or sign with an e-ID
   * @example
   * await acme.processes.requireForm(flowKey);
   */
  requireForm: useCase(
    [
      ...(['flow.not_found', '10101', 'message.channel.none'] as const),
      ...([
        'quota.processes.exceeded',
        'quota.requests.exceeded',
        'quota.storage.exceeded',
      ] as const),
    ],
    async (ports: CreatePorts, companyKey, flowKey: string): Promise<void> => {
      const nowMs = ports.now();
      const { flow, company } = await ports.store.read(async (unit) => {
        const found = await requireCompanyFlow(unit, companyKey, flowKey);
        if (!isOpenForm(found.flow)) throw unknownFlow(flowKey);
        const wanted = { processes: 1, namedRequests: 1, storedBytes: 0 };
        await requireQuotas(unit, companyKey, wanted, nowMs);
        for (const name of ['processes', 'namedRequests'] as const) {
          await requireFormQuota(unit, companyKey, name, nowMs);
        }
        return found;
      });
      requireTrial(company, nowMs);
      const {
        signatureType,
        requiresAuth,
        defaultSignees,
        minAdditionalSignees = 0,
      } = flow.settings;
      const own = { signatureType, delivery: isLinkMailed(flow) ? 'Email' : 'None' } as const;
      const other = { signatureType, delivery: 'Email' } as const;
      const named = minAdditionalSignees > 0 ? [own, other] : [own];
      const signees = [...named, ...defaultSignees].map((each, order) => ({ ...each, order }));
      requireIdentity(ports, signees, requiresAuth);
      requireChannels(ports, signees);
    },
  ),
  /**
   * Starts a process with the input of an unidentified person. The flow must have an open form. The
   * input is not text of the company: names that mail programs turn into links are rejected.
   *
   * A ClickToSign signature relies on the mail address alone. Its link is sent to that address and
   * never returned to the person who entered it.
   *
   * @example
   * const { process, signee } = await acme.processes.startByForm({
   *   flowKey,
   *   values: { amount: '10.000' },
   *   persons: [{ name: 'Anna', phoneNumber: '6666666' }],
   * });
   */
  startByForm: operation(readRequest, {
    errors: [...createErrors, 'pdf.content.active'],
    run: async (ports: CreatePorts, companyKey, request): Promise<StartedByForm> => {
      const { flowKey, values, documents = [], persons, language } = request;
      const { flow } = await ports.store.read((unit) =>
        requireCompanyFlow(unit, companyKey, flowKey),
      );
      if (!isOpenForm(flow)) throw unknownFlow(flowKey);
      const [first] = persons;
      if (first === undefined)
        return invalid('signees', 'expected the person who fills in the form');
      const { activityDisplayName } = flow.settings;
      const isLinkSent = isLinkMailed(flow);
      const signees = persons.map((person, at) =>
        signeeOf(person, at, language, at > 0 || isLinkSent),
      );
      const shown = activityDisplayName ?? `${flow.name} (${first.name.trim()})`;
      const shared = { flowKey, signees, activityDisplayName: shown };
      const meta = { [fieldDataMember]: JSON.stringify(values) };
      const contents = takesUploads(flow)
        ? requireUploads(documents, values)
        : [{ meta, pdf: documents[0]?.pdf }];
      const processes = contents.map((content) => ({ ...shared, ...content }));
      const started = await startAll(ports, companyKey, processes);
      return { ...started, signee: started.process.signees[0] as Signee, isLinkSent };
    },
  }),
};

/** Whether the link is sent by mail: a ClickToSign signature relies on the mail address alone. */
function isLinkMailed({ settings: { signatureType, requiresAuth } }: Flow): boolean {
  return signatureType === 'ClickToSign' && !requiresAuth;
}

async function startAll(
  ports: CreatePorts,
  companyKey: CompanyKey,
  requests: readonly ProcessRequest[],
): Promise<Pick<StartedByForm, 'process' | 'sequence'>> {
  const origin = { isByCustomer: true } as const;
  const [first, ...others] = requests as [ProcessRequest, ...ProcessRequest[]];
  if (others.length === 0) {
    return { process: await createProcess(ports, companyKey, first, origin) };
  }
  const request = { user: systemActor, processes: requests };
  const { sequence, processes } = await createSequenceFrom(ports, companyKey, request, origin);
  const [process] = processes as [SigningProcess, ...SigningProcess[]];
  const own = process.signees[0]?.key;
  const person = sequence.persons.find(({ signingKeys }) =>
    signingKeys.some(({ signeeKey }) => signeeKey === own),
  );
  return { process, sequence: { key: sequence.key, personKey: person?.key ?? '' } };
}

function requireUploads(
  documents: readonly BroughtDocument[],
  values: FlowValues,
): readonly { readonly pdf: Uint8Array; readonly fileName: string }[] {
  const [most, maxBytes] = [limits.broughtDocuments, limits.pageFileBytes];
  if (Object.keys(values).length > 0)
    invalid('values', 'expected none: the customer brings the document');
  const isCountFit = documents.length > 0 && documents.length <= most;
  if (!isCountFit) invalid('documents', `expected 1 to ${most}, found ${documents.length}`);
  const bytes = documents.reduce((sum, { pdf }) => sum + pdf.length, 0);
  if (bytes > maxBytes) invalid('documents', `expected at most ${maxBytes} bytes in total`);
  return documents.map(({ pdf, fileName }, at) => {
    if (pdf.length === 0) invalid(`documents[${at}].pdf`, 'expected a document');
    return { pdf, fileName: fileNameOf(fileName) };
  });
}

// The name appears in messages of the company; mail programs must not turn it into a link.
function fileNameOf(given = ''): string {
  const name = given.replace(/^.*[/\\]/, '').replace(/\.pdf$/i, '');
  return fileNameFrom(withoutWebAddresses(name), 'document.pdf');
}

function signeeOf(
  { name, email, phoneNumber, ssn }: FormPerson,
  at: number,
  language: string | undefined,
  isByMail: boolean,
): SigneeRequest {
  const fault = claimedNameFault(name);
  if (fault !== undefined) invalid(`signees[${at}].name`, fault);
  if (isByMail && (email ?? '').trim() === '') {
    invalid(`signees[${at}].email`, 'expected an e-mail address, for the link');
  }
  const contact = defined({ email, phoneNumber, ssn, language });
  return { name, ...contact, delivery: isByMail ? 'Email' : 'None' };
}
