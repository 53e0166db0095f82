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
  refused = 'nothing was done',
): Promise<void> {
  if (isConfirmed) return;
  if (!globals.input || globals.json || !io.stdin.isTerminal) {
    throw new InnsigliError('usage.input.required', 'confirmation required: pass --yes', {
      hint: 'or run it at a terminal, and answer the question',
    });
  }
  if (!(await io.confirm(question))) refuseUsage(refused);
}
