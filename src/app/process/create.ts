import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { invalid, line } from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import type { Company } from '../../domain/company.ts';
import { answeredTypes, type Flow } from '../../domain/flow/index.ts';
import { type CompanyKey, newKey, type SequenceKey } from '../../domain/keys.ts';
import type { SigneeIdentity } from '../../domain/person/index.ts';
import { usualSigneeIdentity } from '../../domain/person/index.ts';
import {
  buildProcess,
  type MessageDraft,
  type NewProcess,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import { parseReminderRule } from '../../domain/reminder.ts';
import { groupPersons, type Sequence, sequenceTurn } from '../../domain/sequence.ts';
import { operation } from '../operation.ts';
import { type QuotaRequest, requireQuotas, takeFormQuota, takeQuotas } from '../quotas.ts';
import { writeConsequences } from '../service/index.ts';
import {
  buildSignees,
  requireChannels,
  requireIdentity,
  requireNumber,
  withDefaults,
} from './build-signees.ts';
import { requireNoPasscode, withPasscodes } from './passcode.ts';
import { requireCompanyFlow, type SequenceView } from './read.ts';
import {
  type CreatePorts,
  type ProcessRequest,
  readOwner,
  readProcessRequest,
  readSequenceRequest,
  type SequenceRequest,
} from './requests.ts';
import {
  readMeta,
  requireDocument,
  requireFewAttachments,
  storeAttachments,
  takeReferences,
} from './take-documents.ts';

/** Codes with which a new process or sequence is refused. */
export const createErrors = [
  'flow.not_found',
  '10101',
  'reminder.rule.invalid',
  'limit.exceeded',
  'pdf.notpdf',
  'flow.values.invalid',
  'quota.processes.exceeded',
  'quota.attachments.exceeded',
  'quota.storage.exceeded',
] as const;

/**
 * Takes a document for signature: process, log, events, invitations and jobs are written in one
 * transaction. A document that could not be sealed in the end is refused (`pdf.*`, `key.*`).
 */
export const create = operation(readProcessRequest, {
  errors: createErrors,
  run: (ports: CreatePorts, companyKey, request) => createProcess(ports, companyKey, request),
});

/** Who asks for a process, where it is not the company. */
interface Origin {
  /** Somebody unknown, by a form: what they say of persons is a claim. */
  readonly isByCustomer?: true;
}

/** The signees of `request` are named by a stranger: their numbers have the bounds of a link. */
function asClaimed({ policy, signees, ...rest }: NewProcess, request: ProcessRequest): NewProcess {
  const byLink = { isAdded: true, isByForm: true } as const;
  const claimed = signees.map((signee, at) =>
    at < request.signees.length ? { ...signee, byLink } : signee,
  );
  const brought = request.pdf === undefined ? {} : ({ isBrought: true } as const);
  const claimedBy = { isByCustomer: true, ...brought } as const;
  return { ...rest, policy: { ...policy, ...claimedBy }, signees: claimed };
}

/** As {@link create}, also for others than the company. */
export async function createProcess(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: ProcessRequest,
  origin: Origin = {},
): Promise<SigningProcess> {
  requireNoPasscode(request.signees);
  const nowMs = ports.now();
  const newProcess = await prepareProcess(ports, companyKey, request, nowMs, origin);
  const prepared = origin.isByCustomer === true ? asClaimed(newProcess, request) : newProcess;
  const { process, consequences } = buildProcess(prepared, { nowMs });
  await ports.store.write(async (unit) => {
    await unit.processes.add(process);
    await writeConsequences(unit, ports, process, consequences, nowMs);
    await takeQuotas(unit, companyKey, takenQuotas([process]), nowMs, process.key);
    if (origin.isByCustomer !== true) return;
    await takeFormQuota(unit, companyKey, 'processes', nowMs, process.key);
  });
  return process;
}

const PROCESSES_MAX = 100;

/**
 * Takes several documents for signature, as one: all of them are written, or none. Each person
 * gets one invitation, for all documents.
 */
export const createSequence = operation(readSequenceRequest, {
  errors: createErrors,
  run: (ports: CreatePorts, companyKey, request) => takeSequence(ports, companyKey, request),
});

/** As {@link createSequence}, also for others than the company. */
export async function takeSequence(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: SequenceRequest,
  origin: Origin = {},
): Promise<SequenceView> {
  const nowMs = ports.now();
  const isNobodys = request.user === systemActor;
  const owner = isNobodys ? undefined : readOwner(request.user);
  const user =
    owner ?? (isNobodys ? systemActor : invalid('user', 'expected the owner of the sequence'));
  const count = request.processes.length;
  if (count === 0 || count > PROCESSES_MAX) {
    invalid('processes', `expected 1 to ${PROCESSES_MAX} documents, found ${count}`);
  }
  requireFewSignees(request.processes);
  const wanted = request.processes.map((each) => wantedQuotas(each).storedBytes ?? 0);
  const storedBytes = wanted.reduce((sum, each) => sum + each, 0);
  await ports.store.read((unit) => requireQuotas(unit, companyKey, { storedBytes }, nowMs));
  const key = newKey('sequence', ports.random);
  const { requiresAuth = false, signInOrder = false } = request;
  const prepared = [];
  for (const [at, each] of request.processes.entries()) {
    const own = { user: owner, ...each, ...(requiresAuth ? { requiresAuth } : {}) };
    const within = { ...origin, sequenceKey: key };
    const made = await prepareProcess(ports, companyKey, own, nowMs, within).catch(
      (error: unknown) => refuseInside(`processes[${at}]`, error),
    );
    prepared.push(origin.isByCustomer === true ? asClaimed(made, each) : made);
  }
  const newProcesses = closedUnlessAllOpen(prepared);
  // Flows add signees of their own.
  requireFewSignees(newProcesses);
  const sequence: Sequence = {
    key,
    companyKey,
    rev: 1,
    user,
    requiresAuth,
    signInOrder,
    processKeys: newProcesses.map((newProcess) => newProcess.key),
    persons: await withPasscodes(
      groupPersons(newProcesses, () => newKey('person', ports.random)),
      request.processes,
      newProcesses,
      ports.random,
    ),
    createdAtMs: nowMs,
    isEndTold: false,
  };
  const turn = sequenceTurn(sequence, newProcesses);
  const context = { nowMs, ...(turn === undefined ? {} : { sequenceTurn: turn }) };
  const built = newProcesses.map((newProcess) => buildProcess(newProcess, context));
  const invitations = personalInvitations(sequence, built);
  await ports.store.write(async (unit) => {
    await unit.sequences.add(sequence);
    for (const { process, consequences } of built) {
      await unit.processes.add(process);
      const messages = invitations.get(process.key) ?? [];
      await writeConsequences(unit, ports, process, { ...consequences, messages }, nowMs);
    }
    await takeQuotas(unit, companyKey, takenQuotas(newProcesses), nowMs, key);
    if (origin.isByCustomer !== true) return;
    for (const { process } of built) {
      await takeFormQuota(unit, companyKey, 'processes', nowMs, process.key);
    }
  });
  return { sequence, processes: built.map(({ process }) => process) };
}

/** The link of a person opens all documents of a sequence: one that is closed closes all. */
function closedUnlessAllOpen(newProcesses: readonly NewProcess[]): readonly NewProcess[] {
  if (newProcesses.every(({ policy }) => policy.openLinks === true)) return newProcesses;
  return newProcesses.map(({ policy: { openLinks: _open, ...policy }, ...rest }) => ({
    ...rest,
    policy,
  }));
}

/** All of a sequence is decided on in one transaction, and shown in one answer. */
function requireFewSignees(documents: readonly { readonly signees: readonly unknown[] }[]): void {
  const found = documents.reduce((sum, { signees }) => sum + signees.length, 0);
  const most = limits.sequenceSignees;
  if (found <= most) return;
  const message = `expected at most ${most} signees in all documents, found ${found}`;
  throw new InnsigliError('limit.exceeded', message);
}

/** Throws `error`; one about a member says in which of the documents. */
function refuseInside(where: string, error: unknown): never {
  const field = isInnsigliError(error) ? error.details['field'] : undefined;
  if (!isInnsigliError(error) || typeof field !== 'string') throw error;
  const { code, message, hint, details } = error;
  throw new InnsigliError(code, `${where}.${message}`, {
    details: { ...details, field: `${where}.${field}` },
    ...defined({ hint }),
  });
}

// One message for a person: it goes with the first of their documents that is open.
function personalInvitations(
  { persons }: Sequence,
  built: readonly { readonly process: SigningProcess }[],
): ReadonlyMap<string, readonly MessageDraft[]> {
  const signees = new Map(
    built.flatMap(({ process }) => process.signees.map((signee) => [signee.key, signee] as const)),
  );
  const invitations = new Map<string, MessageDraft[]>();
  for (const { signingKeys } of persons) {
    for (const { processKey, signeeKey } of signingKeys) {
      const { invitedAtMs, delivery: channel = 'None' } = signees.get(signeeKey) ?? {};
      if (invitedAtMs === undefined || channel === 'None') continue;
      const others = invitations.get(processKey) ?? [];
      invitations.set(processKey, [...others, { template: 'Signup', channel, signeeKey }]);
      break;
    }
  }
  return invitations;
}

/**
 * A process that is ready to be written: checked, its contents stored. Nothing refers to the
 * contents before the process is written; contents of a failed creation are collected later.
 *
 * @throws flow.not_found, 10101, validation.error, reminder.rule.invalid
 * @throws pdf.* when the document cannot be signed
 */
async function prepareProcess(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: ProcessRequest,
  nowMs: number,
  { sequenceKey, ...origin }: Origin & { readonly sequenceKey?: SequenceKey },
): Promise<NewProcess> {
  const { flow, company } = await ports.store.read(async (unit) => {
    const found = await requireCompanyFlow(unit, companyKey, request.flowKey);
    // Before anything is stored: a later refusal leaves nothing behind.
    await requireQuotas(unit, companyKey, wantedQuotas(request), nowMs);
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
  return {
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
      ...(await takeReferences(ports, companyKey, references)),
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
}

function policyOf(
  flow: Flow,
  company: Company,
  signeeIdentity: SigneeIdentity,
): NewProcess['policy'] {
  const { settings, language } = flow;
  const complianceTypes = answeredTypes(flow);
  const { sealLevel, evidencePage, mayDecline, openLinks, retentionDays } = settings;
  const { confirmSignees, confirmUser, notifyAddress, timeZone = company.timeZone } = settings;
  return {
    ...{ sealLevel, evidencePage, mayDecline },
    ...(openLinks === true ? { openLinks } : {}),
    ...{ retentionDays, confirmSignees, confirmUser, language, signeeIdentity },
    ...(complianceTypes.length > 0 ? { complianceTypes } : {}),
    ...defined({ timeZone, notifyAddress }),
  };
}

function wantedQuotas({
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

/** The part of their company's quotas that new processes use, once they are written. */
function takenQuotas(created: readonly Pick<NewProcess, 'attachments'>[]): QuotaRequest {
  const attachments = created.reduce((sum, each) => sum + each.attachments.length, 0);
  return { storedBytes: 0, processes: created.length, attachments };
}

function requireActive({ isActive, key }: Flow): void {
  if (isActive) return;
  throw new InnsigliError('flow.not_found', `flow ${key} is not active`, {
    hint: 'list the flows with innsigli flow list',
  });
}

/** @throws 10101 when the trial of the company has ended */
export function requireTrial({ key, trialEndsAtMs }: Company, nowMs: number): void {
  if (trialEndsAtMs === undefined || nowMs < trialEndsAtMs) return;
  throw new InnsigliError('10101', `the trial of company ${key} has ended`);
}
