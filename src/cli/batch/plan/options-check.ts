import { refuseUsage } from '../../context.ts';
import type { BatchOptions } from '../batch.types.ts';
import { requireMatches } from './selection.ts';

/**
 * Rejects options that cannot be combined.
 *
 * @throws usage.invalid
 * @throws io.input.notfound if the first error is a pattern without matches
 */
export async function requireUsable(options: BatchOptions, cwd: string): Promise<void> {
  const { command, inputs, filesFrom, outDir, inPlace, suffix, watch, container } = options;
  if (inputs.length === 0 && filesFrom === undefined) {
    refuseUsage('expected a file, a folder, a pattern or --files-from, found none');
  }
  if (inputs.includes('-')) {
    refuseUsage(
      '-: stdin is a single document, expected several',
      'pass a list of names: --files-from -',
    );
  }
  if (command === 'verify') return;
  if (container !== undefined && inPlace) {
    const hint =
      'name a folder for them: --out-dir; to add a signature to a container omit --container';
    refuseUsage('--container cannot be combined with --in-place: a batch creates new files', hint);
  }
  if (outDir === undefined && !inPlace) {
    await requireMatches(inputs, cwd);
    const message = 'expected --out-dir or --in-place for a batch, found neither';
    refuseUsage(message, 'name a folder for the results: --out-dir sealed');
  }
  if (outDir !== undefined && inPlace) refuseUsage('expected --out-dir or --in-place, found both');
  if (/[/\\\0]/.test(suffix)) refuseUsage(`--suffix: expected no separator, found "${suffix}"`);
  if (inPlace && suffix !== '') refuseUsage('--suffix cannot be combined with --in-place');
  if (inPlace && options.skipExisting) {
    refuseUsage(
      '--skip-existing cannot be combined with --in-place',
      'pass --resume to skip finished documents',
    );
  }
  if (!watch) return;
  if (inPlace) refuseUsage('--watch: expected --out-dir, found --in-place');
  if (filesFrom !== undefined) refuseUsage('--watch: expected a folder, found --files-from');
}
