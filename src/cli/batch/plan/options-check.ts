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
    refuseUsage('-: stdin is one document, and there are several', 'list names: --files-from -');
  }
  if (command === 'verify') return;
  if (container !== undefined && inPlace) {
    const hint =
      'name a folder for them: --out-dir; a container is signed again without --container';
    refuseUsage('--container: a batch makes new files, not together with --in-place', hint);
  }
  if (outDir === undefined && !inPlace) {
    await requireMatches(inputs, cwd);
    const message = 'a batch: expected --out-dir or --in-place, found neither';
    refuseUsage(message, 'name the folder of the results: --out-dir sealed');
  }
  if (outDir !== undefined && inPlace) refuseUsage('expected --out-dir or --in-place, found both');
  if (/[/\\\0]/.test(suffix)) refuseUsage(`--suffix: expected no separator, found "${suffix}"`);
  if (inPlace && suffix !== '') refuseUsage('--suffix: not together with --in-place');
  if (inPlace && options.skipExisting) {
    refuseUsage(
      '--skip-existing: not together with --in-place',
      '--resume skips finished documents',
    );
  }
  if (!watch) return;
  if (inPlace) refuseUsage('--watch: expected --out-dir, found --in-place');
  if (filesFrom !== undefined) refuseUsage('--watch: expected a folder, found --files-from');
}
