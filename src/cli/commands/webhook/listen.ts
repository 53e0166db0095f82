import type { Command } from 'commander';
import type { HeardEvent } from '../../../app/webhook/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { printable, type Style } from '../../output/index.ts';
import { useService } from '../../use-service.ts';

import { numberOf } from '../option-values.ts';
import { flowOf, readSecretFile, typesHelp } from './options.ts';

interface ParsedOptions {
  readonly port: string;
  readonly host: string;
  readonly flow?: string;
  readonly events?: readonly string[];
  readonly register: boolean;
  readonly forwardTo?: string;
  readonly secretFile?: string;
  readonly printSecret?: boolean;
  readonly verify: boolean;
}

/** Adds `webhook listen` to the command tree. */
export function defineWebhookListen(group: Command, start: Start): void {
  const command = group
    .command('listen')
    .summary('receive webhooks on this machine')
    .description('Receive and verify webhooks on this machine and print them as they come.')
    .option('--port <number>', 'port to listen on; 0 takes a free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--flow <key>', 'flow to register for; may be left out where there is one')
    .option('--events <type>', 'register for this type only; several times', collect)
    .option('--no-register', 'do not register: a receiver for what others send')
    .option('--forward-to <url>', 'send each request on and answer what it is answered')
    .option('--secret-file <file>', 'file with the whsec_ secret to verify with')
    .option('--print-secret', 'show the secret')
    .option('--no-verify', 'take every request');
  documentCommand(command, {
    text: [
      typesHelp,
      'Runs until it is interrupted and takes its registration back then. A worker has to run ' +
        'somewhere: innsigli worker. A request with a wrong signature is answered 401. Under ' +
        '--json each event is one line.',
    ],
    examples: [
      ['innsigli webhook listen', 'everything that happens'],
      ['innsigli webhook listen --events AllSigned --json', 'for programs'],
      ['innsigli webhook listen --forward-to http://127.0.0.1:3000/hook', 'to your own program'],
    ],
    exits: [
      [0, 'ended by SIGTERM or SIGHUP'],
      [2, 'an option is wrong'],
      [10, 'the port is taken'],
      [130, 'interrupted'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookListen(options, context)),
  );
}

/** Receives until a signal comes. */
export async function runWebhookListen(
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const { host, forwardTo, secretFile, register } = options;
  const port = numberOf(options.port, '--port', 0, 65_535);
  if (forwardTo !== undefined && !URL.canParse(forwardTo)) {
    refuseUsage(`--forward-to: expected a URL, found "${forwardTo.slice(0, 40)}"`);
  }
  const known = secretFile === undefined ? undefined : readSecretFile(secretFile, io.cwd).secrets;
  const [secret] = known ?? [];
  const style = await console.style('stdout');
  return useService(context, async (service) => {
    const request = {
      host,
      port,
      skipVerify: !options.verify,
      ...(register ? { flowKey: await flowOf(service, options.flow) } : {}),
      ...(options.events === undefined ? {} : { types: options.events }),
      ...(secret === undefined ? {} : { secret }),
      ...(forwardTo === undefined ? {} : { forwardTo }),
    };
    const listener = await service.webhooks.listen(request, (event) => {
      const line = console.mode.json ? JSON.stringify({ v: 1, ...event }) : eventLine(event, style);
      io.stdout.write(`${line}\n`);
    });
    const stopped = io.waitForStop();
    console.note(`listening on ${listener.url}   (Ctrl-C ends)`);
    if (options.printSecret === true) console.note(`secret: ${listener.secret}`);
    const signal = await stopped;
    await listener.close();
    return signal === 'SIGINT' ? 130 : 0;
  });
}

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
