import { isLoopbackHost } from '../../../base/network/loopback.ts';
import { command, port } from '../../command/index.ts';
import { loadConfig, openToolkit } from '../../context.ts';

const tsaServe = command('tsa serve', {
  summary: 'serve time-stamps, OCSP responses and CRLs over HTTP',
  description: 'Serve time-stamps, OCSP responses and CRLs of the development trust over HTTP.',
  options: {
    '--host <address>': { text: 'address to listen on', default: '127.0.0.1' },
    '--port <number>': {
      text: 'port to listen on; 0 picks a free one',
      ...port,
      default: '8318',
    },
  },
  help: [
    'Prints the address for --tsa on stdout when ready and runs until interrupted. ' +
      'OCSP responses and CRLs are served on the same port.',
    'The certificates of the development trust name OCSP, CRL and issuer addresses on ' +
      'http://127.0.0.1:8318, regardless of --host and --port: other validators find them at ' +
      'the default address only. innsigli itself does not fetch them.',
  ],
  examples: {
    'innsigli tsa serve': 'http://127.0.0.1:8318/tsa',
    'innsigli tsa serve --port 0': 'on a free port',
  },
  exits: {
    0: 'ended by SIGTERM or SIGHUP',
    2: 'an option is invalid',
    10: 'the address is in use, or the data directory cannot be used',
    130: 'interrupted',
  },
  run: async (options, context) => {
    const { io, console } = context;
    const { config } = await loadConfig(context, {});
    const toolkit = await openToolkit(context, config);
    if (!isLoopbackHost(options.host)) {
      const message = `clients that can reach ${options.host} get test time-stamps from here`;
      await console.warn(message, 'tsa.exposed');
    }
    const server = await toolkit.serveTrust(options);
    const stopped = io.waitForStop();
    const address = `${server.url}/tsa`;
    if (console.mode.json) {
      console.document({ v: 1, command: 'tsa serve', url: server.url, tsa: address });
    } else console.result(address);
    console.note(`Seal with it: innsigli seal --tsa ${address} FILE   (Ctrl-C to stop)`);
    const signal = await stopped;
    await server.close();
    return signal === 'SIGINT' ? 130 : 0;
  },
});

/** `tsa` with its command. */
export const tsa = command('tsa', {
  description: 'The embedded time-stamp authority. Test only.',
  commands: [tsaServe],
});
