import { defined } from '../../../base/defined.ts';
import { nextLine } from '../../advice.ts';
import { command, key, oneOf } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { flowOf, readSecretFile, scheduleHelp, schedules, typesHelp } from './options.ts';

/** Registers a webhook, prints its ID and shows its secret. */
export const webhookCreate = command('webhook create', {
  summary: 'register an address for one type of event',
  description: 'Register an address that receives one type of event of one flow.',
  args: { '<url>': 'address, https' },
  options: {
    '--type <type>': { text: 'type of event, such as AllSigned', required: true },
    '--flow <key>': { text: 'flow; optional if the company has only one', ...key('flow') },
    '--schedule <name>': {
      text: 'published or extended',
      ...oneOf(schedules),
      default: 'published',
    },
    '--ordered': 'one event of a process after the other',
    '--off': 'register it switched off',
    '--secret-file <file>': {
      text: 'file with the whsec_ secret to sign with (default: a new one)',
      ...readSecretFile,
    },
  },
  help: [
    typesHelp,
    scheduleHelp,
    'Prints the number of the webhook. The secret is shown now, and later only by ' +
      'innsigli webhook list --print-secret.',
  ],
  examples: {
    'innsigli webhook create https://example.is/hook --type AllSigned': 'with a new secret',
    'innsigli webhook create https://example.is/hook --type Created --schedule extended':
      'ten tries within three days',
  },
  exits: { 0: 'registered', 2: 'address, type or secret cannot be used', 5: 'no such flow' },
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
