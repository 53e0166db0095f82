import type { ClockFigures, StorageService } from '../../../wire/service/storage-service.types.ts';
import type { StorageFigures } from '../../../wire/toolkit.types.ts';
import { command } from '../../command/index.ts';
import { type CommandContext, loadConfig, openToolkit, refuseUsage } from '../../context.ts';
import { counted, printable } from '../../output/index.ts';

const noKey = 'the key is missing or different, or there is no service';

async function openStorage(context: CommandContext): Promise<StorageService> {
  const { config } = await loadConfig(context, {});
  return (await openToolkit(context, config)).storage();
}

const storeShow = command('store show', {
  summary: 'compare the parts of the storage',
  description: 'Show the IDs and statistics of the database and the contents folder.',
  help: [
    'The database and the contents folder share one random ID and otherwise refuse to work ' +
      'together. Nothing is changed. Every content in the folder is looked up.',
  ],
  examples: { 'innsigli store show': 'IDs, contents, hosts' },
  exits: {
    0: 'database and contents belong together',
    10: `they do not belong together, or ${noKey}`,
  },
  busy: 'Reading',
  run: async (_, context) => {
    const figures = await (await openStorage(context)).show();
    const { databaseId, folderId } = figures;
    const ok = databaseId !== undefined && databaseId === folderId;
    return { ok, ...figures };
  },
  text: (figures, { console }) => console.result(figureLines(figures)),
  exit: async ({ ok }, _, { console }) => {
    if (ok) return 0;
    await console.warn(
      'the database and the contents do not belong together: name the matching ones',
    );
    return 10;
  },
});

const storeCollect = command('store collect', {
  summary: 'remove unreferenced contents',
  description: 'Mark unreferenced contents, and remove those marked 30 days ago.',
  options: {
    '--dry-run': 'change nothing, show statistics',
    '--yes': 'remove them regardless of their number',
  },
  help: [
    'A worker does this once a day. A run that would remove more than 1% of all contents, and ' +
      'more than 10, removes nothing and fails: the database may be outdated or the wrong one.',
    'Contents used by a process, a revision of its document, a flow or a webhook event are never ' +
      'removed. Purging a process removes its contents immediately, independently of this.',
  ],
  examples: {
    'innsigli store collect --dry-run': 'show statistics only',
    'innsigli store collect --yes': 'confirm a run that was refused',
  },
  exits: {
    0: 'done',
    6: 'refused: too many contents would be removed',
    10: 'database and contents do not belong together',
  },
  busy: 'Collecting',
  check({ dryRun, yes }) {
    if (dryRun && yes) refuseUsage('expected --dry-run or --yes, found both');
  },
  run: async ({ dryRun = false, yes: confirmed = false }, context) => {
    const storage = await openStorage(context);
    return { dryRun, ...(await storage.collect({ confirmed, dryRun })) };
  },
  text: ({ dryRun, contents, orphans, marked, due, removed, restarted }, { console }) => {
    if (restarted) {
      console.note('The last collection was of a different database: all marks start again.');
    }
    console.result([
      `stored: ${counted(contents, 'content')}, ${orphans} unreferenced`,
      `${dryRun ? 'to be marked' : 'marked now'}: ${counted(marked, 'content')}`,
      `marked 30 days ago: ${counted(due, 'content')}`,
      `removed: ${counted(removed, 'content')}`,
    ]);
  },
});

const storeAdopt = command('store adopt', {
  summary: 'join a database and a contents folder',
  description: 'Join this database and this contents folder under a new ID.',
  options: { '--yes': 'join them; without it, only show them' },
  help: [
    'Use it after restoring parts of different dates, for a copy that becomes a separate ' +
      'store, or after changing seal keys on purpose. First stop every other program that uses ' +
      'the database or the folder: programs with the former ID are refused afterwards.',
    'Nothing is removed. Recorded marks of orphans, hosts and seal keys are discarded: ' +
      'contents unknown to the database are removed after 30 days at the earliest.',
  ],
  examples: {
    'innsigli store adopt': 'only show the parts',
    'innsigli store adopt --yes': 'join them',
  },
  exits: { 0: 'joined', 9: 'only shown: --yes is missing', 10: noKey },
  busy: 'Reading',
  run: async ({ yes: adopted = false }, context) => {
    const storage = await openStorage(context);
    const figures = await storage.show();
    return { adopted, ...figures, storeId: adopted ? await storage.adopt() : undefined };
  },
  text: ({ adopted: _, storeId, ...figures }, { console }) => {
    console.note(figureLines(figures));
    if (storeId !== undefined) return console.result(`store: ${storeId}`);
    const { missing } = figures;
    if (missing > 0) console.note(`${counted(missing, 'sampled content')} would be missing.`);
    console.note('Nothing was changed; pass --yes to join them and separate them from all others.');
  },
  exit: ({ adopted }) => (adopted ? 0 : 9),
});

const storeClock = command('store clock', {
  summary: 'compare the clock with the recorded time',
  description: 'Compare the clock of this machine with the time the service expects.',
  options: { '--accept': 'accept the clock of this machine as correct' },
  help: [
    'serve and worker record the time and the uptime of the system. If the clock was set by ' +
      'more than two minutes since, or is behind, they continue with the expected time ' +
      'and close no day, expire nothing and purge nothing until an external time-stamp ' +
      'authority confirms the clock, it is set back, or it is accepted.',
    'Check the clock first: a premature expiry or closed day cannot be undone. Running programs ' +
      'follow within seconds.',
  ],
  examples: {
    'innsigli store clock': 'show the state of the clock',
    'innsigli store clock --accept': 'after the clock was corrected',
  },
  exits: {
    0: 'the clock is as expected, or was accepted',
    9: 'the clock is not as expected',
    10: noKey,
  },
  run: async ({ accept: accepted = false }, context) => {
    const figures = await (await openStorage(context)).clock(accepted);
    return { ok: figures.expectedMs === undefined, accepted, ...figures };
  },
  text: ({ ok, accepted, ...figures }, { console }) => {
    console.result(clockLines(figures));
    if (accepted) console.note('accepted');
    else if (!ok) console.note('Correct the clock, or accept it with --accept');
  },
  exit: ({ ok, accepted }) => (ok || accepted ? 0 : 9),
});

/** `store` with its commands. */
export const store = command('store', {
  description: 'Manage the database of the service and the stored contents of documents.',
  commands: [storeShow, storeCollect, storeAdopt, storeClock],
});

function clockLines({ nowMs, expectedMs }: ClockFigures): readonly string[] {
  const time = (ms: number) => new Date(ms).toISOString();
  const expected = expectedMs === undefined ? 'the same' : time(expectedMs);
  return [`clock:    ${time(nowMs)}`, `expected: ${expected}`];
}

function figureLines(figures: StorageFigures): readonly string[] {
  const { databaseId, folderId, folder, sampled, missing, contents, unknown, marked } = figures;
  const found = sampled - missing;
  return [
    `database: store ${databaseId ?? 'none'}`,
    `contents: store ${folderId ?? 'none'} in ${printable(folder)}`,
    `needed: ${found} of ${counted(sampled, 'sampled content')} found`,
    `stored: ${counted(contents, 'content')}, ${unknown} unreferenced`,
    `marked: ${counted(marked, 'content')}`,
    `hosts: ${figures.hosts.map(printable).join(', ') || 'none'}`,
    ...(figures.refused === undefined
      ? []
      : [`refused: the last collection would have removed ${counted(figures.refused, 'content')}`]),
  ];
}
