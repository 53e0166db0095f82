import type { LoginEvidence } from '../../../app/auth/index.ts';
import { command, readJsonInput } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { readToken, tokenArgument } from './session.ts';

const evidenceShow = command('auth evidence show', {
  summary: 'print what shows that a person has logged in',
  description:
    'Print the evidence of a login that is done, as JSON. It goes with the login after a day: ' +
    'write it to a file to keep it.',
  args: tokenArgument,
  help: [
    'It has name and national number of the person, and their certificate where there is one.',
  ],
  examples: { 'innsigli auth evidence show 3f… > login.json': 'kept in a file' },
  exits: { 0: 'printed', 4: 'there is no such login, or it is not done' },
  call: async ({ auth }, { token }, context) => auth.evidence(await readToken(token, context)),
  document: (kept) => ({ ...kept }),
  text: (kept, { console }) => console.result(JSON.stringify(kept, undefined, 2)),
});

const evidenceVerify = command('auth evidence verify', {
  summary: 'verify kept evidence of a login',
  description:
    'Verify that evidence of a login is unchanged, and what it shows: signature, certificate or ' +
    'key, person and session. The provider is not asked.',
  args: { '<file>': 'output of auth evidence show, or - for stdin' },
  help: [
    'The provider has to be configured here, with its anchors. Who keeps evidence for years ' +
      'proves by a time-stamp or seal of their own when it existed.',
  ],
  examples: { 'innsigli auth evidence verify login.json': 'what it shows' },
  exits: {
    0: 'it shows the login',
    2: 'the file is no evidence of a login',
    7: 'it does not show it',
  },
  call: async ({ auth }, { file }, context) => {
    const input = { evidence: await readJsonInput(file, context.io) };
    const checks = await auth.verifyEvidence(input as { readonly evidence: LoginEvidence });
    return { ok: checks.every(({ isOk }) => isOk), checks };
  },
  document: ({ ok, checks }) => ({
    ok,
    checks: checks.map(({ isOk, ...finding }) => ({ ...finding, ok: isOk })),
  }),
  text: async ({ checks }, { console }) => {
    const { green, red, bold } = await console.style('stdout');
    for (const { name, isOk, message } of checks) {
      const sign = isOk ? green('✓') : red('✗');
      console.result(`${sign} ${bold(printable(name))}: ${printable(message)}`);
    }
  },
  exit: ({ ok }) => (ok ? 0 : 7),
});

/** `auth evidence` with its commands. */
export const authEvidence = command('auth evidence', {
  summary: 'keep and verify what shows a login',
  description: 'Keep and verify what shows that a person has logged in.',
  commands: [evidenceShow, evidenceVerify],
});
