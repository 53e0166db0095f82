import type { Service } from '../operation.ts';
import {
  block,
  cancel,
  cancelSequence,
  deleteAttachment,
  extend,
  invite,
  purge,
  retryFinalize,
  unblock,
} from './change.ts';
import { create } from './create.ts';
import { createSequence } from './create-sequence.ts';
import {
  contentOperations,
  countProcesses,
  listProcesses,
  listSequences,
  show,
  showSequence,
} from './read.ts';
import { addSignee, updateSignee } from './signees.ts';
import { requireForm, startByForm } from './start-by-form.ts';

/** Operations of a company on its processes, sequences and their files. */
export const processOperations = {
  /**
   * Takes a document for signature: process, log, events, invitations and jobs are written in one
   * transaction.
   *
   * @example
   * const process = await acme.processes.create({
   *   flowKey,
   *   pdf: await readFile('contract.pdf'),
   *   fileName: 'contract.pdf',
   *   signees: [{ name: 'Anna', email: 'anna@example.com', signatureType: 'ClickToSign' }],
   * });
   */
  create,
  /**
   * Takes several documents for signature, as one: all of them are written, or none.
   *
   * @example
   * const { sequence } = await acme.processes.createSequence({ processes: [order, terms], user });
   */
  createSequence,
  /**
   * Begins a process with the answers of somebody unknown, where the flow is open to them. A
   * signature by click rests on the mail address: its link is sent there.
   *
   * @example
   * const { process, signee } = await acme.processes.startByForm({
   *   flowKey,
   *   values: { amount: '10.000' },
   *   persons: [{ name: 'Anna', phoneNumber: '6666666' }],
   * });
   */
  startByForm,
  /**
   * Lets the form of a flow pass when its answers could begin a process at this moment; throws what
   * stands in the way: a quota, the end of a trial, no channel for messages, no e-ID.
   *
   * @example
   * await acme.processes.requireForm(flowKey);
   */
  requireForm,
  /**
   * A process, by its key.
   *
   * @example
   * const { status, signees } = await acme.processes.show({ key });
   */
  show,
  /**
   * A sequence with its documents.
   *
   * @example
   * const sequence = await acme.processes.showSequence({ key });
   */
  showSequence,
  /**
   * Processes, newest first: 50 from the first on, unless `skip` and `take` say otherwise.
   *
   * @example
   * const active = await acme.processes.list({ status: 'Active', take: 20 });
   */
  list: listProcesses,
  /**
   * Number of processes.
   *
   * @example
   * const count = await acme.processes.count({ status: 'Completed' });
   */
  count: countProcesses,
  /**
   * Sequences, newest first: 50 from the first on, unless `skip` and `take` say otherwise.
   *
   * @example
   * const sequences = await acme.processes.listSequences({ take: 20 });
   */
  listSequences,
  /**
   * Cancels a process: nobody can sign it any more.
   *
   * @example
   * await acme.processes.cancel({ key, by: 'me@acme.example', reason: 'Wrong document' });
   */
  cancel,
  /**
   * Cancels all open documents of a sequence, in one transaction.
   *
   * @example
   * await acme.processes.cancelSequence({ key, by: 'me@acme.example' });
   */
  cancelSequence,
  /**
   * Suspends a process: nobody can sign it meanwhile.
   *
   * @example
   * await acme.processes.block({ key, by: 'me@acme.example', reason: 'Dispute' });
   */
  block,
  /**
   * Ends a suspension.
   *
   * @example
   * await acme.processes.unblock({ key, by: 'me@acme.example' });
   */
  unblock,
  /**
   * Sets when a process that has not expired will expire, in epoch milliseconds.
   *
   * @example
   * await acme.processes.extend({ key, by: user, expiresAtMs: Date.now() + 7 * 86_400_000 });
   */
  extend,
  /**
   * Seals a signed document again whose sealing was given up.
   *
   * @example
   * await acme.processes.retryFinalize({ key, by: 'me@acme.example' });
   */
  retryFinalize,
  /**
   * Adds a signee.
   *
   * @example
   * await acme.processes.addSignee({ key, by: user, signee: { name: 'Dora', email } });
   */
  addSignee,
  /**
   * Changes how a signee is reached; members that are left out or empty stay as they are.
   *
   * @example
   * await acme.processes.updateSignee({ key, signeeKey, by: user, change: { email } });
   */
  updateSignee,
  /**
   * Sends the invitation of a signee again, by the signee's delivery.
   *
   * @example
   * await acme.processes.invite({ key, signeeKey, by: 'me@acme.example' });
   */
  invite,
  /**
   * Removes an attachment, before the first signature.
   *
   * @example
   * await acme.processes.deleteAttachment({ key, attachmentKey, by: user });
   */
  deleteAttachment,
  /**
   * Removes contents, messages kept as files and personal data of a process that has ended.
   *
   * @example
   * await acme.processes.purge({ key, by: 'me@acme.example' });
   */
  purge,
  ...contentOperations,
};

/** The methods of {@link processOperations}. */
export type ProcessService = Service<typeof processOperations>;
