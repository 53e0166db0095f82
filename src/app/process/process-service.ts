import type { Service } from '../operation.ts';
import { changeOperations } from './change.ts';
import { create } from './create.ts';
import { createSequence } from './create-sequence.ts';
import { contentOperations, readOperations } from './read.ts';
import { signeeOperations } from './signees.ts';
import { formOperations } from './start-by-form.ts';

/** Operations of a company on its processes, its sequences and their files. */
export const processOperations = {
  /**
   * Creates a signing process. The process, its log, events, invitations and jobs are written in
   * one transaction.
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
   * Creates a sequence of several documents to be signed. Either all of them are written or none.
   *
   * @example
   * const { sequence } = await acme.processes.createSequence({ processes: [order, terms], user });
   */
  createSequence,
  ...formOperations,
  ...readOperations,
  ...changeOperations,
  ...signeeOperations,
  ...contentOperations,
};

/** The methods of {@link processOperations}. */
export type ProcessService = Service<typeof processOperations>;
