import type { LoginEvidence } from '../../../app/auth/index.ts';
import { isInnsigliError, restated } from '../../../base/errors.ts';
import { command, readJsonInput } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { checksDocument, withVerdict } from './checks.ts';
import { readToken, tokenArgument } from './session.ts';

const evidenceShow = command('auth evidence show', {
  summary: 'print the evidence of a login',
  description:
    'Print the evidence of a completed login as JSON. It is deleted with the login after a day: ' +
    'write it to a file to keep it.',
  args: tokenArgument,
  help: ['It contains the name and national number of the person, and the certificate, if any.'],
  examples: { 'innsigli auth evidence show 3f… > login.json': 'keep it in a file' },
  exits: { 0: 'printed', 4: 'no such login, or it is not completed' },
  call: async ({ auth }, { token }, context) => auth.evidence(await readToken(token, context)),
  document: (kept) => ({ ...kept }),
  text: (kept, { console }) => console.result(JSON.stringify(kept, undefined, 2)),
});

const evidenceVerify = command('auth evidence verify', {
  summary: 'verify the evidence of a login',
  description:
    'Verify that the evidence of a login is unchanged and proves the login: its signature, ' +
    'certificate or key, person and session. The provider is not contacted.',
  args: { '<file>': 'output of auth evidence show, or - for stdin' },
  help: [
    'The provider and its anchors must be configured here. Seal or time-stamp the file to ' +
      'keep it for years: by itself it does not prove when it was written.',
  ],
  examples: { 'innsigli auth evidence verify login.json': 'verify a file' },
  exits: {
    0: 'the evidence proves the login',
    2: 'the file is not login evidence',
    7: 'the evidence does not prove the login',
  },
  call: async ({ auth }, { file }, context) => {
    const evidence = withoutHead(await readJsonInput(file, context.io)) as LoginEvidence;
    const checks = await auth.verifyEvidence({ evidence }).catch(withHint);
    return withVerdict(checks);
  },
  document: checksDocument,
  text: async ({ checks }, { console }) => {
    const { green, red, bold } = await console.style('stdout');
    for (const { name, isOk, message } of checks) {
      const sign = isOk ? green('✓') : red('✗');
      console.result(`${sign} ${bold(printable(name))}: ${printable(message)}`);
    }
  },
  exit: ({ ok }) => (ok ? 0 : 7),
});

/** The evidence in a document printed with `--json`, without the command's own members. */
function withoutHead(document: unknown): unknown {
  const {
    v,
    command: name,
    warnings: _,
    ...evidence
  } = Object(document) as Record<string, unknown>;
  return v === 1 && name === 'auth evidence show' ? evidence : document;
}

/** Adds a hint on the expected file if the file has a different format. */
function withHint(error: unknown): never {
  if (!isInnsigliError(error, 'validation')) throw error;
  throw restated(error, { hint: 'expected the output of innsigli auth evidence show' });
}

/** `auth evidence` with its commands. */
export const authEvidence = command('auth evidence', {
  summary: 'print and verify the evidence of logins',
  description: 'Print and verify the evidence that a person logged in.',
  commands: [evidenceShow, evidenceVerify],
});
