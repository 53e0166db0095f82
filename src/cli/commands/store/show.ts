import type { Command } from 'commander';
import type { StorageFigures } from '../../../wire/toolkit.types.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../../context.ts';
import { counted, printable } from '../../output/index.ts';

/** Adds `store show` to the command tree. */
export function defineStoreShow(group: Command, start: Start): void {
  const command = group
    .command('show')
    .summary('show what belongs together')
    .description('Show the ids and figures of the database and the folder of contents.');
  documentCommand(command, {
    text: [
      'The database and the folder of contents carry one random id and refuse each other ' +
        'otherwise. Nothing is changed. Every content in the folder is looked up.',
    ],
    examples: [['innsigli store show', 'ids, contents, hosts']],
    exits: [
      [0, 'shown, and they belong together'],
      [10, 'they do not; or the key is missing or another one, or there is no service'],
    ],
  });
  command.action((_: object, self: Command) => start(self, runStoreShow));
}

/** Prints the figures. */
export async function runStoreShow(context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const { config } = await loadConfig(context, {});
  const toolkit = await openToolkit(context, config);
  const figures = await console.busy('Looking', async () => (await toolkit.storage()).show());
  const isOne = figures.databaseId !== undefined && figures.databaseId === figures.folderId;
  if (console.mode.json) console.document({ v: 1, command: 'store show', ok: isOne, ...figures });
  else console.result(figureLines(figures));
  if (!isOne) {
    await console.warn('the database and the contents do not belong together: name the right ones');
  }
  return isOne ? 0 : 10;
}

/** The figures, a line each. */
export function figureLines(figures: StorageFigures): readonly string[] {
  const { databaseId, folderId, folder, sampled, missing, contents, unknown, marked } = figures;
  const found = sampled - missing;
  return [
    `database: store ${databaseId ?? 'none'}`,
    `contents: store ${folderId ?? 'none'} in ${printable(folder)}`,
    `needed: ${found} of ${counted(sampled, 'sampled content')} found`,
    `stored: ${counted(contents, 'content')}, ${unknown} that nothing refers to`,
    `marked: ${counted(marked, 'content')}`,
    `hosts: ${figures.hosts.map(printable).join(', ') || 'none'}`,
    ...(figures.refused === undefined
      ? []
      : [`refused: the last collection wanted to remove ${counted(figures.refused, 'content')}`]),
  ];
}
