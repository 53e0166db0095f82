import { defined } from '../../base/defined.ts';
import {
  codeOf,
  type ErrorCode,
  errorKinds,
  harmlessMessage,
  InnsigliError,
} from '../../base/errors.ts';
import type { Mailbox } from '../../base/mailbox.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import {
  formatMailbox,
  isMailAddress,
  isWanted,
  type Message,
  type MessageFacts,
  renderMail,
  renderSms,
} from '../../domain/message/index.ts';
import { dialledPhone } from '../../domain/person/index.ts';
import type { CommandOf, ProcessCommand } from '../../domain/process/index.ts';
import { reminderRefusal } from '../../domain/reminder.ts';
import { codeLifeMs } from '../../domain/signing/index.ts';
import { requireClock } from '../activity/index.ts';
import { isHostFault, writeResult } from '../patient-store.ts';
import type {
  Acceptance,
  BlobStore,
  ChannelPorts,
  Job,
  JobFailure,
  Mailer,
  SmsSender,
  StorePorts,
  StoreUnit,
} from '../ports/index.ts';
import { countMail, logoPart, mailAttachments, requireMailQuota } from './attachments.ts';
import { isOpenChannel } from './queue.ts';
import { type MessageContext, readMessageContext } from './read-facts.ts';
import { heldDelayMs, retryDelayMs } from './retry.ts';

/** Dependencies of {@link deliverMessage}. */
export interface MessagePorts extends ChannelPorts, StorePorts {
  readonly blobs: BlobStore;
  readonly mailer: Mailer;
  readonly sms: SmsSender;
  /** Base URL of the signing pages, without a trailing slash. */
  readonly frontEnd: string;
  /** Whether files can be verified at `/s/verify` of the front end. */
  readonly checksFiles?: boolean;
  /**
   * Mailbox of the From header. The company name replaces a missing display name; the domain of the
   * address is also that of the Message-IDs.
   */
  readonly mailFrom: Mailbox;
  /** Applies a command to a process within the transaction: `applyCommand` of the service. */
  apply(unit: StoreUnit, key: ProcessKey, command: ProcessCommand): Promise<unknown>;
}

/** Scope of a failure: permanent for this message, temporary, or until settings are corrected. */
type FailureScope = 'permanent' | 'temporary' | 'until fixed';

/** An accepted message. `mailedTo` is the address a mail is counted for. */
interface AcceptedMessage extends Acceptance {
  readonly mailedTo?: string;
}

/** Result of one attempt. */
type Outcome =
  | { readonly kind: 'accepted'; readonly acceptance: AcceptedMessage }
  | (Omit<JobFailure, 'isFinal'> & { readonly kind: 'failed'; readonly scope: FailureScope })
  /** The message is obsolete. */
  | { readonly kind: 'unwanted' };

/**
 * Sends the message of a job. Text and recipient are derived from the current rows. The result of
 * the transport and its consequences (log row, webhook) are written in one transaction.
 *
 * A worker that crashes after the transport accepted the mail and before that transaction sends it
 * again under the same Message-ID, with the same content as long as the rows did not change. SMTP
 * offers no better guarantee; mailboxes show such a repeat once. Files of an outbox are overwritten
 * by name.
 *
 * @returns the failure that prevented delivery; undefined if the message was sent or is obsolete
 * @throws process.conflict if another worker has taken over the job; nothing is written then
 * @throws clock.back before anything is sent
 * @throws store.busy, store.unavailable and other faults of the host
 */
export async function deliverMessage(
  job: Job,
  ports: MessagePorts,
): Promise<JobFailure | undefined> {
  const { store } = ports;
  const { message, matter } = await store.read(async (unit) => {
    const found = await unit.messages.find(job.ref);
    const isWaiting = found?.state === 'waiting';
    if (isWaiting && found.processKey !== undefined) {
      await requireClock(unit, found.processKey, ports.now());
    }
    return {
      message: isWaiting ? found : undefined,
      matter: isWaiting ? await readMessageContext(unit, found, ports) : undefined,
    };
  });
  if (message === undefined) {
    await store.write((unit) => finishJob(unit, job));
    return undefined;
  }
  const outcome = await attempt(job, message, matter, ports);
  return writeResult(store, (unit) => settle(unit, ports, job, message, outcome));
}

async function attempt(
  job: Job,
  message: Message,
  matter: MessageContext | undefined,
  ports: MessagePorts,
): Promise<Outcome> {
  if (matter === undefined) return { kind: 'unwanted' };
  if (!isWanted(message.template, matter.process, matter.places)) return { kind: 'unwanted' };
  if (isReplaced(message, matter)) return { kind: 'unwanted' };
  if (!isOpenChannel(ports, message.channel)) return { kind: 'unwanted' };
  // A person who was never asked to sign needs no cancellation.
  if (message.template === 'Canceled' && !matter.wasAsked) return { kind: 'unwanted' };
  const isLateCode =
    message.template === 'OneTimeCode' && ports.now() >= message.createdAtMs + codeLifeMs;
  if (isLateCode) return { kind: 'unwanted' };
  // Several workers crashed while handling it; do not let it crash another.
  if (job.attempts > claimsMax) {
    return { kind: 'failed', code: 'internal.unexpected', scope: 'permanent' };
  }
  try {
    const send = message.channel === 'Email' ? sendMail : sendSms;
    return { kind: 'accepted', acceptance: await send(message, matter, ports, job) };
  } catch (error) {
    const code = codeOf(error);
    // Nothing was sent yet: failures of a transport have separate codes.
    if (isHostFault(code) || code === 'process.conflict') throw error;
    const why = harmlessMessage(error);
    return {
      kind: 'failed',
      code,
      ...defined({ why }),
      scope: finalCodes.has(code) ? 'permanent' : heldCodes.has(code) ? 'until fixed' : 'temporary',
    };
  }
}

const claimsMax = 20;

/** Whether the address has changed: the new one got an invitation, so the old one gets nothing. */
function isReplaced({ template, channel, to }: Message, { places }: MessageContext): boolean {
  if ((template !== 'Signup' && template !== 'Reminder') || channel !== 'Email') return false;
  const reader = places.flatMap(({ process, signeeKey }) =>
    process.signees.filter(({ key, state }) => key === signeeKey && state !== 'Signed'),
  );
  return reader.every(({ email = '' }) => email !== to);
}

const finalCodes: ReadonlySet<ErrorCode> = new Set([
  'mail.refused',
  'sms.refused',
  'message.delivery.not_allowed',
  'message.phone.missing',
  'message.email.missing',
  'reminder.delivery.not_allowed',
  'reminder.phone.missing',
  'reminder.email.missing',
  'quota.mails.exceeded',
]);

/** Failures that affect every message, whatever its recipient and text. */
const heldCodes: ReadonlySet<ErrorCode> = new Set([
  'mail.configuration',
  'mail.unavailable',
  'sms.configuration',
  'sms.unavailable',
  'config.invalid',
  'network.offline',
]);

async function sendMail(
  message: Message,
  matter: MessageContext,
  { mailer, blobs, mailFrom, store, now }: MessagePorts,
  job: Job,
): Promise<AcceptedMessage> {
  const { own, replyTo, logo } = matter;
  const attachments = await mailAttachments(blobs, matter);
  const facts = { ...matter.facts, hasAttachments: attachments.length > 0 };
  const mail = renderMail(facts, own);
  const to = mail.to ?? message.to;
  if (to === '') throw unreachable(message.template, 'reminder.email.missing');
  if (!isMailAddress(to)) {
    throw new InnsigliError('mail.refused', 'expected one mail address of the recipient');
  }
  const { unsubscribeUrl } = facts;
  const { address } = mailFrom;
  const mailedTo = to.toLowerCase();
  await store.read(async (unit) => {
    await requireHeld(unit, job);
    await requireMailQuota(unit, message, mailedTo, now());
  });
  const acceptance = await mailer.send({
    messageId: `<${message.id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    from: formatMailbox({ name: mailFrom.name ?? fromName(facts), address }),
    to,
    ...defined({ bcc: mail.bcc, replyTo }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: mail.showsLogo ? [...attachments, ...logoPart(logo)] : attachments,
    ...defined({ unsubscribeUrl }),
    sentAtMs: message.createdAtMs,
  });
  return { ...acceptance, mailedTo };
}

/** The display name: sender, if named, and company; without characters that imitate an address. */
function fromName({ senderName, companyName }: MessageFacts): string {
  const names = senderName === undefined ? [companyName] : [senderName, companyName];
  return names.join(' – ').replace(/[<>@]/g, ' ');
}

async function sendSms(
  message: Message,
  { facts, signee }: MessageContext,
  { sms, store }: MessagePorts,
  job: Job,
): Promise<Acceptance> {
  const isCode = message.template === 'OneTimeCode';
  const refusal = isCode || signee === undefined ? undefined : reminderRefusal(signee, 'Sms');
  if (refusal !== undefined) throw unreachable(message.template, refusal.code);
  const to = dialledPhone(message.to);
  if (to === undefined) {
    throw new InnsigliError('sms.refused', 'expected + and 7 to 15 digits, or seven digits');
  }
  const text = renderSms(facts);
  await store.read((unit) => requireHeld(unit, job));
  return sms.send({ id: message.id, to, text, sentAtMs: message.createdAtMs });
}

/** Reminders' delivery rules apply to every message, but `reminder.*` codes only to reminders. */
function unreachable(template: Message['template'], code: ErrorCode): InnsigliError {
  const known = template === 'Reminder' ? code : (messageCodes[code] ?? code);
  return new InnsigliError(known, errorKinds[known].summary);
}

const messageCodes: { readonly [Code in ErrorCode]?: ErrorCode } = {
  'reminder.delivery.not_allowed': 'message.delivery.not_allowed',
  'reminder.phone.missing': 'message.phone.missing',
  'reminder.email.missing': 'message.email.missing',
};

async function settle(
  unit: StoreUnit,
  ports: MessagePorts,
  job: Job,
  message: Message,
  outcome: Outcome,
): Promise<JobFailure | undefined> {
  const nowMs = ports.now();
  const attempts = message.attempts + 1;
  if (outcome.kind === 'unwanted') {
    await unit.messages.save({ ...message, values: {}, state: 'canceled' });
    await finishJob(unit, job);
    return undefined;
  }
  const { lastErrorCode: _code, lastError: _error, heldBy: _held, ...rest } = message;
  const failure =
    outcome.kind === 'failed'
      ? defined({ lastErrorCode: outcome.code, lastError: outcome.why })
      : {};
  const next = { ...rest, attempts, ...failure };
  const wait = outcome.kind === 'failed' ? waitAfter(outcome.scope, next) : undefined;
  if (wait !== undefined) {
    await unit.messages.save({ ...next, ...wait.facts });
    const runAtMs = nowMs + wait.delayMs;
    // Waiting for a setting never crashes a worker, so this claim does not count as an attempt.
    const isCounted = wait.facts.heldBy === undefined;
    const isOurs = await unit.jobs.release(job.kind, job.ref, job.owner, runAtMs, isCounted);
    if (!isOurs) throw takenOver(job);
    return failureOf(outcome, false);
  }
  // Lock order: the process first, then the rows that belong to it.
  const { processKey } = message;
  if (processKey !== undefined) {
    await ports.apply(unit, processKey, sentCommand(message, outcome));
  }
  if (outcome.kind === 'accepted')
    await countMail(unit, message, outcome.acceptance.mailedTo, nowMs);
  const state = outcome.kind === 'accepted' ? 'sent' : 'failed';
  const sentAt = state === 'sent' ? { sentAtMs: nowMs } : {};
  await unit.messages.save({ ...next, ...sentAt, values: {}, state });
  await finishJob(unit, job);
  return failureOf(outcome, true);
}

/** Delay before the next attempt, and the state to store; undefined if there is none. */
function waitAfter(
  scope: FailureScope,
  { template, attempts, heldAttempts = 0, lastErrorCode }: Message,
):
  | { readonly delayMs: number; readonly facts: Pick<Message, 'heldAttempts' | 'heldBy'> }
  | undefined {
  if (scope === 'permanent') return undefined;
  if (scope === 'temporary') {
    const delayMs = retryDelayMs(template, attempts - heldAttempts);
    return delayMs === undefined ? undefined : { delayMs, facts: {} };
  }
  const held = heldAttempts + 1;
  const facts = { heldAttempts: held, heldBy: lastErrorCode ?? '' };
  return { delayMs: heldDelayMs(template, held), facts };
}

function failureOf(outcome: Outcome, isFinal: boolean): JobFailure | undefined {
  if (outcome.kind === 'unwanted') return undefined;
  if (outcome.kind === 'accepted') {
    const { copyFailure } = outcome.acceptance;
    if (copyFailure === undefined) return undefined;
    const { code, message } = copyFailure;
    // The recipient's mail was sent; it is not sent again for the sake of a copy.
    return { code, why: `the blind copy was not sent: ${message}`, isFinal: true };
  }
  const { code, why } = outcome;
  return { code, ...defined({ why }), isFinal };
}

function sentCommand(
  { template, channel, signeeKey }: Message,
  outcome: Exclude<Outcome, { kind: 'unwanted' }>,
): CommandOf<'messageSent'> {
  return {
    type: 'messageSent',
    template,
    channel,
    ...defined({ signeeKey }),
    ...(outcome.kind === 'accepted'
      ? { isAccepted: true, messageId: outcome.acceptance.reference }
      : { isAccepted: false, errorCode: outcome.code }),
  };
}

/** A host that slept after its claim must not send a message that another worker took over. */
async function requireHeld(unit: StoreUnit, job: Job): Promise<void> {
  if (!(await unit.jobs.isHeld(job))) throw takenOver(job);
}

async function finishJob(unit: StoreUnit, job: Job): Promise<void> {
  if (!(await unit.jobs.finish(job.kind, job.ref, job.owner))) throw takenOver(job);
}

function takenOver({ ref }: Job): InnsigliError {
  return new InnsigliError('process.conflict', `another worker is sending message ${ref}`);
}
