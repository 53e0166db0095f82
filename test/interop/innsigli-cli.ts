import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Answer, run } from './tools.ts';

/** The built program with a data directory of its own. */
export interface InnsigliCli {
  readonly dataDir: string;
  run(options: readonly string[], manner?: CliManner): Promise<Answer>;
  /** Starts the trust server; resolves when it says that it listens. */
  serve(port: number): Promise<ChildProcess>;
  /** Starts a server with the port in its options; resolves when it says that it listens. */
  start(options: readonly string[], env?: CliManner['env']): Promise<ChildProcess>;
}

/** How to run it. */
export interface CliManner {
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The command line that package.json names, on a data directory. */
export function innsigliCli(dataDir: string): InnsigliCli {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.innsigli;
  const program = resolve(bin ?? 'bin/innsigli.js');
  // A configuration of the person who runs this must not change the results.
  const env = { INNSIGLI_HOME: dataDir, XDG_CONFIG_HOME: dataDir, NO_COLOR: '1' };
  return {
    dataDir,
    run: (options, { timeoutMs = 60_000, env: more = {} } = {}) =>
      run(process.execPath, [program, ...options], {
        // The revocation addresses of test certificates are on 127.0.0.1.
        env: { ...env, INNSIGLI_ALLOW_PRIVATE_ADDRESSES: 'true', ...more },
        timeoutMs,
      }),
    serve: (port) => start(['tsa', 'serve', '--port', String(port)]),
    start,
  };

  function start(options: readonly string[], more: CliManner['env'] = {}): Promise<ChildProcess> {
    return new Promise((done, failed) => {
      const child = spawn(process.execPath, [program, ...options], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env, ...more },
      });
      const [port] = options.slice(-1);
      let said = '';
      const listen = (text: string): void => {
        said += text;
        if (said.includes(`:${port}`)) done(child);
      };
      child.stdout.setEncoding('utf8').on('data', listen);
      child.stderr.setEncoding('utf8').on('data', listen);
      const fail = (why: string) =>
        failed(new Error(`${options.join(' ')} ${why}: ${said.trim()}`));
      child.on('close', () => fail('ended'));
      setTimeout(() => fail('is silent'), 15_000).unref();
    });
  }
}

/** The error code in what the program said on stderr. */
export function errorCodeOf(answer: Answer): string {
  const json = /"error"\s*:\s*\{"code"\s*:\s*"([a-z0-9.]+)"/.exec(
    answer.stderr + answer.stdout,
  )?.[1];
  return json ?? /error\[([a-z0-9.]+)\]/.exec(answer.stderr)?.[1] ?? '(no code)';
}

/** Why an answer is no plain refusal: a crash, a stack trace, a hang. */
export function crashReasons(answer: Answer): string[] {
  const reasons: string[] = [];
  if (answer.code < 0) reasons.push(`no answer in ${Math.round(answer.elapsedMs / 1000)} s`);
  if (/internal\.unexpected/.test(answer.stderr + answer.stdout)) reasons.push('internal fault');
  if (/^\s+at .*:\d+:\d+\)?$/m.test(answer.stderr)) reasons.push('stack trace');
  return reasons;
}
