import { isSameNumber, isSamePerson } from '../../person/index.ts';
import {
  accept,
  inviteInTurn,
  newDraft,
  reminderJobs,
  systemActor,
  withSignee,
} from '../accept.ts';
import { attachmentDigests, type Decision, type MessageDraft } from '../consequences.ts';
import {
  endedRule,
  type Handler,
  leaseRule,
  ofSignee,
  refusal,
  refuse,
  signedRule,
  type Verdict,
} from '../guards.ts';
import {
  addByLinkRule,
  afterLinkChange,
  agreedRule,
  changeByLinkRule,
  withInvitationCounted,
} from '../link-rules.ts';
import { type Signee, type SigningProcess, signeesMax } from '../process.ts';
import type { DecisionContext } from '../turn.ts';

/** Starts the process when the sequence reaches it, or invites further signees whose turn it is. */
export const start: Handler<'start'> = (process, { by }, context) => {
  const { status, phase } = process;
  if (status === 'InActive' && phase === 'Waiting') return activate(process, by, context);
  if (status === 'Active' && phase === 'Open') {
    const draft = newDraft();
    const signees = inviteInTurn(process, context, draft);
    if (signees.every((each, at) => each === process.signees[at])) return { kind: 'unchanged' };
    const jobs = reminderJobs({ ...process, signees });
    return accept(process, { signees }, { ...draft, jobs });
  }
  return refuse(endedRule(process, context) ?? notWaiting(process, 'its turn'));
};

/** Adds a signee, unless the process has ended. */
export const addSignee: Handler<'addSignee'> = (
  process,
  { signee: newSignee, by, most, mostByLink },
  context,
) => {
  const { key } = process;
  if (process.sequenceKey !== undefined) {
    const message = `process ${key} is part of sequence ${process.sequenceKey}`;
    return refuse(refusal('error.signee.wrong.route', message));
  }
  const ended = endedRule(process, context);
  if (ended !== undefined) {
    const isBlocked = ended.code === 'signing.forbidden.blocked';
    return refuse(isBlocked ? ended : finished(process));
  }
  const { signees: present } = process;
  const max = Math.min(most, signeesMax);
  const isByLink = mostByLink !== undefined;
  const bounded = isByLink
    ? addByLinkRule(process, newSignee, { most: max, mostByLink })
    : undefined;
  if (bounded !== undefined) return refuse(bounded);
  if (present.length >= max) {
    const found = `the process already has ${max} signees`;
    return refuse(refusal('validation.error', `signees: ${found}`));
  }
  const twin = duplicateSigneeRule(process, newSignee);
  if (twin !== undefined) return refuse(twin);
  const order = Math.max(-1, ...present.map((other) => other.order)) + 1;
  const signee: Signee = {
    ...newSignee,
    order,
    ...(isByLink ? { byLink: { isAdded: true } } : {}),
  };
  const draft = newDraft();
  const row = { status: 'SigneeAdded', signeeKey: signee.key, createdBy: by };
  draft.activity.push(isByLink ? { ...row, description: 'by link' } : row);
  const caused = isByLink && newSignee.delivery !== 'None' ? withInvitationCounted(process) : {};
  const withNew = { ...process, ...caused, signees: [...present, signee] };
  if (process.phase === 'Draft' && process.document !== undefined) {
    const decision = activate(withNew, by, context);
    if (decision.kind !== 'accepted') return decision;
    const { activity, messages } = decision.consequences;
    const rows = [...draft.activity, ...activity];
    const marked = causedBy(isByLink, messages);
    const consequences = { ...decision.consequences, activity: rows, messages: marked };
    return { ...decision, consequences };
  }
  const signees = inviteInTurn(withNew, context, draft);
  const jobs = reminderJobs({ ...process, signees });
  const messages = causedBy(isByLink, draft.messages);
  return accept(process, { signees, ...caused }, { ...draft, messages, jobs });
};

/** Changes the contact data of a signee. A changed address gets a new invitation. */
export const updateSignee = ofSignee<'updateSignee'>(
  (process, signee, { signeeKey, change, by, isByLink = false }, context) => {
    const refused = endedRule(process, context) ?? signedRule(process, signee);
    if (refused !== undefined) return refuse(refused);
    const changed: Signee = { ...signee, ...change };
    const fields = Object.keys(change).filter(
      (name) => change[name as keyof typeof change] !== signee[name as keyof Signee],
    );
    if (fields.length === 0) return { kind: 'unchanged' };
    const isAddress = fields.includes('email');
    const isInvited = isAddress && signee.invitedAtMs !== undefined && signee.delivery === 'Email';
    const link = { isAddress, isInvited };
    // Limits first: a link that exceeded them must not reveal whether an address is a signee's.
    const bounded = isByLink ? changeByLinkRule(process, signee, link) : undefined;
    if (bounded !== undefined) return refuse(bounded);
    const twin = isAddress ? duplicateSigneeRule(process, changed) : undefined;
    if (twin !== undefined) return refuse(twin);
    const draft = newDraft();
    draft.activity.push({
      status: 'SigneeUpdated',
      signeeKey,
      createdBy: by,
      description: `${isByLink ? 'by link, ' : ''}changed: ${fields.sort().join(', ')}`,
    });
    const invitation = { template: 'Signup', channel: 'Email', signeeKey } as const;
    if (isInvited) draft.messages.push(...causedBy(isByLink, [invitation]));
    const next = isByLink ? { ...changed, byLink: afterLinkChange(signee, link) } : changed;
    const caused = isByLink && isInvited ? withInvitationCounted(process) : {};
    return accept(process, { signees: withSignee(process, next), ...caused }, draft);
  },
);

function causedBy(isByLink: boolean, messages: readonly MessageDraft[]): readonly MessageDraft[] {
  return isByLink ? messages.map((each) => ({ ...each, isByLink })) : messages;
}

/** Forbids adding a person who already is a signee: no one signs a document twice. */
function duplicateSigneeRule(
  { key, signees }: SigningProcess,
  newSignee: Omit<Signee, 'order'>,
): Verdict {
  const twin = signees.find(
    (other) =>
      other.key !== newSignee.key &&
      (isSamePerson(other, newSignee) || hasSignedAs(other, newSignee)),
  );
  if (twin === undefined) return undefined;
  return refusal('error.signee.add.exists', `the person is already a signee of ${key}`);
}

function hasSignedAs({ state, login }: Signee, { ssn }: Pick<Signee, 'ssn'>): boolean {
  return state === 'Signed' && isSameNumber(login?.ssn, ssn);
}

/** Removes an attachment, unless someone has already signed or is signing. */
export const deleteAttachment: Handler<'deleteAttachment'> = (
  process,
  { attachmentKey, by },
  context,
) => {
  const found = process.attachments.find(({ key }) => key === attachmentKey);
  if (found === undefined) {
    const message = `process ${process.key} has no attachment ${attachmentKey}`;
    return refuse(refusal('process.file.not_found', message));
  }
  if (endedRule(process, context) !== undefined) return refuse(finished(process));
  const agreed = agreedRule(process) ?? leaseRule(process, undefined, context);
  if (agreed !== undefined) return refuse(agreed);
  const attachments = process.attachments.filter((each) => each !== found);
  const row = { status: 'AttachmentDeleted', createdBy: by, fileName: found.fileName };
  const digests = attachmentDigests([found]);
  return accept(process, { attachments }, { activity: [{ ...row, digests }] });
};

/** Opens the process for signatures. Without signees it remains a draft. */
function activate(process: SigningProcess, by: string, context: DecisionContext): Decision {
  const stored = { original: process.original, document: process.document };
  if (process.signees.length === 0 || process.document === undefined) {
    return accept(process, { ...stored, signees: process.signees }, {});
  }
  const open: SigningProcess = { ...process, status: 'Active', phase: 'Open' };
  const draft = newDraft();
  const createdBy = process.user ?? by ?? systemActor;
  draft.activity.push({ status: 'Started', createdBy, fileName: process.fileName });
  const signees = inviteInTurn(open, context, draft);
  const jobs = reminderJobs({ ...open, signees });
  return accept(process, { ...open, signees }, { ...draft, jobs });
}

function finished({ key, status, phase }: SigningProcess) {
  return refusal('error.signee.process.finished', `process ${key} is ${status} (${phase})`);
}

function notWaiting({ key, status, phase }: SigningProcess, what: string) {
  const found = `it is ${status} (${phase})`;
  return refusal('process.state.refused', `process ${key} does not expect ${what}: ${found}`);
}
