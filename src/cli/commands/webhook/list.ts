import { defined } from '../../../base/defined.ts';
import { command, key } from '../../command/index.ts';
import { typesHelp, webhookLine } from './options.ts';

/** Prints one line for each webhook. */
export const webhookList = command('webhook list', {
  summary: 'print the webhooks',
  description: 'Print the webhooks of all flows or one.',
  options: {
    '--flow <key>': { text: 'only of this flow', ...key('flow') },
    '--type <type>': 'only of this type',
    '--print-secret': 'with their secrets',
  },
  help: [typesHelp],
  examples: {
    'innsigli webhook list': 'all of them',
    'innsigli webhook list --type AllSigned --json': 'for programs',
  },
  exits: { 0: 'printed (the list may be empty)', 2: 'no such type', 5: 'no such flow' },
  call: async ({ webhooks }, { flow: flowKey, type, printSecret }) => {
    const found = await webhooks.list(defined({ flowKey, type }));
    const withSecrets = found.map(async (webhook) =>
      printSecret ? { ...webhook, secrets: await webhooks.secrets(webhook.id) } : webhook,
    );
    return { webhooks: await Promise.all(withSecrets) };
  },
  text: async ({ webhooks }, { console }) => {
    const style = await console.style('stdout');
    for (const webhook of webhooks) {
      const secrets = 'secrets' in webhook ? webhook.secrets : [];
      const shown = secrets.map((secret) => `  ${secret}`);
      console.result([webhookLine(webhook, style, webhooks), ...shown]);
    }
    if (webhooks.length === 0)
      console.note('there is no webhook: create one with innsigli webhook create');
  },
});
