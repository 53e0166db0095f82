import { memorySource } from '../../base/bytes.ts';
import type { CliIo } from '../io.ts';
import type { InputFile } from './input.ts';
import { type OutputOptions, planOutput } from './output.ts';
import { writeOutput } from './write-output.ts';

const nothing: InputFile = { source: memorySource(new Uint8Array()), name: '' };

/**
 * Writes `content` to a file or stdout (`-`) as results are written: completely or not at all.
 *
 * @throws usage.output.exists, usage.output.terminal, io.output.unwritable
 */
export function writeNewFile(
  name: string,
  content: Uint8Array,
  options: OutputOptions,
  io: CliIo,
): void {
  const plan = planOutput(name, nothing, options, io);
  writeOutput(plan, nothing, { keptBytes: 0, tail: content }, io);
}
