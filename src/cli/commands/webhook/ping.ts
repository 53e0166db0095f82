import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { webhookId } from './options.ts';

/** Adds `webhook ping` to the command tree. */
export function defineWebhookPing(group: Command, start: Start): void {
  const command = group
    .command('ping')
    .summary('send one test event to a webhook')
    .description('Send one made-up event to a webhook, also to one that is switched off.')
    .argument('<webhook>', 'its number, whole');
  documentCommand(command, {
    text: ['The Meta of the event has test=true. Nothing is kept of it and nothing repeated.'],
    examples: [['innsigli webhook ping 3', 'status and time']],
    exits: [
      [0, 'the receiver took it'],
      [5, 'no such webhook'],
      [7, 'the receiver did not take it'],
    ],
  });
  command.action((id: string, _options: object, self: Command) =>
    start(self, (context) => runWebhookPing(id, context)),
  );
}

/** Sends the event and prints what came back. */
export async function runWebhookPing(idText: string, context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const id = webhookId(idText);
  const outcome = await useService(context, ({ webhooks }) =>
    console.busy('Waiting for the receiver', () => webhooks.ping(id)),
  );
  const exitCode: ExitCode = outcome.isAccepted ? 0 : 7;
  if (console.mode.json) {
    console.document({ v: 1, command: 'webhook ping', webhookId: id, ...outcome });
    return exitCode;
  }
  const { green, red } = await console.style('stdout');
  const met = outcome.status ?? printable(outcome.cause ?? outcome.errorCode ?? '');
  console.result(
    `${outcome.isAccepted ? green('✓') : red('✗')} ${met} in ${outcome.durationMs} ms`,
  );
  if (outcome.answerHead !== undefined) console.note(printable(outcome.answerHead.slice(0, 200)));
  return exitCode;
}
