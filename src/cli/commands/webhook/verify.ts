import { defined } from '../../../base/defined.ts';
import type { SignatureVerdict } from '../../../domain/webhook/index.ts';
import { command, textOfFile } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { readInput } from '../../files/index.ts';
import { readSecretFile } from './options.ts';

/** Checks the signatures of a webhook and prints one line per signature. */
export const webhookVerify = command('webhook verify', {
  summary: 'verify the signatures of a webhook',
  description: 'Verify the signatures of a received webhook.',
  args: { '[body]': 'file with the body as received (default: standard input)' },
  options: {
    '--secret-file <file>': {
      text: 'whsec_ secrets and webhookSignatureKey, one per line',
      ...readSecretFile,
      required: true,
    },
    '--header <line>': { text: 'a header, NAME: VALUE; repeatable', many: true },
    '--headers-file <file>': { text: 'headers, one per line', ...textOfFile },
    '--any-age': 'accept old requests',
  },
  help: [
    'With a whsec_ secret the headers webhook-id, webhook-timestamp and webhook-signature must ' +
      'be over this body. With a webhookSignatureKey the EventSignature in the body must be ' +
      'correct, which proves nothing about the rest of the body.',
  ],
  examples: {
    'innsigli webhook verify --secret-file secret --headers-file headers < body.json':
      'a stored request',
  },
  exits: {
    0: 'every signature that could be checked is valid',
    2: 'an option is invalid',
    7: 'a signature is invalid, missing or too old',
  },
  run: async ({ body: name = '-', header = [], headersFile = '', ...given }, { io }) => {
    const { secrets, signatureKey } = given.secretFile;
    const ofFile = headersFile.split(/\r?\n/).filter((line) => line.includes(':'));
    const headers = Object.fromEntries([...ofFile, ...header].map(readHeader));
    const { source } = await readInput(name, io);
    const body = source.slice(0, source.lengthBytes);
    const { verifyWebhook } = await import('../../../domain/webhook/index.ts');
    const anyAge = given.anyAge === true;
    const terms = { secrets, nowMs: io.now(), anyAge, ...defined({ signatureKey }) };
    return verifyWebhook({ headers, body }, terms);
  },
  text: async ({ standard, published }, { console }) => {
    const { green, red } = await console.style('stdout');
    const show = (what: string, verdict: SignatureVerdict | undefined) => {
      if (verdict === undefined) return;
      const found = verdict.isValid
        ? `${green('✓')} ${what}: valid, signed at ${new Date(verdict.atMs).toISOString()}`
        : `${red('✗')} ${what}: ${verdict.fault}`;
      console.result(found);
    };
    show('webhook-signature', standard);
    show('EventSignature', published);
  },
  exit: ({ isValid }) => (isValid ? 0 : 7),
});

function readHeader(line: string): readonly [name: string, value: string] {
  const at = line.indexOf(':');
  if (at < 1) refuseUsage(`--header: expected NAME: VALUE, found "${line.slice(0, 40)}"`);
  return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
}
