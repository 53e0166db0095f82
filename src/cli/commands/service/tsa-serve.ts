import type { Command } from 'commander';
import { isLoopbackHost } from '../../../base/network/loopback.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../../context.ts';
import { readPort, withDefault } from '../webhook/listen-options.ts';

/** What `innsigli tsa serve` was asked for. */
export interface TsaServeOptions {
  readonly host: string;
  readonly port: number;
}

/** Adds `tsa serve` to the command tree. */
export function defineTsa(program: Command, start: Start): void {
  const group = program.command('tsa').summary('the embedded time-stamp authority');
  group.description('The embedded time-stamp authority. Test only.').helpCommand(false);
  const command = group
    .command('serve')
    .summary('serve time-stamps, OCSP answers and CRLs over HTTP')
    .description('Serve time-stamps, OCSP answers and CRLs of the development trust over HTTP.')
    .addOption(withDefault('--host <address>', 'address to listen on', '127.0.0.1'))
    .addOption(withDefault('--port <number>', 'port to listen on; 0 takes a free one', '8318'));
  documentCommand(command, {
    text: [
      'Prints the address for --tsa on stdout when it is ready and runs until it is interrupted. ' +
        'OCSP answers and CRLs are served on the same port.',
      'The certificates of the development trust name OCSP, CRL and issuer addresses on ' +
        'http://127.0.0.1:8318, whatever --host and --port say: another validator finds them at ' +
        'the default address only. innsigli itself asks no address about them.',
    ],
    examples: [
      ['innsigli tsa serve', 'http://127.0.0.1:8318/tsa'],
      ['innsigli tsa serve --port 0', 'on a free port'],
    ],
    exits: [
      [0, 'ended by SIGTERM or SIGHUP'],
      [2, 'the port is not a port'],
      [10, 'the address is taken or the data directory cannot be used'],
      [130, 'interrupted'],
    ],
  });
  command.action((options: { host: string; port: string }, self: Command) =>
    start(self, (context) =>
      runTsaServe({ host: options.host, port: readPort(options.port) }, context),
    ),
  );
}

/** Serves until a signal comes. */
export async function runTsaServe(
  options: TsaServeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const { config } = await loadConfig(context, {});
  const toolkit = await openToolkit(context, config);
  if (!isLoopbackHost(options.host)) {
    const message = `everybody who can reach ${options.host} gets test time-stamps from here`;
    await console.warn(message, 'tsa.exposed');
  }
  const server = await toolkit.serveTrust(options);
  const stopped = io.waitForStop();
  const tsa = `${server.url}/tsa`;
  if (console.mode.json) console.document({ v: 1, command: 'tsa serve', url: server.url, tsa });
  else console.result(tsa);
  console.note(`Seal with it: innsigli seal --tsa ${tsa} FILE   (Ctrl-C ends)`);
  const signal = await stopped;
  await server.close();
  return signal === 'SIGINT' ? 130 : 0;
}
