import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CoreError } from '../base/errors.ts';
import type { ContainerVerificationReport, VerificationReport } from '../verify/report.ts';
import { refuseUsage } from './context.ts';
import { type InputFile, syncFolder, writeOutput } from './files/index.ts';
import type { CliIo } from './io.ts';

/** Where the files of a container go. */
export interface Extraction {
  /** As the user wrote it; made when it is not there. */
  readonly folder: string;
  /** Existing files may be replaced. */
  readonly force: boolean;
}

/** Refuses what is no container. @throws usage.invalid */
export function requireContainer(
  report: VerificationReport,
): asserts report is ContainerVerificationReport {
  if (report.format === 'asic-s' || report.format === 'asic-e') return;
  const found = report.format === 'pdf' ? 'a PDF' : 'XML';
  refuseUsage(`--extract: expected an ASiC container, found ${found}`);
}

/**
 * Writes the files of a container that its signatures cover, and gives their paths. Nothing is
 * written unless everything can be, as far as that is known before; never outside the folder, also
 * not through links in it.
 *
 * @throws container.invalid, usage.output.exists, io.output.unwritable
 */
export async function extractFiles(
  input: InputFile,
  { files }: ContainerVerificationReport,
  { folder, force }: Extraction,
  io: CliIo,
): Promise<readonly string[]> {
  const { loadContainerTools } = await import('../wire/toolkit.ts');
  const { entryNameFault, readZip } = await loadContainerTools();
  const { source } = input;
  const archive = readZip(source.bytes ?? source.slice(0, source.lengthBytes));
  const covered = files.filter((file) => file.covered).map(({ name }) => name);
  const root = openFolder(resolve(io.cwd, folder), folder);
  const plans = covered.map((name) => {
    const fault = entryNameFault(name);
    const entry = archive.find(name);
    if (fault !== undefined || entry === undefined) {
      throw new CoreError('container.invalid', `the name «${name}» ${fault ?? 'is not there'}`);
    }
    const taken = requirePlace(root, name, { folder, force });
    const kind: 'replace' | 'new-file' = taken ? 'replace' : 'new-file';
    return { entry, plan: { name: join(folder, name), path: join(root, name), kind } };
  });
  for (const { entry, plan } of plans) {
    makeFoldersIn(root, entry.name, folder);
    writeOutput(plan, input, { keptBytes: 0, tail: entry.read() }, io, 'by-caller');
  }
  syncFolder(root);
  return plans.map(({ plan }) => plan.name);
}

/** The folder itself may be reached by links: the user named it. */
function openFolder(path: string, name: string): string {
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (cause) {
    throw unwritable(name, (cause as NodeJS.ErrnoException).code ?? 'unknown', cause);
  }
}

/** True when a file is there that may be replaced. Links lead outside: none is followed. */
function requirePlace(root: string, name: string, { folder, force }: Extraction): boolean {
  const segments = name.split('/');
  let path = root;
  for (const [index, segment] of segments.entries()) {
    path = join(path, segment);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const isLast = index === segments.length - 1;
    if (isLast ? stats.isFile() : stats.isDirectory()) continue;
    throw unwritable(
      join(folder, name),
      `${segment} is there and no ${isLast ? 'file' : 'folder'}`,
    );
  }
  if (force) return true;
  throw new CoreError('usage.output.exists', `the output ${join(folder, name)} exists already`, {
    details: { output: join(folder, name) },
    hint: 'name another folder, or allow replacing with --force',
  });
}

function makeFoldersIn(root: string, name: string, folder: string): void {
  let path = root;
  for (const segment of name.split('/').slice(0, -1)) {
    path = join(path, segment);
    try {
      mkdirSync(path);
    } catch (cause) {
      const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
      const isThere = reason === 'EEXIST' && lstatSync(path).isDirectory();
      if (!isThere) throw unwritable(join(folder, name), reason, cause);
    }
  }
}

function unwritable(name: string, why: string, cause?: unknown): CoreError {
  const details = { output: name };
  return new CoreError('io.output.unwritable', `${name} cannot be written: ${why}`, {
    cause,
    details,
  });
}
