import { asKey } from '../../../../src/domain/keys.ts';
import type { CommandOf, ProcessCommand } from '../../../../src/domain/process/command.ts';
import type { Signee, SigningProcess } from '../../../../src/domain/process/process.ts';

/** The time of every decision in these tests. */
export const NOW = Date.UTC(2026, 5, 1, 12);
const DAY = 86_400_000;

const digest = (letter: string) => letter.repeat(64);

/** A signee invited a day ago. */
export const signee = (name: string, order: number, more: Partial<Signee> = {}): Signee => ({
  key: asKey('signee', `si-${name}`),
  name,
  email: `${name}@example.test`,
  phoneNumber: `555000${order}`,
  order,
  state: 'Invited',
  signatureType: 'ClickToSign',
  delivery: 'Email',
  hidePersonalCode: false,
  invitedAtMs: NOW - DAY,
  reminder: { nextAtMs: NOW - 1, sentCount: 0 },
  ...more,
});

const first = signee('anna', 0);
const second = signee('bjorn', 1);
const signed: Partial<Signee> = { state: 'Signed', signedAtMs: NOW - 5 };

/** An open process of two signees. */
export const open: SigningProcess = {
  key: asKey('process', 'sp-1'),
  companyKey: asKey('company', 'c0'),
  flowKey: asKey('flow', 'f0'),
  flowType: 'DropAndSign',
  flowName: 'Contracts',
  status: 'Active',
  phase: 'Open',
  rev: 7,
  fileName: 'a.pdf',
  original: { sha256: digest('a'), lengthBytes: 100 },
  document: { sha256: digest('a'), lengthBytes: 100 },
  documentRev: 0,
  signees: [first, second],
  requiresAuth: false,
  signInOrder: false,
  signatureLocation: 'TopFirstPage',
  flattenDocument: false,
  user: 'owner@example.test',
  meta: {},
  attachments: [
    {
      key: asKey('attachment', 'at-1'),
      fileName: 'b.txt',
      contentType: 'text/plain',
      document: { sha256: digest('b'), lengthBytes: 5 },
      type: 'Unspecified',
    },
  ],
  reminderRule: { firstDays: 1, intervalDays: 3 },
  createdAtMs: NOW - DAY,
  expiresAtMs: NOW + 29 * DAY,
  leaseToken: 4,
  finalization: { attempts: 0 },
  policy: {
    sealLevel: 'B-LTA',
    evidencePage: true,
    mayDecline: true,
    retentionDays: 30,
    confirmSignees: true,
    confirmUser: true,
    notifyAddress: 'office@example.test',
    language: 'Is',
  },
};

const pending = (who: Signee): Signee => {
  const { invitedAtMs: _at, reminder: _plan, ...rest } = who;
  return { ...rest, state: 'Pending' };
};
const { document: _document, original: _original, ...bare } = open;
const waiting = [pending(first), pending(second)];
const isLate = { expiresAtMs: NOW - 1 };
const lease = { signeeKey: first.key, token: 4, untilMs: NOW + 60_000 };
const both = [signee('anna', 0, signed), signee('bjorn', 1, signed)];
const ended = { phase: 'Done', endedAtMs: NOW - 5 } as const;

/** One process for each state that a process can be in. */
export const states: Readonly<Record<string, SigningProcess>> = {
  'draft, no document': { ...bare, status: 'InActive', phase: 'Draft', signees: waiting },
  'draft, no signees': { ...open, status: 'InActive', phase: 'Draft', signees: [] },
  'draft, late': { ...bare, status: 'InActive', phase: 'Draft', signees: waiting, ...isLate },
  'waiting in sequence': {
    ...open,
    status: 'InActive',
    phase: 'Waiting',
    signees: waiting,
    sequenceKey: asKey('sequence', 'pg-1'),
  },
  open,
  'open, in sequence': { ...open, sequenceKey: asKey('sequence', 'pg-1') },
  'open, in order': {
    ...open,
    signInOrder: true,
    signees: [first, pending(second)],
  },
  'open, login needed': { ...open, requiresAuth: true },
  'open, leased to the first': {
    ...open,
    lease,
    signees: [signee('anna', 0, { state: 'Signing' }), second],
  },
  'open, lease over': {
    ...open,
    lease: { ...lease, untilMs: NOW },
    signees: [signee('anna', 0, { state: 'Signing' }), second],
  },
  'open, first signed': { ...open, documentRev: 1, signees: [both[0] as Signee, second] },
  'open, second signed': { ...open, documentRev: 1, signees: [first, both[1] as Signee] },
  'open, late': { ...open, ...isLate },
  'open, late, leased to the first': {
    ...open,
    ...isLate,
    lease,
    signees: [signee('anna', 0, { state: 'Signing' }), second],
  },
  finalizing: { ...open, phase: 'Finalizing', documentRev: 2, signees: both },
  'finalizing, late': { ...open, phase: 'Finalizing', documentRev: 2, signees: both, ...isLate },
  'finalize failed': {
    ...open,
    phase: 'FinalizeFailed',
    documentRev: 2,
    signees: both,
    finalization: { attempts: 8, errorCode: 'tsa.unreachable', errorMessage: 'no answer' },
  },
  completed: { ...open, ...ended, status: 'Completed', documentRev: 2, signees: both },
  expired: { ...open, ...ended, ...isLate, status: 'Expired' },
  canceled: { ...open, ...ended, status: 'Canceled' },
  blocked: { ...open, status: 'Blocked', blockedFrom: 'Active' },
  'blocked draft': {
    ...bare,
    status: 'Blocked',
    phase: 'Draft',
    blockedFrom: 'InActive',
    signees: waiting,
  },
  'blocked, late': { ...open, ...isLate, status: 'Blocked', blockedFrom: 'Active' },
  purged: { ...bare, ...ended, status: 'Completed', signees: both, purgedAtMs: NOW - 1 },
};

const signeeKey = first.key;
const by = 'owner@example.test';
const document = { sha256: digest('c'), lengthBytes: 200 };

/** One command of every type, addressed to the first signee. */
export const commands: { readonly [Type in ProcessCommand['type']]: CommandOf<Type> } = {
  start: { type: 'start', by: 'System' },
  addSignee: { type: 'addSignee', signee: pending(signee('carl', 2)), most: 200, by },
  updateSignee: { type: 'updateSignee', signeeKey, change: { email: 'new@example.test' }, by },
  invite: { type: 'invite', signeeKey, by },
  deleteAttachment: { type: 'deleteAttachment', attachmentKey: 'at-1', by },
  openLink: { type: 'openLink', signeeKey, circumstances: { ip: '192.0.2.1' } },
  view: { type: 'view', signeeKey, sha256: digest('a'), circumstances: { ip: '192.0.2.1' } },
  authenticate: {
    type: 'authenticate',
    signeeKey,
    login: {
      ...{ ssn: '6000101994', name: 'Anna', phoneNumber: '+354 555 0000' },
      ...{ who: 'digest', method: 'simulator' },
    },
    circumstances: {},
  },
  startSigning: { type: 'startSigning', signeeKey, leaseMs: 180_000 },
  abandonSigning: { type: 'abandonSigning', signeeKey, token: 4, cause: 'userCancel' },
  sign: {
    type: 'sign',
    signeeKey,
    seenSha256: digest('a'),
    document,
    proof: { method: 'click', ip: '192.0.2.1' },
  },
  decline: { type: 'decline', signeeKey, reason: 'no', circumstances: { ip: '192.0.2.1' } },
  complete: { type: 'complete', document, level: 'B-LTA', evidence: [] },
  finalizeFailed: {
    type: 'finalizeFailed',
    errorCode: 'tsa.unreachable',
    errorMessage: 'no answer',
    isFinal: false,
    retryAtMs: NOW + 60_000,
  },
  retryFinalize: { type: 'retryFinalize', by },
  expire: { type: 'expire' },
  cancel: { type: 'cancel', by, reason: 'wrong text' },
  block: { type: 'block', by, reason: 'check' },
  unblock: { type: 'unblock', by },
  extend: { type: 'extend', expiresAtMs: NOW + 40 * DAY, by },
  purge: { type: 'purge', contents: [digest('a'), digest('b')], by },
  purgeDue: { type: 'purgeDue', contents: [digest('a'), digest('b')] },
  remind: { type: 'remind', signeeKey, delivery: 'Email', includeUnsubscribe: false, by },
  remindDue: { type: 'remindDue' },
  cancelReminders: { type: 'cancelReminders', signeeKey, by },
  unsubscribe: { type: 'unsubscribe', signeeKey },
  messageSent: {
    type: 'messageSent',
    template: 'Signup',
    channel: 'Email',
    signeeKey,
    isAccepted: true,
    messageId: 'm1',
  },
  messageReceipt: {
    type: 'messageReceipt',
    template: 'Confirmation',
    channel: 'Email',
    signeeKey,
    event: 'delivered',
  },
};
