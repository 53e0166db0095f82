import type { ClockFigures, StorageService } from '../../../wire/service/storage-service.types.ts';
import type { StorageFigures } from '../../../wire/toolkit.types.ts';
import { command } from '../../command/index.ts';
import { type CommandContext, loadConfig, openToolkit, refuseUsage } from '../../context.ts';
import { counted, printable } from '../../output/index.ts';

const noKey = 'the key is missing or another one, or there is no service';

async function openStorage(context: CommandContext): Promise<StorageService> {
  const { config } = await loadConfig(context, {});
  return (await openToolkit(context, config)).storage();
}

const storeShow = command('store show', {
  summary: 'compare the parts of the storage',
  description: 'Show the ids and figures of the database and the folder of contents.',
  help: [
    'The database and the folder of contents carry one random id and refuse each other ' +
      'otherwise. Nothing is changed. Every content in the folder is looked up.',
  ],
  examples: { 'innsigli store show': 'ids, contents, hosts' },
  exits: { 0: 'shown, and they belong together', 10: `they do not; or ${noKey}` },
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
    await console.warn('the database and the contents do not belong together: name the right ones');
    return 10;
  },
});

const storeCollect = command('store collect', {
  summary: 'remove contents that nothing refers to',
  description: 'Mark contents that nothing refers to, and remove those marked 30 days ago.',
  options: {
    '--dry-run': 'change nothing, show figures',
    '--yes': 'remove them however many they are',
  },
  help: [
    'A worker does this once a day. A run that would remove more than 1 % of all contents, and ' +
      'more than 10, removes nothing and says so: the database may be an older or another one.',
    'Contents used by a process, a revision of its document, a flow or a webhook event are never ' +
      'removed. Purging a process removes its contents at once, independently of this.',
  ],
  examples: {
    'innsigli store collect --dry-run': 'show figures only',
    'innsigli store collect --yes': 'confirm a run that was refused',
  },
  exits: {
    0: 'done',
    6: 'refused: too many would be removed',
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
      console.note('The last collection was not of this database: all marks begin again.');
    }
    console.result([
      `stored: ${counted(contents, 'content')}, ${orphans} that nothing refers to`,
      `${dryRun ? 'to be marked' : 'marked now'}: ${counted(marked, 'content')}`,
      `marked 30 days ago: ${counted(due, 'content')}`,
      `removed: ${counted(removed, 'content')}`,
    ]);
  },
});

const storeAdopt = command('store adopt', {
  summary: 'join a database and a folder of contents',
  description: 'Join this database and this folder of contents under a new id, on purpose.',
  options: { '--yes': 'do it; without, only show them' },
  help: [
    'For a restore with parts of different times, for a copy that becomes a store of its ' +
      'own, and for seal keys that changed on purpose. Stop every other program that uses the ' +
      'database or the folder before: those that have the former id are refused afterwards.',
    'Nothing is removed. Marks of orphans, hosts and seal keys that were noted are forgotten: ' +
      'contents unknown to the database are removed after 30 days at the earliest.',
  ],
  examples: {
    'innsigli store adopt': 'show the parts only',
    'innsigli store adopt --yes': 'join them',
  },
  exits: { 0: 'joined', 9: 'shown only: --yes is missing', 10: noKey },
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
    console.note('Nothing was changed; --yes joins them, and parts them from all others.');
  },
  exit: ({ adopted }) => (adopted ? 0 : 9),
});

const storeClock = command('store clock', {
  summary: 'compare the clock with the recorded time',
  description: 'Compare the clock of this machine with the time that the service expects.',
  options: { '--accept': 'the clock of this machine is right: go on with it' },
  help: [
    'serve and worker note the time and the uptime of the system. When the clock was set by ' +
      'more than two minutes since, or is behind, they go on with the time that they expect, ' +
      'and close no day, expire nothing and purge nothing until an external time-stamp ' +
      'authority agrees, the clock is set back, or it is accepted.',
    'Check the clock before: an early expiry or closed day cannot be undone. Running programs ' +
      'follow within seconds.',
  ],
  examples: {
    'innsigli store clock': 'show the state of the clock',
    'innsigli store clock --accept': 'after the clock was set right',
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
    else if (!ok) console.note('Set the clock right, or accept it: --accept');
  },
  exit: ({ ok, accepted }) => (ok || accepted ? 0 : 9),
});

/** `store` with its commands. */
export const store = command('store', {
  description: 'The database of the service and the contents of documents beside it.',
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
    `stored: ${counted(contents, 'content')}, ${unknown} that nothing refers to`,
    `marked: ${counted(marked, 'content')}`,
    `hosts: ${figures.hosts.map(printable).join(', ') || 'none'}`,
    ...(figures.refused === undefined
      ? []
      : [`refused: the last collection wanted to remove ${counted(figures.refused, 'content')}`]),
  ];
}
