import type { Command } from 'commander';
import { asKey } from '../../../domain/keys.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { typesHelp, webhookLine } from './options.ts';

interface ParsedOptions {
  readonly flow?: string;
  readonly type?: string;
  readonly printSecret?: boolean;
}

/** Adds `webhook list` to the command tree. */
export function defineWebhookList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('print the webhooks')
    .description('Print the webhooks of all flows or one.')
    .option('--flow <key>', 'of this flow')
    .option('--type <type>', 'of this type')
    .option('--print-secret', 'with their secrets');
  documentCommand(command, {
    text: [typesHelp],
    examples: [
      ['innsigli webhook list', 'all of them'],
      ['innsigli webhook list --type AllSigned --json', 'for programs'],
    ],
    exits: [
      [0, 'printed, be it nothing'],
      [2, 'no such type'],
      [5, 'no such flow'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookList(options, context)),
  );
}

/** Prints one line for each webhook. */
export async function runWebhookList(
  { flow, type, printSecret }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const found = await useService(context, async ({ webhooks }) => {
    const list = await webhooks.list({
      ...(flow === undefined ? {} : { flowKey: asKey('flow', flow) }),
      ...(type === undefined ? {} : { type }),
    });
    if (printSecret !== true) return list.map((webhook) => ({ webhook, secrets: undefined }));
    const all = list.map(async (webhook) => ({
      webhook,
      secrets: await webhooks.secrets(webhook.id),
    }));
    return Promise.all(all);
  });
  if (console.mode.json) {
    const webhooks = found.map(({ webhook, secrets }) => ({
      ...webhook,
      ...(secrets === undefined ? {} : { secrets }),
    }));
    console.document({ v: 1, command: 'webhook list', webhooks });
    return 0;
  }
  const style = await console.style('stdout');
  const all = found.map(({ webhook }) => webhook);
  for (const { webhook, secrets = [] } of found) {
    console.result([webhookLine(webhook, style, all), ...secrets.map((secret) => `  ${secret}`)]);
  }
  if (found.length === 0) console.note('no webhook; innsigli webhook create adds one');
  return 0;
}
