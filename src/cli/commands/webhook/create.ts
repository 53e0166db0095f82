import { defined } from '../../../base/defined.ts';
import { nextLine } from '../../advice.ts';
import { command, key, oneOf } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { flowOf, readSecretFile, scheduleHelp, schedules, typesHelp } from './options.ts';

/** Registers a webhook, prints its ID and shows its secret. */
export const webhookCreate = command('webhook create', {
  summary: 'register a URL for one type of event',
  description: 'Register a URL to receive one type of event of one flow.',
  args: { '<url>': 'address, https' },
  options: {
    '--type <type>': { text: 'type of event, such as AllSigned', required: true },
    '--flow <key>': { text: 'flow; optional if the company has only one', ...key('flow') },
    '--schedule <name>': {
      text: 'published or extended',
      ...oneOf(schedules),
      default: 'published',
    },
    '--ordered': 'deliver the events of a process one after the other',
    '--off': 'register it as switched off',
    '--secret-file <file>': {
      text: 'file with the whsec_ secret to sign with (default: a new one)',
      ...readSecretFile,
    },
  },
  help: [
    typesHelp,
    scheduleHelp,
    'Prints the number of the webhook. The secret is shown now; later only ' +
      'innsigli webhook list --print-secret shows it.',
  ],
  examples: {
    'innsigli webhook create https://example.is/hook --type AllSigned': 'with a new secret',
    'innsigli webhook create https://example.is/hook --type Created --schedule extended':
      'ten tries within three days',
  },
  exits: { 0: 'registered', 2: 'URL, type or secret is invalid', 5: 'no such flow' },
  check({ secretFile: given }) {
    if (given === undefined || given.secrets.length === 1) return;
    const found = `found ${given.secrets.length} in the file`;
    refuseUsage('--secret-file: expected one whsec_ secret', found);
  },
  call: async (service, { url, type, flow, schedule, ordered, off, secretFile }) => {
    const own = secretFile?.secrets[0];
    const { webhook, secret } = await service.webhooks.create({
      url,
      type,
      flowKey: await flowOf(service, flow),
      isOrdered: ordered === true,
      isActive: off !== true,
      schedule,
      ...defined({ secret: own }),
    });
    return { webhook, secret: own === undefined ? secret : undefined };
  },
  text: async ({ webhook, secret }, { console, globals }) => {
    const { green, bold } = await console.style('stderr');
    console.note(
      `${green('✓')} webhook ${webhook.id} for ${webhook.type}, schedule ${webhook.schedule}`,
    );
    if (secret !== undefined) console.note(`  secret: ${bold(secret)}`);
    console.note(nextLine('send a test event', `webhook ping ${webhook.id}`, globals));
    console.result(String(webhook.id));
  },
});
