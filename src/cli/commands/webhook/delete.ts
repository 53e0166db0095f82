import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { webhookId } from './options.ts';

/** Adds `webhook delete` to the command tree. */
export function defineWebhookDelete(group: Command, start: Start): void {
  const command = group
    .command('delete')
    .summary('remove a webhook')
    .description('Remove a webhook; its waiting deliveries are cancelled.')
    .argument('<webhook>', 'its number, whole');
  documentCommand(command, {
    examples: [['innsigli webhook delete 3', 'nothing more is sent']],
    exits: [
      [0, 'removed'],
      [5, 'no such webhook'],
    ],
  });
  command.action((id: string, _options: object, self: Command) =>
    start(self, (context) => runWebhookDelete(id, context)),
  );
}

/** Removes the webhook. */
export async function runWebhookDelete(idText: string, context: CommandContext): Promise<ExitCode> {
  const id = webhookId(idText);
  await useService(context, ({ webhooks }) => webhooks.delete(id));
  if (context.console.mode.json) {
    context.console.document({ v: 1, command: 'webhook delete', webhookId: id });
  } else {
    context.console.note(`webhook ${id} is removed`);
  }
  return 0;
}
