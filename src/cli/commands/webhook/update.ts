import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { oneOf } from '../option-values.ts';
import { onOff, scheduleHelp, webhookId, webhookLine } from './options.ts';

interface ParsedOptions {
  readonly url?: string;
  readonly type?: string;
  readonly schedule?: string;
  readonly ordered?: string;
  readonly on?: boolean;
  readonly off?: boolean;
  readonly rotateSecret?: boolean;
  readonly dropOldSecrets?: boolean;
}

/** Adds `webhook update` to the command tree. */
export function defineWebhookUpdate(group: Command, start: Start): void {
  const command = group
    .command('update')
    .summary('change a webhook or its secret')
    .description('Change a webhook, switch it on or off, or give it another secret.')
    .argument('<webhook>', 'its number, whole')
    .option('--url <url>', 'address, https')
    .option('--type <type>', 'type of event')
    .option('--schedule <name>', 'published or extended')
    .option('--ordered <on|off>', 'one event of a process after the other')
    .option('--on', 'switch it on; failures until now are forgotten')
    .option('--off', 'switch it off')
    .option('--rotate-secret', 'sign with a new secret and the one before')
    .option('--drop-old-secrets', 'sign with the newest secret only');
  documentCommand(command, {
    text: [
      scheduleHelp,
      'To change a secret: --rotate-secret, give the new one to the receiver, ' +
        '--drop-old-secrets. In between both sign every request.',
    ],
    examples: [
      ['innsigli webhook update 3 --off', 'its deliveries end as dead until it is switched on'],
      ['innsigli webhook update 3 --rotate-secret', 'shows the new secret'],
    ],
    exits: [
      [0, 'changed'],
      [2, 'an option is wrong, or none was given'],
      [5, 'no such webhook'],
    ],
  });
  command.action((id: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookUpdate(id, options, context)),
  );
}

/** Changes what the options name and prints the webhook. */
export async function runWebhookUpdate(
  idText: string,
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { url, type, rotateSecret, dropOldSecrets } = options;
  const id = webhookId(idText);
  if (options.on === true && options.off === true) {
    refuseUsage('expected --on or --off, found both');
  }
  const isActive = options.on === true ? true : options.off === true ? false : undefined;
  const isOrdered = onOff(options.ordered, '--ordered');
  const schedule = oneOf(['published', 'extended'] as const, options.schedule, '--schedule');
  const change = {
    ...(url === undefined ? {} : { url }),
    ...(type === undefined ? {} : { type }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(isOrdered === undefined ? {} : { isOrdered }),
    ...(isActive === undefined ? {} : { isActive }),
  };
  const isChange = Object.keys(change).length > 0;
  if (!isChange && rotateSecret !== true && dropOldSecrets !== true) {
    refuseUsage('expected something to change, found no option');
  }
  const { webhook, secret } = await useService(context, async ({ webhooks }) => {
    if (isChange) await webhooks.update(id, change);
    if (dropOldSecrets === true) await webhooks.dropOldSecrets(id);
    if (rotateSecret === true) return webhooks.rotateSecret(id);
    return { webhook: await webhooks.find(id), secret: undefined };
  });
  if (console.mode.json) {
    const shown = secret === undefined ? {} : { secret };
    console.document({ v: 1, command: 'webhook update', webhook, ...shown });
    return 0;
  }
  console.result(webhookLine(webhook, await console.style('stdout')));
  if (secret !== undefined) {
    const { bold } = await console.style('stderr');
    console.note(`  new secret: ${bold(secret)}`);
  }
  return 0;
}
