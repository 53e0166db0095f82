import type { HeardEvent } from '../../../app/webhook/index.ts';
import { defined } from '../../../base/defined.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { command, key, port, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable, type Style } from '../../output/index.ts';
import { flowOf, readSecretFile, typesHelp } from './options.ts';

const url = reading((text, name) =>
  isUrl(text) ? text : refuseUsage(`${name}: expected a URL, found "${text.slice(0, 40)}"`),
);

/** Receives webhooks until a signal arrives. */
export const webhookListen = command('webhook listen', {
  summary: 'receive webhooks on this machine',
  description: 'Receive webhooks on this machine, verify them and print them as they arrive.',
  options: {
    '--port <number>': { text: 'port to listen on; 0 picks a free one', ...port, default: '0' },
    '--host <address>': { text: 'address to listen on', default: '127.0.0.1' },
    '--flow <key>': { text: 'flow to register for; optional if there is only one', ...key('flow') },
    '--events <type>': { text: 'register for this type only; repeatable', many: true },
    '--no-register': 'do not register: only receive events',
    '--forward-to <url>': {
      text: 'forward each request and return the response',
      ...url,
    },
    '--secret-file <file>': {
      text: 'file with the whsec_ secret to verify with',
      ...readSecretFile,
    },
    '--print-secret': 'show the secret',
    '--no-verify': 'accept every request',
  },
  help: [
    typesHelp,
    'Runs until interrupted, then removes its registration. A worker must run ' +
      'somewhere: innsigli worker. A request with an invalid signature gets status 401. With ' +
      '--json each event is one line.',
  ],
  examples: {
    'innsigli webhook listen': 'all events',
    'innsigli webhook listen --events AllSigned --json': 'for programs',
    'innsigli webhook listen --forward-to http://127.0.0.1:3000/hook': 'to your own program',
  },
  exits: {
    0: 'ended by SIGTERM or SIGHUP',
    2: 'an option is invalid',
    10: 'the port is in use',
    130: 'interrupted',
  },
  call: async (service, { host, port, flow, register, ...given }, { console, io }) => {
    const { events: types, forwardTo, verify, printSecret } = given;
    const secret = given.secretFile?.secrets[0];
    const style = await console.style('stdout');
    const request = {
      host,
      port,
      skipVerify: !verify,
      ...(register ? { flowKey: await flowOf(service, flow) } : {}),
      ...defined({ types, secret, forwardTo }),
    };
    const listener = await service.webhooks.listen(request, (event) => {
      const line = console.mode.json ? JSON.stringify({ v: 1, ...event }) : eventLine(event, style);
      io.stdout.write(`${line}\n`);
    });
    const stopped = io.waitForStop();
    console.note(`listening on ${listener.url}   (Ctrl-C to stop)`);
    if (printSecret) console.note(`secret: ${listener.secret}`);
    const signal = await stopped;
    await listener.close();
    return signal === 'SIGINT' ? 130 : 0;
  },
});

function eventLine(event: HeardEvent, { green, red, bold, dim }: Style): string {
  const { verification, type = 'unknown', attempt, lengthBytes, answered } = event;
  const time = dim(`${new Date(event.atMs).toISOString().slice(11, 19)}Z`);
  const { standard, published } = verification;
  const faults = [standard, published].flatMap((each) =>
    each === undefined || each.isValid ? [] : [each.fault],
  );
  const sign = verification.isValid ? green('✓') : red('✗');
  const words = [
    `${time} ${sign} ${bold(type)}`,
    printable(verification.eventId ?? 'no id'),
    `${lengthBytes} bytes`,
    ...(attempt === undefined || attempt === '1' ? [] : [`try ${printable(attempt)}`]),
    ...faults.map((fault) => `signature ${fault}`),
    `answered ${answered}`,
  ];
  return words.join('  ');
}
