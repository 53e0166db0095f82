import type { Command } from 'commander';
import { bashScript } from './bash-completion.ts';
import { placesOf } from './completion-places.ts';
import { fishScript } from './fish-completion.ts';

/** Generates a completion script for the commands, options and fixed values of the tree. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = placesOf(program);
  if (shell === 'fish') return fishScript(places);
  const bash = bashScript(places);
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}
