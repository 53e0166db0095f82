import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../../context.ts';
import { counted } from '../../output/index.ts';
import { figureLines } from './show.ts';

interface ParsedOptions {
  readonly yes?: boolean;
}

/** Adds `store adopt` to the command tree. */
export function defineStoreAdopt(group: Command, start: Start): void {
  const command = group
    .command('adopt')
    .summary('join a database and a folder of contents')
    .description('Join this database and this folder of contents under a new id, on purpose.')
    .option('--yes', 'do it; without, only show what they are');
  documentCommand(command, {
    text: [
      'For a restore whose parts are of different times, for a copy that shall be a store of its ' +
        'own, and for seal keys that changed on purpose. Stop every other program that uses the ' +
        'database or the folder before: those that have the former id are refused afterwards.',
      'Nothing is removed. Marks of orphans, hosts and seal keys that were noted are forgotten: ' +
        'what the database does not know goes 30 days later at the earliest.',
    ],
    examples: [
      ['innsigli store adopt', 'see what would be joined'],
      ['innsigli store adopt --yes', 'join them'],
    ],
    exits: [
      [0, 'joined'],
      [9, 'shown only: --yes is missing'],
      [10, 'the key is missing or another one, or there is no service'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runStoreAdopt(options, context)),
  );
}

/** Shows both and, with `yes`, joins them. */
export async function runStoreAdopt(
  { yes = false }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { config } = await loadConfig(context, {});
  const storage = await (await openToolkit(context, config)).storage();
  const figures = await console.busy('Looking', () => storage.show());
  const storeId = yes ? await storage.adopt() : undefined;
  if (console.mode.json) {
    const adopted = storeId === undefined ? {} : { storeId };
    console.document({ v: 1, command: 'store adopt', adopted: yes, ...figures, ...adopted });
    return yes ? 0 : 9;
  }
  console.note(figureLines(figures));
  if (storeId === undefined) {
    const { missing } = figures;
    if (missing > 0) console.note(`${counted(missing, 'sampled content')} would be missing.`);
    console.note('Nothing was changed; --yes joins them, and parts them from all others.');
    return 9;
  }
  console.result(`store: ${storeId}`);
  return 0;
}
