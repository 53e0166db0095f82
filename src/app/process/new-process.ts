import { InnsigliError } from '../../base/errors.ts';
import type { Company } from '../../domain/company/index.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { type CompanyKey, newKey, type SequenceKey } from '../../domain/keys.ts';
import { type SigneeIdentity, usualSigneeIdentity } from '../../domain/person/index.ts';
import { type NewProcess, type Signee, signeesMax } from '../../domain/process/index.ts';
import { parseReminderRule } from '../../domain/reminder/index.ts';
import { requireFlow } from '../flow/index.ts';
import { requireChannel } from '../message/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { type QuotaWish, requireQuotas } from '../quota/index.ts';
import { given, invalid, line } from '../request-texts.ts';
import { takeReferences } from './attachment-references.ts';
import { buildSignees } from './create-request.ts';
import type { CreatePorts, ProcessRequest, SigneeRequest } from './requests.ts';
import { readOwner } from './requests.ts';
import {
  readMeta,
  requireDocument,
  requireFewAttachments,
  storeAttachments,
} from './take-documents.ts';

/**
 * A process that is ready to be written: checked, its contents stored. Nothing refers to the
 * contents before the process is; what is left over when it never comes is collected later.
 *
 * @throws flow.not_found, 10101, validation.error, reminder.rule.invalid
 * @throws pdf.* when the document cannot be signed
 */
export async function prepareProcess(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: ProcessRequest,
  nowMs: number,
  sequenceKey?: SequenceKey,
): Promise<NewProcess> {
  const { flow, company } = await ports.store.read(async (unit) => {
    const found = await requireCompanyFlow(unit, companyKey, request.flowKey);
    // Before anything is stored: what is refused later leaves nothing behind.
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
  const { pdf, fileName } = await requireDocument(ports, flow, request, meta);
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
    policy: {
      sealLevel: settings.sealLevel,
      evidencePage: settings.evidencePage,
      mayDecline: settings.mayDecline,
      ...(settings.openLinks === true ? { openLinks: true } : {}),
      retentionDays: settings.retentionDays,
      confirmSignees: settings.confirmSignees,
      confirmUser: settings.confirmUser,
      language: flow.language,
      signeeIdentity,
      ...given('timeZone', settings.timeZone ?? company.timeZone),
      ...given('notifyAddress', settings.notifyAddress),
    },
    ...given('user', user),
    ...given('reminderRule', rule),
    ...given('activityDisplayName', line(displayName, 'activityDisplayName')),
    ...given('sequenceKey', sequenceKey),
  };
}

function wantedQuotas({
  pdf,
  attachments = [],
  attachmentReferences = [],
}: ProcessRequest): QuotaWish {
  const contents = [pdf, ...attachments.map(({ content }) => content)];
  return {
    storedBytes: contents.reduce((sum, each) => sum + (each?.length ?? 0), 0),
    processes: 1,
    attachments: attachments.length + attachmentReferences.length,
  };
}

/** What new processes take of the quotas of their company, once they are written. */
export function takenQuotas(created: readonly Pick<NewProcess, 'attachments'>[]): QuotaWish {
  const attachments = created.reduce((sum, each) => sum + each.attachments.length, 0);
  return { storedBytes: 0, processes: created.length, attachments };
}

/** A flow of a company, active or not. @throws flow.not_found */
export async function requireCompanyFlow(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<{ readonly flow: Flow; readonly company: Company }> {
  const flow = await requireFlow(unit, companyKey, key);
  const company = await unit.companies.find(companyKey);
  if (company !== undefined) return { flow, company };
  throw new InnsigliError('company.not_found', `there is no company ${companyKey}`);
}

function requireActive({ isActive, key }: Flow): void {
  if (isActive) return;
  throw new InnsigliError(
    'flow.not_found',
    `flow ${key} takes no new processes: it is not active`,
    {
      hint: 'innsigli flow list shows the flows',
    },
  );
}

function requireTrial({ key, trialEndsAtMs }: Company, nowMs: number): void {
  if (trialEndsAtMs === undefined || nowMs < trialEndsAtMs) return;
  throw new InnsigliError('10101', `the trial of company ${key} has run out`);
}

function withDefaults(given: readonly SigneeRequest[], flow: Flow): readonly SigneeRequest[] {
  const { defaultSignees, minAdditionalSignees = 0 } = flow.settings;
  const most = mostSignees(flow) - defaultSignees.length;
  if (given.length > most) {
    invalid('signees', `the flow takes at most ${most} signees, found ${given.length}`);
  }
  if (given.length > 0 && given.length - 1 < minAdditionalSignees) {
    invalid(
      'signees',
      `the flow takes at least ${1 + minAdditionalSignees}, found ${given.length}`,
    );
  }
  return [...given, ...defaultSignees];
}

/** Signees of one process at most, with those that the flow adds itself. */
export function mostSignees({ settings }: Flow): number {
  const { defaultSignees, maxAdditionalSignees: more = signeesMax } = settings;
  return 1 + more + defaultSignees.length;
}

/**
 * Refuses signees who would wait for messages that never leave: their invitation, or the code of a
 * Simple signature, which goes to the phone.
 *
 * @throws message.channel.none
 */
export function requireChannels(
  ports: Pick<CreatePorts, 'closedChannels'>,
  signees: readonly Pick<Signee, 'signatureType' | 'delivery' | 'order'>[],
): void {
  for (const { signatureType, delivery, order } of signees) {
    if (delivery !== 'None') requireChannel(ports, delivery, `signees[${order}].delivery`);
    if (signatureType === 'Simple') requireChannel(ports, 'Sms', `signees[${order}].signatureType`);
  }
}

/**
 * Refuses a signee who could never log in.
 *
 * @throws validation.error
 */
export function requireNumber(
  { ssn, phoneNumber, order }: Pick<Signee, 'ssn' | 'phoneNumber' | 'order'>,
  requiresAuth: boolean,
  signeeIdentity: SigneeIdentity | undefined,
): void {
  if (!requiresAuth || signeeIdentity !== 'number') return;
  if (ssn !== undefined || phoneNumber !== undefined) return;
  invalid(
    `signees[${order}]`,
    'a login needs ssn or phone, found neither',
    'name a number, or let the flow take logins by name: signeeIdentity',
  );
}

/**
 * Refuses what nobody could ever do: without an e-ID provider no signee can log in, and none can
 * put a Qualified signature.
 *
 * @throws validation.error
 */
export function requireIdentity(
  { canIdentify }: Pick<CreatePorts, 'canIdentify'>,
  signees: readonly Pick<Signee, 'signatureType' | 'order'>[],
  requiresAuth: boolean,
): void {
  if (canIdentify) return;
  const missing = 'no identity provider is configured, and production refuses the simulator';
  if (requiresAuth) invalid('requiresAuth', `a login is not possible: ${missing}`);
  const qualified = signees.find(({ signatureType }) => signatureType === 'Qualified');
  if (qualified === undefined) return;
  invalid(
    `signees[${qualified.order}].signatureType`,
    `Qualified is not possible: ${missing}`,
    'use Simple or ClickToSign',
  );
}
