import { command } from '../../command/index.ts';
import { messageList } from './list.ts';
import { messageRetry } from './retry.ts';

/** `message` with its commands. */
export const message = command('message', {
  description: 'Manage mails and text messages to people.',
  commands: [messageList, messageRetry],
});
