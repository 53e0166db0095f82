import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  boolean,
  bytes,
  invalid,
  line,
  list,
  type Members,
  object,
  oneOf,
  optional,
  type Read,
  string,
  strings,
} from '../../base/input.ts';
import type { Company } from '../../domain/company.ts';
import { answeredTypes, type Flow } from '../../domain/flow/index.ts';
import { type CompanyKey, newKey, type SequenceKey } from '../../domain/keys.ts';
import { isMailAddress } from '../../domain/message/index.ts';
import type { SigneeIdentity } from '../../domain/person/index.ts';
import { usualSigneeIdentity } from '../../domain/person/index.ts';
import {
  buildProcess,
  type NewProcess,
  type SignatureLocation,
  type SigningProcess,
  signatureLocations,
} from '../../domain/process/index.ts';
import { parseReminderRule } from '../../domain/reminder.ts';
import { operation } from '../operation.ts';
import { type QuotaRequest, requireQuotas, takeFormQuota, takeQuotas } from '../quotas.ts';
import { type ServicePorts, writeConsequences } from '../service/index.ts';
import {
  buildSignees,
  type IdentifyPorts,
  readSigneeRequest,
  requireChannels,
  requireIdentity,
  requireNumber,
  type SigneeRequest,
  withDefaults,
} from './build-signees.ts';
import { requireNoPasscode } from './passcode.ts';
import { requireCompanyFlow } from './read.ts';
import {
  type AttachmentReferenceRequest,
  type AttachmentRequest,
  copyReferences,
  type DocumentPorts,
  readAttachmentReferenceRequest,
  readAttachmentRequest,
  readMeta,
  requireDocument,
  requireFewAttachments,
  storeAttachments,
} from './take-documents.ts';

/** A request for a new signing process. */
export interface ProcessRequest {
  readonly flowKey: string;
  /** The document. Undefined if the flow creates it. */
  readonly pdf?: Uint8Array | undefined;
  readonly fileName?: string | undefined;
  readonly signees: readonly SigneeRequest[];
  readonly meta?: Readonly<Record<string, string>> | undefined;
  readonly attachments?: readonly AttachmentRequest[] | undefined;
  readonly attachmentReferences?: readonly AttachmentReferenceRequest[] | undefined;
  /**
   * Default: the value of the flow, as for `signInOrder`, `signatureLocation`,
   * `activityDisplayName` and `reminderRule`.
   */
  readonly requiresAuth?: boolean | undefined;
  readonly signInOrder?: boolean | undefined;
  readonly signatureLocation?: SignatureLocation | undefined;
  /** E-mail address of the owner. */
  readonly user?: string | undefined;
  readonly activityDisplayName?: string | undefined;
  readonly flattenDocument?: boolean | undefined;
  /** `{first}:{interval}`, in days. */
  readonly reminderRule?: string | undefined;
}

/** Validates a {@link ProcessRequest}. */
export const readProcessRequest: Read<ProcessRequest> = object({
  flowKey: string,
  pdf: optional(bytes),
  fileName: optional(string),
  signees: list(readSigneeRequest),
  meta: optional(strings),
  attachments: optional(list(readAttachmentRequest)),
  attachmentReferences: optional(list(readAttachmentReferenceRequest)),
  requiresAuth: optional(boolean),
  signInOrder: optional(boolean),
  signatureLocation: optional(oneOf(signatureLocations)),
  user: optional(string),
  activityDisplayName: optional(string),
  flattenDocument: optional(boolean),
  // An empty rule means no reminders, whatever the flow says.
  reminderRule: (value, name) =>
    value === undefined || value === null ? undefined : string(value, name),
} satisfies Members<ProcessRequest>);

/** Dependencies of the creation of processes, in addition to those of the service. */
export interface CreatePorts extends ServicePorts, DocumentPorts, IdentifyPorts {}

/** Error codes for a new process or sequence. */
export const createErrors = [
  'flow.not_found',
  '10101',
  'reminder.rule.invalid',
  'limit.exceeded',
  'message.channel.none',
  'key.weak',
  'pdf.notpdf',
  'flow.values.invalid',
  'quota.processes.exceeded',
  'quota.attachments.exceeded',
  'quota.storage.exceeded',
] as const;

/**
 * Creates a signing process. The process, its log, events, invitations and jobs are written in one
 * transaction. A document that could not be sealed in the end is rejected (`pdf.*`, `key.*`).
 */
export const create = operation(readProcessRequest, {
  errors: createErrors,
  run: (ports: CreatePorts, companyKey, request) => createProcess(ports, companyKey, request),
});

/** Origin of a request that does not come from the company. */
export interface Origin {
  /** From a form of an unidentified person, whose statements about persons are unverified. */
  readonly isByCustomer?: true;
}

/** Like {@link create}, also for requests that do not come from the company. */
export async function createProcess(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: ProcessRequest,
  origin: Origin = {},
): Promise<SigningProcess> {
  requireNoPasscode(request.signees);
  const nowMs = ports.now();
  const prepared = await prepareProcess(ports, companyKey, request, nowMs, origin);
  const { process, consequences } = buildProcess(prepared, { nowMs });
  await ports.store.write(async (unit) => {
    await unit.processes.add(process);
    await writeConsequences(unit, ports, process, consequences, nowMs);
    await takeQuotas(unit, companyKey, usedQuotas([process]), nowMs, process.key);
    if (origin.isByCustomer !== true) return;
    await takeFormQuota(unit, companyKey, 'processes', nowMs, process.key);
  });
  return process;
}

/**
 * Validates a request and stores its files, so that the process can be written. The files have no
 * references until then; those of a failed creation are garbage-collected later.
 *
 * @throws flow.not_found, 10101, validation.error, reminder.rule.invalid
 * @throws pdf.* if the document cannot be signed
 */
export async function prepareProcess(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: ProcessRequest,
  nowMs: number,
  { sequenceKey, ...origin }: Origin & { readonly sequenceKey?: SequenceKey },
): Promise<NewProcess> {
  const { flow, company } = await ports.store.read(async (unit) => {
    const found = await requireCompanyFlow(unit, companyKey, request.flowKey);
    // Checked before anything is stored, so that a rejected request leaves no files.
    await requireQuotas(unit, companyKey, requestedQuotas(request), nowMs);
    return found;
  });
  requireActive(flow);
  requireTrial(company, nowMs);
  const { settings } = flow;
  const meta = readMeta(request.meta);
  const { attachments = [], attachmentReferences: references = [] } = request;
  requireFewAttachments(attachments.length + references.length);
  const signees = buildSignees(withDefaults(request.signees, flow), flow, ports.random);
  const requiresAuth = request.requiresAuth ?? settings.requiresAuth;
  const signeeIdentity = settings.signeeIdentity ?? company.signeeIdentity ?? usualSigneeIdentity;
  for (const signee of signees) requireNumber(signee, requiresAuth, signeeIdentity);
  requireIdentity(ports, signees, requiresAuth);
  requireChannels(ports, signees);
  const rule = parseReminderRule(request.reminderRule ?? settings.reminderRule);
  const user = readOwner(request.user);
  const { pdf, active, fileName } = await requireDocument(ports, flow, request, meta, origin);
  const displayName = request.activityDisplayName ?? settings.activityDisplayName;
  const sha256 = await ports.blobs.put(pdf);
  const prepared: NewProcess = {
    key: newKey('process', ports.random),
    companyKey,
    flowKey: flow.key,
    flowType: flow.type,
    flowName: flow.name,
    fileName,
    original: { sha256, lengthBytes: pdf.length },
    signees,
    requiresAuth,
    signInOrder: request.signInOrder ?? settings.signInOrder,
    signatureLocation: request.signatureLocation ?? settings.signatureLocation,
    flattenDocument: request.flattenDocument === true,
    meta,
    attachments: [
      ...(await storeAttachments(ports, attachments)),
      ...(await copyReferences(ports, companyKey, references)),
    ],
    createdAtMs: nowMs,
    expiresAtMs: nowMs + settings.expiresAfterDays * 86_400_000,
    policy: policyOf(flow, company, signeeIdentity),
    ...(active.length > 0 ? { activeContent: active } : {}),
    ...defined({
      user,
      reminderRule: rule,
      activityDisplayName: line(displayName, 'activityDisplayName'),
      sequenceKey,
    }),
  };
  return origin.isByCustomer === true ? asClaimed(prepared, request) : prepared;
}

/** Marks signees as named by an unidentified person: the limits of links apply to their numbers. */
function asClaimed({ policy, signees, ...rest }: NewProcess, request: ProcessRequest): NewProcess {
  const byLink = { isAdded: true, isByForm: true } as const;
  const claimed = signees.map((signee, at) =>
    at < request.signees.length ? { ...signee, byLink } : signee,
  );
  const brought = request.pdf === undefined ? {} : ({ isBrought: true } as const);
  const claimedBy = { isByCustomer: true, ...brought } as const;
  return { ...rest, policy: { ...policy, ...claimedBy }, signees: claimed };
}

type Policy = NewProcess['policy'];

/** Every member of a policy that flow and company decide, so that the compiler names a new one. */
type DecidedPolicy = {
  readonly [Name in Exclude<keyof Policy, 'isByCustomer' | 'isBrought'>]-?:
    | Policy[Name]
    | undefined;
};

function policyOf(flow: Flow, company: Company, signeeIdentity: SigneeIdentity): Policy {
  const { settings, language } = flow;
  const complianceTypes = answeredTypes(flow);
  const { sealLevel, evidencePage, mayDecline, openLinks, retentionDays } = settings;
  const { confirmSignees, confirmUser, notifyAddress, timeZone = company.timeZone } = settings;
  const policy = {
    ...{ sealLevel, evidencePage, mayDecline },
    openLinks: openLinks === true ? openLinks : undefined,
    ...{ retentionDays, confirmSignees, confirmUser, language, signeeIdentity },
    complianceTypes: complianceTypes.length > 0 ? complianceTypes : undefined,
    ...{ timeZone, notifyAddress },
  } satisfies DecidedPolicy;
  return defined(policy);
}

/** The share of the company's quotas that a process requires. */
export function requestedQuotas({
  pdf,
  attachments = [],
  attachmentReferences = [],
}: ProcessRequest): QuotaRequest {
  const contents = [pdf, ...attachments.map(({ content }) => content)];
  return {
    storedBytes: contents.reduce((sum, each) => sum + (each?.length ?? 0), 0),
    processes: 1,
    attachments: attachments.length + attachmentReferences.length,
  };
}

/** The share of the company's quotas that new processes use once they are written. */
export function usedQuotas(created: readonly Pick<NewProcess, 'attachments'>[]): QuotaRequest {
  const attachments = created.reduce((sum, each) => sum + each.attachments.length, 0);
  return { storedBytes: 0, processes: created.length, attachments };
}

function requireActive({ isActive, key }: Flow): void {
  if (isActive) return;
  throw new InnsigliError('flow.not_found', `flow ${key} is not active`, {
    hint: 'list the flows with innsigli flow list',
  });
}

/** @throws 10101 if the trial of the company has ended */
export function requireTrial({ key, trialEndsAtMs }: Company, nowMs: number): void {
  if (trialEndsAtMs === undefined || nowMs < trialEndsAtMs) return;
  throw new InnsigliError('10101', `the trial of company ${key} has ended`);
}

/** An owner's e-mail address in lower case. Undefined if there is none. @throws validation.error */
export function readOwner(user: string | undefined): string | undefined {
  const known = line(user, 'user')?.toLowerCase();
  if (known !== undefined && !isMailAddress(known)) invalid('user', 'expected an e-mail address');
  return known;
}
