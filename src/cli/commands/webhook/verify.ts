import type { Command } from 'commander';
import type { SignatureVerdict } from '../../../domain/webhook/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { readInput } from '../../files/index.ts';
import { collect } from '../../options.ts';
import { readOptionFile } from '../option-values.ts';
import { readSecretFile } from './options.ts';

interface ParsedOptions {
  readonly secretFile: string;
  readonly header?: readonly string[];
  readonly headersFile?: string;
  readonly anyAge?: boolean;
}

/** Adds `webhook verify` to the command tree. */
export function defineWebhookVerify(group: Command, start: Start): void {
  const command = group
    .command('verify')
    .summary('verify the signatures of a webhook')
    .description('Verify the signatures of a webhook that you received.')
    .argument('[body]', 'file with the body as it came; - or nothing: standard input')
    .requiredOption('--secret-file <file>', 'whsec_ secrets and webhookSignatureKey, one a line')
    .option('--header <line>', 'a header, NAME: VALUE; several times', collect)
    .option('--headers-file <file>', 'headers, one a line')
    .option('--any-age', 'accept old requests');
  documentCommand(command, {
    text: [
      'With a whsec_ secret the headers webhook-id, webhook-timestamp and webhook-signature must ' +
        'be over this body. With a webhookSignatureKey the EventSignature in the body must be ' +
        'right, which says nothing about the rest of the body.',
    ],
    examples: [
      [
        'innsigli webhook verify --secret-file secret --headers-file headers < body.json',
        'a request that was kept',
      ],
    ],
    exits: [
      [0, 'every signature that could be checked is valid'],
      [2, 'an option is wrong'],
      [7, 'a signature is wrong, missing, or too old'],
    ],
  });
  command.action((body: string | undefined, options: ParsedOptions, self: Command) =>
    start(self, (context) => runWebhookVerify(body ?? '-', options, context)),
  );
}

/** Checks the signatures and prints one line for each. */
export async function runWebhookVerify(
  name: string,
  options: ParsedOptions,
  { console, io }: CommandContext,
): Promise<ExitCode> {
  const { secrets, signatureKey } = readSecretFile(options.secretFile, io.cwd);
  const lines = [
    ...(options.headersFile === undefined ? [] : headerLines(options.headersFile, io.cwd)),
    ...(options.header ?? []),
  ];
  const headers = Object.fromEntries(lines.map(readHeader));
  const { source } = await readInput(name, io);
  const body = source.slice(0, source.lengthBytes);
  const { verifyWebhook } = await import('../../../domain/webhook/index.ts');
  const verification = verifyWebhook(
    { headers, body },
    {
      secrets,
      nowMs: io.now(),
      anyAge: options.anyAge === true,
      ...(signatureKey === undefined ? {} : { signatureKey }),
    },
  );
  const exitCode: ExitCode = verification.isValid ? 0 : 7;
  if (console.mode.json) {
    console.document({ v: 1, command: 'webhook verify', ...verification });
    return exitCode;
  }
  const { green, red } = await console.style('stdout');
  const show = (what: string, verdict: SignatureVerdict | undefined) => {
    if (verdict === undefined) return;
    const found = verdict.isValid
      ? `${green('✓')} ${what}: valid, signed at ${new Date(verdict.atMs).toISOString()}`
      : `${red('✗')} ${what}: ${verdict.fault}`;
    console.result(found);
  };
  show('webhook-signature', verification.standard);
  show('EventSignature', verification.published);
  return exitCode;
}

function headerLines(path: string, cwd: string): readonly string[] {
  const text = Buffer.from(readOptionFile(path, cwd)).toString('utf8');
  return text.split(/\r?\n/).filter((line) => line.includes(':'));
}

function readHeader(line: string): readonly [name: string, value: string] {
  const at = line.indexOf(':');
  if (at < 1) refuseUsage(`--header: expected NAME: VALUE, found "${line.slice(0, 40)}"`);
  return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
}
