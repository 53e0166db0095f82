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

/** Folder for the files of a container. */
export interface Extraction {
  /** As the user wrote it; made when it is not there. */
  readonly folder: string;
  /** Existing files may be replaced. */
  readonly force: boolean;
}

/**
 * As {@link extractFiles}, says what was written, and gives the paths; undefined when the verdict
 * is bad and nobody forces it.
 *
 * @throws usage.invalid for what is no container
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
 * Writes the files of a container that its signatures cover, and gives their paths. Nothing is
 * written unless everything can be, as far as that is known before; never outside the folder, also
 * not through links in it, also such that come while it works. Names that other systems cannot
 * take, or show as others, are refused.
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

/** The folder itself may be reached by links: the user named it. */
function openFolder(path: string, name: string): FolderMark {
  try {
    makeFolders(path);
    return markFolder(path);
  } catch (cause) {
    throw unwritable(name, osReason(cause), { cause, details: { output: name } });
  }
}

/** True when a file is there that may be replaced. Links lead outside: none is followed. */
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
