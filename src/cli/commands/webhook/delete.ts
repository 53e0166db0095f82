import { command } from '../../command/index.ts';
import { webhookNumber } from './options.ts';

/** Removes a webhook. */
export const webhookDelete = command('webhook delete', {
  summary: 'remove a webhook',
  description: 'Remove a webhook; its pending deliveries are cancelled.',
  args: { '<webhook>': webhookNumber },
  examples: { 'innsigli webhook delete 3': 'nothing more is sent' },
  exits: { 0: 'removed', 5: 'no such webhook' },
  call: async ({ webhooks }, { webhook: webhookId }) => {
    await webhooks.delete(webhookId);
    return { webhookId };
  },
  text: ({ webhookId }, { console }) => console.note(`removed webhook ${webhookId}`),
});
