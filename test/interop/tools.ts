import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What a program said. */
export interface Answer {
  /** Exit code; -1 when it was killed or could not be started. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/** How to run a program. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

/** Runs a program without stdin and gives what it said; never throws. */
export function run(
  program: string,
  options: readonly string[],
  { env = {}, cwd, timeoutMs = 60_000 }: RunOptions = {},
): Promise<Answer> {
  return new Promise((done) => {
    const startedMs = performance.now();
    const child = spawn(program, options, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const finish = (code: number | null, more = ''): void => {
      clearTimeout(timer);
      const elapsedMs = performance.now() - startedMs;
      done({ code: code ?? -1, stdout, stderr: stderr + more, elapsedMs });
    };
    child.on('error', (error) => finish(-1, error.message));
    child.on('close', (code) => finish(code));
  });
}

/** True when a program is on the path. */
export function have(program: string): boolean {
  return spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
}

/** Results of `work` over `items`, in their order, two at a time. */
export async function eachOf<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

/** The foreign judges beside the repository; undefined when they are not there. */
export function findJudge(): string | undefined {
  const path = resolve('../shared/tools/judge');
  return existsSync(path) ? path : undefined;
}

/** JSON lines of a judge about many files: file → answer. */
export async function askJudge<T>(
  judge: string,
  kind: 'dss' | 'pyhanko',
  options: readonly string[],
  files: readonly string[],
  workFolder: string,
): Promise<{ readonly answers: Map<string, T>; readonly problem?: string }> {
  const list = join(workFolder, `judge-${kind}-${Date.now()}.txt`);
  writeFileSync(list, files.map((file) => `${file}\n`).join(''));
  const timeoutMs = 900_000;
  const answer = await run(judge, [kind, ...options, '--files-from', list], { timeoutMs });
  const answers = new Map<string, T>();
  for (const line of answer.stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const row = JSON.parse(line) as T & { readonly file: string };
    answers.set(row.file, row);
  }
  if (answers.size === files.length) return { answers };
  const said = answer.stderr.trim().split('\n').slice(-3).join(' | ');
  return { answers, problem: `rc ${answer.code}, ${answers.size}/${files.length} files: ${said}` };
}
