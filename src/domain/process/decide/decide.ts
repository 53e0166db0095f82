import type { CommandOf, ProcessCommand } from '../command.ts';
import type { Decision } from '../consequences.ts';
import type { Handler } from '../guards.ts';
import type { SigningProcess } from '../process.ts';
import type { DecisionContext } from '../turn.ts';
import { complete, finalizeFailed, retryFinalize } from './finishing.ts';
import { block, cancel, expire, extend, unblock } from './life.ts';
import {
  cancelReminders,
  invite,
  messageReceipt,
  messageSent,
  remind,
  remindDue,
  unsubscribe,
} from './messages.ts';
import { addSignee, deleteAttachment, start, updateSignee } from './preparing.ts';
import { purge, purgeDue } from './purge.ts';
import {
  abandonSigning,
  authenticate,
  decline,
  openLink,
  sign,
  startSigning,
  view,
} from './signing.ts';

export { confirmations } from './finishing.ts';

const handlers: { readonly [Type in ProcessCommand['type']]: Handler<Type> } = {
  start,
  addSignee,
  updateSignee,
  invite,
  deleteAttachment,
  openLink,
  view,
  authenticate,
  startSigning,
  abandonSigning,
  sign,
  decline,
  complete,
  finalizeFailed,
  retryFinalize,
  expire,
  cancel,
  block,
  unblock,
  extend,
  purge,
  purgeDue,
  remind,
  remindDue,
  cancelReminders,
  unsubscribe,
  messageSent,
  messageReceipt,
};

/** Every type of command, in the order of the handler table. */
export const commandTypes = Object.keys(handlers) as readonly ProcessCommand['type'][];

/**
 * Decides the effect of `command` on `process`: the next state and all its consequences, or the
 * rule that refuses it. Pure: equal arguments give equal decisions. The caller writes the whole
 * result in one transaction.
 */
export function decide<Type extends ProcessCommand['type']>(
  process: SigningProcess,
  command: CommandOf<Type>,
  context: DecisionContext,
): Decision {
  const handler: Handler<Type> = handlers[command.type as Type];
  return handler(process, command, context);
}
