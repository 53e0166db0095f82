import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { nextLine } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { oneOf } from '../option-values.ts';
import { flowOf, readSecretFile, scheduleHelp, typesHelp } from './options.ts';

interface ParsedOptions {
  readonly flow?: string;
  readonly type: string;
  readonly schedule: string;
  readonly ordered?: boolean;
  readonly off?: boolean;
  readonly secretFile?: string;
}

/** Adds `webhook create` to the command tree. */
export function defineWebhookCreate(group: Command, start: Start): void {
  const command = group
    .command('create')
    .summary('register an address for one type of event')
    .description('Register an address that is told of one type of event of one flow.')
    .argument('<url>', 'address, https')
    .requiredOption('--type <type>', 'type of event, such as AllSigned')
    .option('--flow <key>', 'flow; may be left out where the company has one')
    .option('--schedule <name>', 'published or extended', 'published')
    .option('--ordered', 'one event of a process after the other')
    .option('--off', 'register it switched off')
    .option(
      '--secret-file <file>',
      'file with the whsec_ secret to sign with (default: a new one)',
    );
  documentCommand(command, {
    text: [
      typesHelp,
      scheduleHelp,
      'Prints the number of the webhook. The secret is shown now, and later only on ' +
        '--print-secret of innsigli webhook list.',
    ],
    examples: [
      ['innsigli webhook create https://example.is/hook --type AllSigned', 'with a new secret'],
      [
        'innsigli webhook create https://example.is/hook --type Created --schedule extended',
        'ten tries within three days',
      ],
    ],
    exits: [
      [0, 'registered'],
      [2, 'address, type or secret cannot be used'],
      [5, 'no such flow'],
    ],
  });
  command.action((url: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookCreate(url, options, context)),
  );
}

/** Registers the webhook, prints its number and shows its secret. */
export async function runWebhookCreate(
  url: string,
  { flow, type, schedule: name, ordered, off, secretFile }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const schedule = oneOf(['published', 'extended'] as const, name, '--schedule');
  const given = secretFile === undefined ? undefined : readSecretFile(secretFile, io.cwd).secrets;
  const [own] = given ?? [];
  if (given !== undefined && (own === undefined || given.length > 1)) {
    refuseUsage('--secret-file: expected one whsec_ secret', `found ${given.length} in the file`);
  }
  const { webhook, secret } = await useService(context, async (service) =>
    service.webhooks.create({
      url,
      type,
      flowKey: await flowOf(service, flow),
      isOrdered: ordered === true,
      isActive: off !== true,
      ...(schedule === undefined ? {} : { schedule }),
      ...(own === undefined ? {} : { secret: own }),
    }),
  );
  if (console.mode.json) {
    const shown = own === undefined ? { secret } : {};
    console.document({ v: 1, command: 'webhook create', webhook, ...shown });
    return 0;
  }
  const { green, bold } = await console.style('stderr');
  console.note(
    `${green('✓')} webhook ${webhook.id} for ${webhook.type}, schedule ${webhook.schedule}`,
  );
  if (own === undefined) console.note(`  secret: ${bold(secret)}`);
  console.note(nextLine('send a test event', `webhook ping ${webhook.id}`, context.globals));
  console.result(String(webhook.id));
  return 0;
}
