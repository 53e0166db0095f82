import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { deliveryLine, flowOf, typesHelp, webhookId } from './options.ts';

interface ParsedOptions {
  readonly flow?: string;
  readonly webhook?: string;
}

/** Adds `webhook trigger` to the command tree. */
export function defineWebhookTrigger(group: Command, start: Start): void {
  const command = group
    .command('trigger')
    .summary('deliver a made-up event')
    .description('Deliver a made-up event of a type to the webhooks that wait for it.')
    .argument('<type>', 'type of event, such as AllSigned')
    .option('--flow <key>', 'flow; may be left out where the company has one')
    .option('--webhook <number>', 'only to this webhook, whatever its type');
  documentCommand(command, {
    text: [
      typesHelp,
      'The event is about made-up people and a blank page, and its Meta has test=true. It is ' +
        'delivered as any other: signed, repeated, listed.',
    ],
    examples: [
      ['innsigli webhook trigger AllSigned', 'to every webhook of that type'],
      ['innsigli webhook trigger Canceled --webhook 3', 'to one'],
    ],
    exits: [
      [0, 'every receiver took it'],
      [2, 'no such type'],
      [5, 'no such webhook, or none of that type'],
      [6, 'the webhook is switched off'],
      [9, 'a receiver did not take it at the first try'],
    ],
  });
  command.action((type: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookTrigger(type, options, context)),
  );
}

/** Delivers the event and prints each delivery after its first attempt. */
export async function runWebhookTrigger(
  type: string,
  { flow, webhook }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const deliveries = await useService(context, async (service) => {
    const id = webhook === undefined ? undefined : webhookId(webhook);
    // A webhook knows its flow; one of several flows must be named only where all are meant.
    const flowKey =
      id !== undefined && flow === undefined
        ? (await service.webhooks.find(id)).flowKey
        : await flowOf(service, flow);
    const request = { type, flowKey, ...(id === undefined ? {} : { webhookId: id }) };
    return console.busy('Waiting for receivers', () => service.webhooks.trigger(request));
  });
  const exitCode: ExitCode = deliveries.every(({ state }) => state === 'done') ? 0 : 9;
  if (console.mode.json) {
    console.document({ v: 1, command: 'webhook trigger', deliveries });
    return exitCode;
  }
  const style = await console.style('stdout');
  for (const delivery of deliveries) console.result(deliveryLine(delivery, style));
  return exitCode;
}
