import { command } from '../../command/index.ts';
import { trustExport } from './export.ts';
import { trustImport } from './import.ts';
import { trustList } from './list.ts';
import { trustShow } from './show.ts';
import { trustSync } from './sync.ts';

/** `trust` with its commands. */
export const trust = command('trust', {
  description:
    'Manage trust profiles: named anchors and trusted lists, fetched, verified and stored.',
  commands: [trustSync, trustList, trustShow, trustExport, trustImport],
});
