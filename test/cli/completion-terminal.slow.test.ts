import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';
import { hasShell, openShell, type ShellName, shellStarts } from './support/shell-terminal.ts';

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/batch.cjs');
if (!isBuilt) console.warn('SKIPPED test/cli/completion-terminal.test.ts: needs dist/');

/** Files from which the script is loaded. */
const loading: { readonly [Shell in ShellName]: readonly string[] } = {
  bash: ['source ./completion.bash'],
  zsh: ['autoload -U compinit && compinit -u -D', 'source ./completion.zsh'],
  fish: ['source ./completion.fish'],
};

describe.skipIf(!isBuilt)('Tab at a terminal (skipped without dist/)', () => {
  let folder = '';
  let keys = { process: '', signee: '', flow: '' };
  const env = () => ({
    PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'data'),
  });
  const run = (...args: readonly string[]) => {
    const options = { cwd: folder, env: env(), encoding: 'utf8' } as const;
    return spawnSync(process.execPath, [program, ...args], options);
  };

  beforeAll(() => {
    folder = newTemporaryFolder('tab');
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'contract.pdf'));
    spawnSync('mkdir', [join(folder, 'bin')]);
    // The program answers the shell; every other command line is printed as it was completed.
    const stub = `#!/bin/sh
if [ "$1" = completion ]; then exec '${process.execPath}' '${program}' "$@"; fi
echo "GOT[$*]GOT"
`;
    writeFileSync(join(folder, 'bin', 'innsigli'), stub);
    chmodSync(join(folder, 'bin', 'innsigli'), 0o755);
    for (const shell of Object.keys(shellStarts)) {
      writeFileSync(join(folder, `completion.${shell}`), run('completion', shell).stdout);
    }
    run('init', '--name', 'Test', '--user', 'a@example.is');
    const signee = 'Anna,email=anna@example.is,type=ClickToSign';
    const made = run('process', 'create', 'contract.pdf', '--signee', signee, '--json');
    const { process: found } = JSON.parse(made.stdout) as {
      process: { key: string; flowKey: string; signees: { key: string }[] };
    };
    keys = { process: found.key, signee: found.signees[0]?.key ?? '', flow: found.flowKey };
  }, 120_000);

  const lines = (): readonly (readonly [string, string])[] => [
    ['innsigli archi', 'archive'],
    ['innsigli config ex', 'config explain'],
    ['innsigli seal contract.pdf --lev', 'seal contract.pdf --level'],
    ['innsigli seal contract.pdf --corner bottom-l', 'seal contract.pdf --corner bottom-left'],
    ['innsigli seal contract.pdf --corner=bottom-l', 'seal contract.pdf --corner=bottom-left'],
    ['innsigli seal cont', 'seal contract.pdf'],
    ['innsigli seal x.pdf --key cont', 'seal x.pdf --key contract.pdf'],
    ['innsigli seal x.pdf --key=cont', 'seal x.pdf --key=contract.pdf'],
    ['innsigli seal x.pdf --reason cont', 'seal x.pdf --reason cont'],
    ['innsigli auth cancel cont', 'auth cancel cont'],
    ['innsigli webhook trigger AllS', 'webhook trigger AllSigned'],
    ['innsigli screen decide 1 1 conf', 'screen decide 1 1 confirmed'],
    ['innsigli screen decide conf', 'screen decide conf'],
    ['innsigli process show sp', `process show ${keys.process}`],
    ['innsigli --json process document ', `--json process document ${keys.process}`],
    [`innsigli sign ${keys.process} s`, `sign ${keys.process} ${keys.signee}`],
    ['innsigli flow show ', `flow show ${keys.flow}`],
    ['innsigli process list --flow ', `process list --flow ${keys.flow}`],
  ];
  for (const shell of Object.keys(shellStarts) as ShellName[]) {
    const isThere = hasShell(shell);
    if (!isThere) console.warn(`SKIPPED completion in ${shell}: ${shell} or script is missing`);
    test.skipIf(!isThere)(
      `${shell} completes commands and values (skipped without the shell)`,
      { timeout: 180_000 },
      async () => {
        const terminal = await openShell(shell, folder, env(), loading[shell]);
        const found: (readonly [string, string])[] = [];
        try {
          for (const [typed] of lines()) {
            found.push([typed, (await terminal.complete(typed)).trimEnd()]);
          }
        } finally {
          terminal.close();
        }
        expect(found).toEqual(lines());
      },
    );
  }
});
