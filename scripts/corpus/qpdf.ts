import { execFile } from 'node:child_process';

/** Result of `qpdf --check`: 0 clean, 2 errors, 3 warnings. Undefined if qpdf is not installed. */
export interface QpdfVerdict {
  readonly exitCode: number;
  /** Its messages without file name and offsets, sorted. */
  readonly complaints: readonly string[];
}

/** Returns the result as a keyword. */
export function wordOf({ exitCode }: QpdfVerdict): 'clean' | 'warned' | 'refused' {
  if (exitCode === 0) return 'clean';
  return exitCode === 3 ? 'warned' : 'refused';
}

/** Checks a file with qpdf. */
export function checkWithQpdf(path: string, password = ''): Promise<QpdfVerdict | undefined> {
  const args = [`--password=${password}`, '--check', path];
  return new Promise((resolve) => {
    const settings = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
    execFile('qpdf', args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error as { code?: unknown }).code;
      if (code === 'ENOENT') return resolve(undefined);
      // Stopped by the timeout or the output limit: no result, never "clean".
      if (typeof code !== 'number') {
        return resolve({ exitCode: 2, complaints: [`qpdf gave no result (${error?.message})`] });
      }
      const lines = `${stdout}\n${stderr}`
        .split('\n')
        .filter(
          (line) =>
            /WARNING|ERROR|error/.test(line) &&
            !/^No syntax|errors that qpdf cannot detect/.test(line),
        )
        .map((line) => line.replaceAll(path, '').replace(/\d+/g, 'N').trim());
      resolve({ exitCode: code, complaints: [...new Set(lines)].sort() });
    });
  });
}

/** Describes how the result is worse than the input. Undefined if it is not. */
export function worseThan(before: QpdfVerdict, after: QpdfVerdict): string | undefined {
  const rank = [0, 3, 2];
  if (rank.indexOf(after.exitCode) > rank.indexOf(before.exitCode)) {
    return `qpdf --check: ${before.exitCode} became ${after.exitCode}`;
  }
  const fresh = after.complaints.find((line) => !before.complaints.includes(line));
  return fresh === undefined ? undefined : `qpdf --check: ${fresh}`;
}
