import { statSync } from 'node:fs';
import { join } from 'node:path';
import { InnsigliError } from '../../../base/errors.ts';
import { type AsicKind, endingOf, isContainerName, isPdfName } from '../../files/index.ts';
import type { BatchTask, InputEntry } from '../batch.types.ts';

/** Locations of a batch's results. */
export interface OutputChoice {
  /** Absolute path. */
  readonly outDir?: string;
  /** The output folder as entered by the user. */
  readonly outDirName?: string;
  readonly suffix: string;
  readonly inPlace: boolean;
  /** Container for each input: `a.xml` and `a.pdf` become `a.xml.asice` and `a.pdf.asice`. */
  readonly container?: AsicKind;
  /** Each input other than a PDF is packed in an ASiC-S, whatever its format. */
  readonly timestampOnly?: boolean;
}

/** Creates a task for each input, mirroring the tree below the output folder. */
export function planTasks(
  entries: readonly InputEntry[],
  { outDir, outDirName = '', suffix, inPlace, container, timestampOnly = false }: OutputChoice,
): readonly BatchTask[] {
  if (inPlace)
    return entries.map((entry) => ({ ...entry, output: entry.path, outputName: entry.name }));
  if (outDir === undefined) return entries;
  return entries.map((entry) => {
    const { relative } = entry;
    const isWrapped = timestampOnly && !isPdfName(relative);
    const kind = isWrapped ? 'asic-s' : isContainerName(relative) ? undefined : container;
    const ending = kind === undefined ? endingOf(relative) : '';
    const added = kind === undefined ? ending : `.${kind.replace('-', '')}`;
    const name = `${relative.slice(0, relative.length - ending.length)}${suffix}${added}`;
    const outputName = join(outDirName, name);
    return { ...entry, output: join(outDir, name), outputName, outputBelow: name };
  });
}

/**
 * Rejects a plan in which two results have the same name, or a result has the name of an input.
 * Names that differ only in case or Unicode normalization count as the same, because some file
 * systems do not distinguish them.
 *
 * @throws batch.output.collision, usage.output.same
 */
export function requireApart(tasks: readonly BatchTask[], { inPlace }: OutputChoice): void {
  if (inPlace) {
    requireOneName(tasks);
    return;
  }
  const inputs = new Set(tasks.map(({ path }) => folded(path)));
  const taken = new Map<string, string>();
  for (const { name, output } of tasks) {
    if (output === undefined) continue;
    const key = folded(output);
    if (inputs.has(key)) {
      throw new InnsigliError(
        'usage.output.same',
        `the result of ${name} would overwrite an input`,
        {
          details: { input: name, output },
          hint: 'choose a different --out-dir, a --suffix, or --in-place',
        },
      );
    }
    const other = taken.get(key);
    if (other !== undefined)
      throw collision(`${other} and ${name} would both be written to ${output}`);
    taken.set(key, name);
  }
}

// Rejects two names of the same file, which would be sealed twice.
function requireOneName(tasks: readonly BatchTask[]): void {
  const taken = new Map<string, string>();
  for (const { name, path } of tasks) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const identity = `${stats.dev}:${stats.ino}`;
    const other = taken.get(identity);
    if (other !== undefined) throw collision(`${other} and ${name} are the same file`);
    taken.set(identity, name);
  }
}

function collision(message: string): InnsigliError {
  return new InnsigliError('batch.output.collision', message, {
    hint: 'rename or omit one of them',
  });
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
