import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { nextLine } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { timeOf } from '../option-values.ts';
import { webhookId } from './options.ts';

interface ParsedOptions {
  readonly webhook?: string;
  readonly since?: string;
}

/** Adds `webhook replay` to the command tree. */
export function defineWebhookReplay(group: Command, start: Start): void {
  const command = group
    .command('replay')
    .summary('deliver again')
    .description('Deliver again what was delivered or given up.')
    .argument('[delivery]', 'this one; without: all that --webhook gave up')
    .option('--webhook <number>', 'every dead delivery of this webhook')
    .option('--since <time>', 'those made at or after: 2026-01-31, 7d, 12h');
  documentCommand(command, {
    text: [
      'The body and its id stay the same, octet for octet, so a receiver that has seen it knows ' +
        'it. All tries of the schedule begin anew.',
    ],
    examples: [
      ['innsigli webhook replay wd0123456789abcdef01234567', 'one delivery'],
      ['innsigli webhook replay --webhook 3 --since 7d', 'what was given up this week'],
    ],
    exits: [
      [0, 'waiting for a worker, be it none'],
      [2, 'neither delivery nor webhook, or both'],
      [5, 'no such delivery or webhook'],
      [6, 'the webhook is switched off'],
    ],
  });
  command.action((id: string | undefined, options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookReplay(id, options, context)),
  );
}

/** Makes deliveries due and prints their ids. */
export async function runWebhookReplay(
  id: string | undefined,
  { webhook, since }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  if ((id === undefined) === (webhook === undefined)) {
    const found = id === undefined ? 'neither' : 'both';
    refuseUsage(`expected a delivery or --webhook, found ${found}`);
  }
  if (since !== undefined && webhook === undefined) {
    refuseUsage('--since: expected --webhook with it, found none');
  }
  const request =
    webhook === undefined
      ? { deliveryId: id ?? '' }
      : {
          webhookId: webhookId(webhook),
          ...(since === undefined ? {} : { sinceMs: timeOf(since, '--since', io.now()) }),
        };
  const deliveries = await useService(context, ({ webhooks }) => webhooks.replay(request));
  if (console.mode.json) {
    console.document({ v: 1, command: 'webhook replay', deliveries });
    return 0;
  }
  if (deliveries.length > 0) console.result(deliveries);
  console.note(
    deliveries.length === 0
      ? 'nothing to replay'
      : nextLine('deliver them', 'worker --once --only webhook', context.globals),
  );
  return 0;
}
