import type { Command } from 'commander';
import type { ReminderService, ReminderTarget } from '../../../app/reminder/index.ts';
import type { CommandContext } from '../../context.ts';

/**
 * Runs `work` with the reminders of the company that the user works for, and closes the store and
 * the connections behind it.
 */
export type UseReminders = <T>(
  context: CommandContext,
  work: (toolkit: ReminderService) => Promise<T>,
) => Promise<T>;

/** What two keys on the command line name: a signee of a process, or a person of a sequence. */
export function targetOf(key: string, signee: string): ReminderTarget {
  return key.startsWith('pg')
    ? { sequenceKey: key, personKey: signee }
    : { processKey: key, signeeKey: signee };
}

/** Help without the options of `remind`, which it would show among the global ones. */
export function hideRemindOptions(command: Command): Command {
  return command.configureHelp({
    ...command.configureHelp(),
    visibleGlobalOptions: (shown) => {
      let program = shown;
      while (program.parent !== null) program = program.parent;
      return program.options.filter(({ hidden }) => !hidden);
    },
  });
}
