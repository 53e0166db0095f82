import { closeSync, writeSync } from 'node:fs';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { createAnew, createFile } from '../../../wire/documents.ts';

/** A report that is being written: one JSON object a line. */
export interface ReportFile {
  write(value: object): void;
  close(): void;
}

/**
 * Opens a report.
 *
 * @param mayReplace an existing file may be lost
 * @throws usage.output.exists, io.link, io.output.unwritable
 */
export function openReportFile(path: string, mayReplace: boolean): ReportFile {
  let descriptor: number;
  try {
    descriptor = mayReplace ? createAnew(path, 0o644) : createFile(path, 0o644);
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    if (reason === 'EEXIST') {
      throw new InnsigliError('usage.output.exists', `the report ${path} exists already`, {
        details: { output: path },
        hint: 'choose another name, or allow replacing it with --force',
      });
    }
    throw unwritable(path, cause);
  }
  return {
    write(value) {
      try {
        writeSync(descriptor, `${JSON.stringify(value)}\n`);
      } catch (cause) {
        throw unwritable(path, cause);
      }
    },
    close: () => closeSync(descriptor),
  };
}

function unwritable(path: string, cause: unknown): InnsigliError {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  return new InnsigliError('io.output.unwritable', `${path} cannot be written: ${reason}`, {
    cause,
    details: { output: path, reason },
  });
}
