import { defined } from '../../../base/defined.ts';
import { command, oneOf, onOff } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { scheduleHelp, schedules, webhookLine, webhookNumber } from './options.ts';

/** Changes the given properties and prints the webhook. */
export const webhookUpdate = command('webhook update', {
  summary: 'change a webhook or its secret',
  description: 'Change a webhook, switch it on or off, or replace its secret.',
  args: { '<webhook>': webhookNumber },
  options: {
    '--url <url>': 'address, https',
    '--type <type>': 'type of event',
    '--schedule <name>': { text: 'published or extended', ...oneOf(schedules) },
    '--ordered <on|off>': { text: 'deliver the events of a process one after the other', ...onOff },
    '--on': 'switch it on and reset its failures',
    '--off': 'switch it off',
    '--rotate-secret': 'sign with a new secret and the previous one',
    '--drop-old-secrets': 'sign with the newest secret only',
  },
  help: [
    scheduleHelp,
    'To change a secret: --rotate-secret, give the new one to the receiver, --drop-old-secrets. ' +
      'In between every request is signed with both.',
  ],
  examples: {
    'innsigli webhook update 3 --off': 'its deliveries become dead until it is switched on',
    'innsigli webhook update 3 --rotate-secret': 'shows the new secret',
  },
  exits: { 0: 'changed', 2: 'an option is invalid, or none was given', 5: 'no such webhook' },
  check({ webhook: _, on, off, ...others }) {
    if (on && off) refuseUsage('expected --on or --off, found both');
    if (Object.keys(defined({ on, off, ...others })).length === 0) {
      refuseUsage('expected something to change, found no option');
    }
  },
  call: async ({ webhooks }, { webhook: id, ordered: isOrdered, on, off, ...given }) => {
    const { url, type, schedule, rotateSecret, dropOldSecrets } = given;
    const isActive = on ?? (off ? false : undefined);
    const change = defined({ url, type, schedule, isOrdered, isActive });
    if (Object.keys(change).length > 0) await webhooks.update(id, change);
    if (dropOldSecrets) await webhooks.dropOldSecrets(id);
    if (rotateSecret) return webhooks.rotateSecret(id);
    return { webhook: await webhooks.find(id) };
  },
  text: async (changed, { console }) => {
    console.result(webhookLine(changed.webhook, await console.style('stdout')));
    if (!('secret' in changed)) return;
    const { bold } = await console.style('stderr');
    console.note(`  new secret: ${bold(changed.secret)}`);
  },
});
