import { command } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { findKeys, keyKinds } from '../../short-keys.ts';
import { useService } from '../../use-service.ts';

/** Prints a completion script, or keys with their names, newest first. */
export const completion = command('completion', {
  description: 'Print a completion script for a shell, or the keys it offers.',
  args: {
    '<shell>': { text: 'shell, or keys', choices: ['bash', 'zsh', 'fish', 'keys'] },
    '[kind]': { text: 'keys of this kind', choices: keyKinds },
    '[of]': 'for keys of signees: the process; for keys of persons: the sequence',
  },
  help: [
    'Instead of a whole key, a command also accepts any unambiguous prefix of the key: ' +
      'for processes, sequences, signees, persons, flows, messages and deliveries. Webhooks have ' +
      'numbers, which cannot be abbreviated.',
  ],
  examples: {
    'source <(innsigli completion bash)': 'in ~/.bashrc',
    'source <(innsigli completion zsh)': 'in ~/.zshrc, after compinit',
    'innsigli completion fish > ~/.config/fish/completions/innsigli.fish': 'once',
    'innsigli completion keys process': 'keys and names, as the scripts request them',
  },
  exits: { 0: 'printed', 2: 'unknown shell' },
  run: async ({ shell, kind, of: whole }, context, self) => {
    if (shell === 'keys') {
      if (kind === undefined) return refuseUsage(`keys: expected one of ${keyKinds.join(', ')}`);
      return useService(context, async (service) => ({
        keys: await findKeys(service, kind, '', whole),
      }));
    }
    if (kind !== undefined) refuseUsage(`${shell}: expected no kind of key with it`);
    const { completionScript } = await import('../../guide/index.ts');
    context.console.result(completionScript(shell, self.parent ?? self));
    return undefined;
  },
  text: ({ keys }, { console }) => {
    for (const { key, name } of keys) console.result(`${key}\t${printable(name)}`);
  },
});
