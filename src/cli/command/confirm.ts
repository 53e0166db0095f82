import { InnsigliError } from '../../base/errors.ts';
import { type CommandContext, refuseUsage } from '../context.ts';

/**
 * Asks for confirmation at the terminal, unless an option sets `isConfirmed`.
 *
 * @throws usage.input.required without a terminal, usage.invalid if the answer is no
 */
export async function confirm(
  isConfirmed: true | undefined,
  question: string,
  { io, globals }: CommandContext,
  refused = 'nothing was changed',
): Promise<void> {
  if (isConfirmed) return;
  if (!globals.input || globals.json || !io.stdin.isTerminal) {
    throw new InnsigliError('usage.input.required', 'confirmation required: pass --yes', {
      hint: 'or run it in a terminal and answer the prompt',
    });
  }
  if (!(await io.confirm(question))) refuseUsage(refused);
}
