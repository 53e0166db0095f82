import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { defined } from '../../../base/defined.ts';
import { codeOf } from '../../../base/errors.ts';
import { isLoopbackHost } from '../../../base/network/loopback.ts';
import type { ResolvedConfig } from '../../../wire/config/config.ts';
import type { ProcessRole } from '../../../wire/serve/parts.ts';
import type { ListeningPlace } from '../../../wire/serve/serve.ts';
import type { JobFailed } from '../../../wire/service/work.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import { command, type Given, integer, oneOf, port, reading } from '../../command/index.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkitWith,
  refuseUsage,
  toolkitIo,
  withWatchedClock,
} from '../../context.ts';
import { packageVersion } from '../../version.ts';
import { runParts, type ServeReporter, serveReporter, sharedIo } from './serve-parts.ts';

const roles: readonly ProcessRole[] = ['api', 'worker'];
const logLevels = ['debug', 'info', 'warn', 'error'] as const;

const rate = (least: number) => integer(least, 9_999_999, `a whole number of at least ${least}`);

const proxyAddress = reading((proxy, name) => {
  const [address = '', bits] = proxy.split('/', 2);
  const version = isIP(address);
  const isBits =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  const isNamed = ['loopback', 'linklocal', 'uniquelocal'].includes(proxy);
  if (isNamed || (version !== 0 && isBits)) return proxy;
  return refuseUsage(`${name}: expected an address or network, found "${proxy}"`);
});

const options = {
  '--host <address>': { text: 'address to listen on', default: '127.0.0.1' },
  '--port <number>': { text: 'port to listen on; 0 picks a free one', ...port, default: '8080' },
  '--workers <number>': {
    text: 'number of processes that share the address',
    ...integer(1, 64),
    default: '1',
  },
  '--api': 'serve requests; without --worker, run no jobs',
  '--worker': 'run jobs; without --api, serve no requests',
  // Internal: role for which another process started this one, and that process's clock.
  '--part <role>': { text: '', ...oneOf(roles), hidden: true },
  '--clock <line>': { text: '', hidden: true },
  '--production': 'refuse the development trust, test persons and unsafe settings',
  '--tls-key <file>': 'use TLS with this private key (PEM)',
  '--tls-cert <file>': 'with these certificates (PEM)',
  '--tls-password-file <file>': 'file with the password of the private key; - for stdin',
  '--operator-token <file>': 'file with the token for /metrics and details of /readyz',
  '--rate-address <number>': {
    text: 'requests per second from one address; 0: no limit (100)',
    ...rate(0),
  },
  '--rate-company <number>': {
    text: 'requests per second of one company; 0: no limit (2000)',
    ...rate(0),
  },
  '--max-connections <number>': { text: 'open connections per process (5000)', ...rate(1) },
  '--trust-proxy <address>': {
    text: 'trust X-Forwarded-For from this proxy',
    ...proxyAddress,
    many: true,
  },
  '--log <level>': { text: `write a log to stderr: ${logLevels.join(', ')}`, ...oneOf(logLevels) },
} as const;

type ServeOptions = Given<object, typeof options>;

/** Serves until a signal arrives. */
export const serve = command('serve', {
  description: 'Serve the HTTP interface of the signing service, and run its jobs.',
  options,
  help: [
    'Prints the address on stdout when ready and runs until interrupted; running requests ' +
      'and jobs get 30 seconds to finish. The interface is described at /openapi.json, ' +
      'and can be tried out at /api/swagger-ui/.',
    'Without --api and --worker, or with both, requests are served and jobs are run. Each ' +
      'alone leaves the other task to another program on the same database.',
    'Clients send their company key and API key as user name and password; innsigli init ' +
      'prints them. Links in messages start with the setting frontEnd, or with the address here.',
    '/healthz, /readyz and /metrics report its state. /metrics and the details of /readyz are ' +
      'for local clients only, or with --operator-token for clients that send it as a Bearer ' +
      'token; with --production for these only. Requests over a rate get status 429 with ' +
      'Retry-After; bursts of ten seconds are allowed, and local addresses are not limited.',
    'Large documents, name searches and jobs run in threads, while other requests are served ' +
      'meanwhile. ' +
      '--workers starts several processes on one database, and restarts processes that die; ' +
      'failed logins are counted across all of them, rates and /metrics per process. ' +
      'Encrypted keys then need a password file. Several programs may run on one database too.',
    'If the system clock is set while the service runs, it keeps its own time: no ' +
      'day is closed, nothing expires and nothing is purged until the clock is set back or the ' +
      'time-stamp authority confirms it.',
    'With --production it does not start with mail.server or sms.gateway unset (none says ' +
      'that there is none), with a frontEnd on this machine, with plain HTTP on an ' +
      'address other machines can reach unless --trust-proxy names the proxy in front, or if a ' +
      'check of innsigli doctor --production fails; all faults are reported together.',
    'Without --production the development trust and test persons are used, which has no legal ' +
      'value; time-stamps, OCSP responses and CRLs are then served at /tsa, /ocsp and /crl/.',
  ],
  examples: {
    'innsigli serve': 'http://127.0.0.1:8080',
    'innsigli serve --port 8443 --tls-key key.pem --tls-cert cert.pem': 'with TLS',
    'innsigli serve --workers 4': 'four processes for requests, one for jobs',
    'innsigli serve --api --log info': 'requests only, with a log',
  },
  exits: {
    0: 'ended by SIGTERM or SIGHUP',
    1: 'processes kept exiting',
    2: 'an option is invalid',
    10: 'the address is in use, or the configuration or data directory cannot be used',
    130: 'interrupted',
  },
  run: runServe,
});

async function runServe(options: ServeOptions, context: CommandContext): Promise<ExitCode> {
  try {
    const { parseLine } = await import('../../../wire/service/clock-watch.ts');
    return await serveUntilStopped(
      options,
      await withWatchedClock(context, parseLine(options.clock)),
    );
  } catch (error) {
    if (options.part !== undefined) {
      const { reportFailure } = await import('../../../wire/serve/serve.ts');
      await reportFailure(codeOf(error));
    }
    throw error;
  } finally {
    // The channel to the parent process passes connections. It must not keep this process alive
    // once there are none, or none are possible.
    if (options.part !== undefined) process.channel?.unref();
  }
}

async function serveUntilStopped(
  options: ServeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const { port, log: logLevel, part, workers } = options;
  const { host, trustProxy } = options;
  const place = { host, ...defined({ tls: tlsFiles(options, io.cwd), trustProxy }) };
  if (workers > 1) requireNoStdin(options);
  const reporter = serveReporter(context, logLevel !== undefined);
  const flags = options.production === true ? { production: 'true' } : {};
  const loaded = await loadConfig(context, flags, 'sealing');
  const config = await withOwnAddress(loaded.config, options, port);
  if (part === undefined && !config.production && !isLoopbackHost(host)) {
    const message =
      `clients that can reach ${host} find test keys and test persons here; ` +
      'for real use pass --production';
    await console.warn(message, 'api.exposed');
  }
  const ready = (url: string) => {
    announce(url, context);
    if (url !== '') tellLinks(loaded.config, config, context);
  };
  const shared = sharedIo(context);
  await console.style('stderr');
  const toolkit = await openToolkitWith(io, config, shared.main);
  if (part === undefined) {
    const answers = rolesOf(options, workers).includes('api');
    await tellFirstSteps(toolkit, config, reporter, answers ? place : undefined);
  }
  if (part === undefined && workers > 1) {
    toolkit.close();
    const address = { host, port };
    return runParts(rolesOf(options, workers), address, context, reporter, ready);
  }
  const wire = await import('../../../wire/serve/serve.ts');
  const stopped = io.waitForStop(true);
  const common = { strict: config.production, jobFailed: jobReporter(reporter) };
  const [first, second] = part === undefined ? rolesOf(options, 1) : [part];
  const server =
    first === 'worker'
      ? await wire.serveJobs(toolkit, common)
      : await wire.serveApi(toolkit, toolkitIo(context), {
          ...common,
          ...place,
          port,
          worker: second === 'worker',
          processes: workers,
          version: packageVersion(),
          threads: {
            ...shared.threads,
            config,
            ...(io.clock === undefined ? {} : { clock: io.clock }),
          },
          ...limitsOf(options, io.cwd),
          unnamedProxy: (address) => warnOfProxy(address, reporter),
          searchThreadLost: (why) => warnOfThread(why, reporter),
          warmUpFailed: (company, why) => warnOfLists(company, why, reporter),
          ...(part === undefined ? {} : wire.failureLine()),
          ...(logLevel === undefined ? {} : { logLevel, log: (line) => io.stderr.write(line) }),
        });
  if (part === undefined) ready(server.url);
  else wire.reportReady(server.url);
  const signal = await stopped;
  await server.close();
  toolkit.close();
  return signal === 'SIGINT' ? 130 : 0;
}

function warnOfProxy(address: string, reporter: ServeReporter): void {
  const message =
    'a proxy on this machine forwards requests: its clients are not rate-limited, and evidence ' +
    `records ${address} for each; name the proxy: --trust-proxy ${address}`;
  reporter.warn(message, { address }, 'api.proxy.unnamed');
}

function warnOfThread(why: string, reporter: ServeReporter): void {
  const message = `a name search thread exited; searches continue without it: ${why}`;
  reporter.warn(message, { why }, 'screening.thread.lost');
}

function warnOfLists(company: string, why: string, reporter: ServeReporter): void {
  const message = `the lists of company ${company} could not be searched at startup: ${why}`;
  reporter.warn(message, { company, why }, 'screening.lists.unready');
}

function limitsOf(options: ServeOptions, cwd: string) {
  const { operatorToken } = options;
  return defined({
    // They share the memory of the machine.
    parts: options.workers,
    requestsPerAddress: options.rateAddress,
    requestsPerCompany: options.rateCompany,
    maxConnections: options.maxConnections,
    operatorTokenFile: operatorToken === undefined ? undefined : resolve(cwd, operatorToken),
  });
}

function announce(url: string, { console }: CommandContext): void {
  if (console.mode.json) console.document({ v: 1, command: 'serve', url });
  else if (url !== '') console.result(url);
  console.note(
    url === ''
      ? 'running; press Ctrl-C to stop'
      : `Try it: ${url}/api/swagger-ui/   (Ctrl-C to stop)`,
  );
}

/** Links created by this process use its own address; those of other commands, the usual port. */
function tellLinks(
  { service: { frontEnd: usual } }: ResolvedConfig,
  { service: { frontEnd } }: ResolvedConfig,
  { console }: CommandContext,
): void {
  if (frontEnd === usual) return;
  console.note(`Other commands print links to ${usual}: set INNSIGLI_FRONT_END=${frontEnd} there`);
}

function jobReporter(reporter: ServeReporter): JobFailed {
  return (kind, ref, code, why) => {
    const cause = why === undefined ? code : `${code}, ${why}`;
    const what = `${[kind, ref].join(' ').trim()}: ${cause}`;
    // Receivers fail often, and the list of deliveries records every attempt.
    if (kind === 'webhook') reporter.info(what, { kind, ref, code });
    else reporter.warn(`${what}; it will be retried`, { kind, ref, code });
  };
}

/** A service without a company is unusable; the data directory or database may be mistyped. */
async function tellFirstSteps(
  toolkit: Toolkit,
  { dataDir, production, service: { database } }: ResolvedConfig,
  reporter: ServeReporter,
  place: ListeningPlace | undefined,
): Promise<void> {
  const service = await toolkit.service().catch(async (error: unknown) => {
    if (!production) throw error;
    const { withRefusals } = await import('../../../wire/serve/serve.ts');
    throw await withRefusals(error, toolkit, {}, place);
  });
  const companies = await service.companies().finally(() => service.close());
  if (companies.length > 0) return;
  const where = database === undefined ? dataDir : 'the database';
  const command = production ? 'innsigli company create' : 'innsigli init';
  reporter.note(`there is no company in ${where} yet: create one with ${command}`);
}

/** Standard input can be read by only one process. */
function requireNoStdin({ tlsPasswordFile }: ServeOptions): void {
  if (tlsPasswordFile !== '-') return;
  refuseUsage(
    '--tls-password-file: expected a file for --workers, found standard input',
    'name a file, or serve without --workers',
  );
}

function tlsFiles({ tlsKey, tlsCert, tlsPasswordFile: file }: ServeOptions, cwd: string) {
  if (tlsKey === undefined && tlsCert === undefined && file === undefined) return undefined;
  if (tlsKey === undefined || tlsCert === undefined) {
    return refuseUsage('--tls-key and --tls-cert: expected both, found one');
  }
  // As everywhere: a file named `-` is written `./-`.
  const path = file === undefined || file === '-' ? file : resolve(cwd, file);
  const password = path === undefined ? {} : { passwordFile: path };
  return { keyFile: resolve(cwd, tlsKey), certificateFile: resolve(cwd, tlsCert), ...password };
}

// Links use the address of this server, unless the configuration specifies the public address.
async function withOwnAddress(
  config: ResolvedConfig,
  { host, tlsKey }: ServeOptions,
  port: number,
): Promise<ResolvedConfig> {
  const { defaultFrontEnd } = await import('../../../wire/config/settings.table.ts');
  const { service } = config;
  if (service.frontEnd !== defaultFrontEnd || port === 0 || !isLoopbackHost(host)) return config;
  const shown = host.includes(':') ? `[${host}]` : host;
  const frontEnd = `${tlsKey === undefined ? 'http' : 'https'}://${shown}:${port}`;
  return { ...config, service: { ...service, frontEnd } };
}

function rolesOf({ api, worker }: ServeOptions, count: number): readonly ProcessRole[] {
  const isBoth = (api ?? false) === (worker ?? false);
  const answering = new Array<ProcessRole>(isBoth || api === true ? count : 0).fill('api');
  if (isBoth) return [...answering, 'worker'];
  return answering.length > 0 ? answering : new Array<ProcessRole>(count).fill('worker');
}
