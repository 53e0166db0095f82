import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { documentCommand } from '../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  type Start,
} from '../context.ts';
import { packageVersion } from '../version.ts';
import { oneOf, several } from './process-options.ts';

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** What `innsigli serve` was asked for. */
export interface ServeCommandOptions {
  readonly host: string;
  readonly port: string;
  /** False: another program does the jobs. */
  readonly worker?: boolean;
  readonly production?: boolean;
  readonly tlsKey?: string;
  readonly tlsCert?: string;
  readonly trustProxy?: readonly string[];
  readonly log?: string;
}

/** Adds `serve` to the command tree. */
export function defineServe(program: Command, start: Start): void {
  const command = program
    .command('serve')
    .summary('serve the HTTP interface')
    .description('Serve the HTTP interface of the signing service, and do its jobs.')
    .addOption(withDefault('--host <address>', 'address to listen on', '127.0.0.1'))
    .addOption(withDefault('--port <number>', 'port to listen on; 0 takes a free one', '8080'))
    .option('--no-worker', 'do no jobs: innsigli worker does them')
    .option('--production', 'refuse the development trust and test persons')
    .option('--tls-key <file>', 'speak TLS with this private key (PEM)')
    .option('--tls-cert <file>', 'with these certificates (PEM)')
    .option('--trust-proxy <address>', 'believe X-Forwarded-For of this proxy', several)
    .option('--log <level>', `write a log to stderr: ${logLevels.join(', ')}`);
  documentCommand(command, {
    text: [
      'Prints the address on stdout when it is ready and runs until it is interrupted; requests ' +
        'and jobs that run get 30 seconds to end. The interface is described at /openapi.json, ' +
        'and can be tried at /api/swagger-ui/.',
      'Programs show their company key and API key as user name and password; innsigli init ' +
        'prints them. Links in messages begin with the setting frontEnd.',
      'Several may run on one database. Without --production the development trust and test ' +
        'persons serve, which is of no legal value.',
    ],
    examples: [
      ['innsigli serve', 'http://127.0.0.1:8080'],
      ['innsigli serve --port 8443 --tls-key key.pem --tls-cert cert.pem', 'with TLS'],
      ['innsigli serve --no-worker --log info', 'requests only, with a log'],
    ],
    exits: [
      [0, 'ended by SIGTERM or SIGHUP'],
      [2, 'an option is wrong'],
      [10, 'the address is taken, or the configuration or data directory cannot be used'],
      [130, 'interrupted'],
    ],
  });
  command.action((options: ServeCommandOptions, self: Command) =>
    start(self, (context) => runServe(options, context)),
  );
}

// Without the quotes that commander puts around texts.
function withDefault(flags: string, text: string, value: string): Option {
  return new Option(flags, text).default(value, value);
}

/** Serves until a signal comes. */
export async function runServe(
  options: ServeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, talk } = context;
  const port = readPort(options.port);
  const logLevel = oneOf(logLevels, options.log, '--log');
  const tls = tlsFiles(options, io.cwd);
  const flags = options.production === true ? { production: 'true' } : {};
  const { config } = await loadConfig(context, flags);
  const toolkit = await openToolkit(context, config);
  if (!config.production && !isLoopback(options.host)) {
    const message =
      `everybody who can reach ${options.host} meets test keys and test persons here; ` +
      'for real use: --production';
    await talk.warn(message, 'api.exposed');
  }
  const { serveApi } = await import('../../wire/serve.ts');
  const server = await serveApi(toolkit, io, {
    host: options.host,
    port,
    worker: options.worker !== false,
    strict: config.production,
    version: packageVersion(),
    jobFailed: (kind, ref, code) =>
      void talk.warn(`${[kind, ref].join(' ').trim()}: ${code}; it comes again`, 'job.failed'),
    ...(tls === undefined ? {} : { tls }),
    ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
    ...(logLevel === undefined ? {} : { logLevel, log: (line) => io.stderr.write(line) }),
  });
  const stopped = io.waitForStop();
  if (talk.manner.json) talk.document({ v: 1, command: 'serve', url: server.url });
  else talk.result(server.url);
  talk.note(`Try it: ${server.url}/api/swagger-ui/   (Ctrl-C ends)`);
  const signal = await stopped;
  await server.close();
  toolkit.close();
  return signal === 'SIGINT' ? 130 : 0;
}

function tlsFiles({ tlsKey, tlsCert }: ServeCommandOptions, cwd: string) {
  if (tlsKey === undefined && tlsCert === undefined) return undefined;
  if (tlsKey === undefined || tlsCert === undefined) {
    return refuseUsage('--tls-key and --tls-cert: expected both, found one');
  }
  return { keyFile: resolve(cwd, tlsKey), certificateFile: resolve(cwd, tlsCert) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65535) refuseUsage(`--port: expected 0 to 65535, found "${text}"`);
  return port;
}
