import { join, resolve } from 'node:path';
import { wholeBytes } from '../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import { osReason } from '../base/os-errors.ts';
import type { ContainerVerificationReport, VerificationReport } from '../verify/report/index.ts';
import { type FolderMark, makeFolders, markFolder, statPlaced } from '../wire/documents.ts';
import { type CommandContext, refuseUsage } from './context.ts';
import { type InputFile, syncFolder, unwritable, writeOutput } from './files/index.ts';
import type { CliIo } from './io.ts';
import { counted, printable } from './output/index.ts';

/** Extraction of the files of a container. */
export interface Extraction {
  /** The folder as entered by the user; created if missing. */
  readonly folder: string;
  /** Allows replacing existing files. */
  readonly force: boolean;
}

/**
 * Same as {@link extractFiles}; reports what was written, and returns the paths. Undefined if
 * verification failed and extraction was not forced.
 *
 * @throws usage.invalid if the input is not a container
 */
export async function extractCovered(
  input: InputFile,
  report: VerificationReport,
  extraction: Extraction,
  isPassed: boolean,
  { io, console }: CommandContext,
): Promise<readonly string[] | undefined> {
  if (report.format !== 'asic-s' && report.format !== 'asic-e') {
    const found = { pdf: 'a PDF', xml: 'XML', cms: 'a CMS signature' }[report.format];
    return refuseUsage(`--extract: expected an ASiC container, found ${found}`);
  }
  if (!isPassed && !extraction.force) {
    await console.warn('nothing was extracted, because of the verdict', 'document.warning');
    return undefined;
  }
  const paths = await extractFiles(input, report, extraction, io);
  if (!console.mode.json) {
    const shown = printable(extraction.folder);
    console.result(['', `Extracted ${counted(paths.length, 'file')} to ${shown}:`]);
    for (const path of paths) console.result(`  ${printable(path)}`);
  }
  return paths;
}

/**
 * Writes the files of a container that its signatures cover, and returns their paths. As far as can
 * be known in advance, nothing is written unless everything can be. Files are never written outside
 * the folder, nor through links in it, including links created meanwhile. Names that other systems
 * cannot represent, or display as other names, are rejected.
 *
 * @throws container.invalid, usage.output.exists, io.link, io.output.unwritable
 */
async function extractFiles(
  input: InputFile,
  { files }: ContainerVerificationReport,
  { folder, force }: Extraction,
  io: CliIo,
): Promise<readonly string[]> {
  const { loadContainerTools } = await import('../wire/toolkit.ts');
  const { entryNameFault, foreignNameFault, readZip } = await loadContainerTools();
  const { source } = input;
  const archive = readZip(wholeBytes(source));
  const covered = files.filter((file) => file.covered).map(({ name }) => name);
  const root = openFolder(resolve(io.cwd, folder), folder);
  const plans = covered.map((name) => {
    const fault = entryNameFault(name) ?? foreignNameFault(name);
    const entry = archive.find(name);
    if (fault !== undefined || entry === undefined) {
      const message = `the name "${name}" ${fault ?? 'does not exist'}`;
      const hint = 'extract the file with a ZIP program under a different name';
      throw new InnsigliError('container.invalid', message, { hint });
    }
    const taken = requirePlace(root, name, { folder, force });
    const kind: 'replace' | 'new-file' = taken ? 'replace' : 'new-file';
    const place = { root, below: name };
    return { entry, plan: { name: join(folder, name), path: join(root.path, name), kind, place } };
  });
  for (const { entry, plan } of plans) {
    writeOutput(plan, input, { keptBytes: 0, tail: entry.read() }, io, 'by-caller');
  }
  syncFolder(root.path);
  return plans.map(({ plan }) => plan.name);
}

/** Opens the folder. The user named it, so it may itself be reached through links. */
function openFolder(path: string, name: string): FolderMark {
  try {
    makeFolders(path);
    return markFolder(path);
  } catch (cause) {
    throw unwritable(name, osReason(cause), { cause, details: { output: name } });
  }
}

/** True if a file exists that may be replaced. Links are not followed: they lead outside. */
function requirePlace(root: FolderMark, name: string, { folder, force }: Extraction): boolean {
  const output = join(folder, name);
  try {
    const stats = statPlaced({ root, below: name });
    if (stats === undefined) return false;
    if (!stats.isFile())
      throw unwritable(output, `${name} is not a regular file`, { details: { output } });
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    throw unwritable(output, osReason(cause), { cause, details: { output } });
  }
  if (force) return true;
  throw new InnsigliError('usage.output.exists', `the output ${output} already exists`, {
    details: { output },
    hint: 'name a different folder, or pass --force to replace files',
  });
}
