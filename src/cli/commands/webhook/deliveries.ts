import type { Command } from 'commander';
import { asKey } from '../../../domain/keys.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { counted, printable, wholeSecond } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { numberOf, oneOf, timeOf } from '../option-values.ts';
import { deliveryLine, webhookId } from './options.ts';

interface ParsedOptions {
  readonly webhook?: string;
  readonly process?: string;
  readonly state?: string;
  readonly since?: string;
  readonly take: string;
  readonly body?: boolean;
}

/** Adds `webhook deliveries` to the command tree. */
export function defineWebhookDeliveries(group: Command, start: Start): void {
  const command = group
    .command('deliveries')
    .summary('print what was delivered and what was not')
    .description('Print deliveries, newest first, or one delivery with its attempts.')
    .argument('[delivery]', 'only this one, with its attempts')
    .option('--webhook <number>', 'to this webhook')
    .option('--process <key>', 'about this process')
    .option('--state <state>', 'waiting, done, dead or canceled')
    .option('--since <time>', 'made at or after: 2026-01-31, 7d, 12h')
    .option('--take <count>', 'at most so many', '50')
    .option('--body', 'print the body of the delivery as receivers get it');
  documentCommand(command, {
    text: ['A body holds personal data of the signees.'],
    examples: [
      ['innsigli webhook deliveries --state dead', 'what was given up'],
      ['innsigli webhook deliveries wd0123456789abcdef01234567', 'each attempt'],
    ],
    exits: [
      [0, 'printed, be it nothing'],
      [2, 'an option is wrong'],
      [5, 'no such webhook or delivery'],
    ],
  });
  command.action((id: string | undefined, options: ParsedOptions, self: Command) =>
    start(self, (context) =>
      id === undefined
        ? runWebhookDeliveries(options, context)
        : runWebhookDelivery(id, options, context),
    ),
  );
}

/** Prints one line for each delivery. */
export async function runWebhookDeliveries(
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  if (options.body === true) refuseUsage('--body: expected a delivery, found none');
  const state = oneOf(['waiting', 'done', 'dead', 'canceled'] as const, options.state, '--state');
  const query = {
    take: numberOf(options.take, '--take', 1, 1000),
    ...(options.webhook === undefined ? {} : { webhookId: webhookId(options.webhook) }),
    ...(options.process === undefined ? {} : { processKey: asKey('process', options.process) }),
    ...(state === undefined ? {} : { state }),
    ...(options.since === undefined ? {} : { sinceMs: timeOf(options.since, '--since', io.now()) }),
  };
  const deliveries = await useService(context, ({ webhooks }) => webhooks.deliveries(query));
  if (console.mode.json) {
    console.document({ v: 1, command: 'webhook deliveries', deliveries });
    return 0;
  }
  const style = await console.style('stdout');
  for (const delivery of deliveries) console.result(deliveryLine(delivery, style));
  const count = deliveries.length;
  console.note(
    count === 1 ? '1 delivery' : count === 0 ? 'no delivery fits' : `${count} deliveries`,
  );
  return 0;
}

/** Prints one delivery with its attempts, or its body. */
export async function runWebhookDelivery(
  id: string,
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  if (options.body === true) {
    const body = await useService(context, ({ webhooks }) => webhooks.deliveryBody(id));
    io.stdout.write(io.stdout.isTerminal ? Buffer.from(body).toString() : body);
    return 0;
  }
  const { delivery, attempts } = await useService(context, ({ webhooks }) => webhooks.delivery(id));
  if (console.mode.json) {
    console.document({ v: 1, command: 'webhook deliveries', delivery, attempts });
    return 0;
  }
  console.result(deliveryLine(delivery, await console.style('stdout')));
  for (const { number, atMs, durationMs, status, errorCode = '', ...attempt } of attempts) {
    const { answerHead, cause = errorCode } = attempt;
    console.result(
      `  ${number}  ${wholeSecond(atMs)}  ${durationMs} ms  ${status ?? printable(cause)}`,
    );
    if (answerHead !== undefined) console.result(`     ${printable(answerHead.slice(0, 200))}`);
  }
  console.note(counted(attempts.length, 'attempt'));
  return 0;
}
