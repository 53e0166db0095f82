import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  type Start,
} from '../../context.ts';
import { counted } from '../../output/index.ts';

interface ParsedOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Adds `store collect` to the command tree. */
export function defineStoreCollect(group: Command, start: Start): void {
  const command = group
    .command('collect')
    .summary('remove contents that nothing refers to')
    .description('Mark contents that nothing refers to, and remove those marked 30 days ago.')
    .option('--dry-run', 'change nothing, show figures')
    .option('--yes', 'remove them however many they are');
  documentCommand(command, {
    text: [
      'A worker does this once a day. A run that would remove more than 1 % of all contents, and ' +
        'more than 10, removes nothing and says so: the database may be an older or another one.',
      'What a process, a revision of its document, a flow or a webhook event refers to is never ' +
        'removed. Purging a process removes its contents at once and has nothing to do with this.',
    ],
    examples: [
      ['innsigli store collect --dry-run', 'what would go'],
      ['innsigli store collect --yes', 'confirm a run that was refused'],
    ],
    exits: [
      [0, 'done'],
      [6, 'refused: too many would go'],
      [10, 'database and contents do not belong together'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runStoreCollect(options, context)),
  );
}

/** Collects once and prints the figures. */
export async function runStoreCollect(
  { dryRun = false, yes = false }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  if (dryRun && yes) refuseUsage('expected --dry-run or --yes, found both');
  const { config } = await loadConfig(context, {});
  const storage = await (await openToolkit(context, config)).storage();
  const report = await console.busy('Collecting', () =>
    storage.collect({ confirmed: yes, dryRun }),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: 'store collect', dryRun, ...report });
    return 0;
  }
  const { contents, orphans, marked, due, removed, restarted } = report;
  if (restarted) {
    console.note('The last collection was not of this database: every mark begins anew.');
  }
  console.result([
    `stored: ${counted(contents, 'content')}, ${orphans} that nothing refers to`,
    `${dryRun ? 'to be marked' : 'marked now'}: ${counted(marked, 'content')}`,
    `marked 30 days ago: ${counted(due, 'content')}`,
    `removed: ${counted(removed, 'content')}`,
  ]);
  return 0;
}
