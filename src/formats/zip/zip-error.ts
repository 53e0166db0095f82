import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';

/** The error for an archive that readers could interpret differently, or not at all. */
export function zipInvalid(message: string, cause?: unknown): InnsigliError {
  return new InnsigliError('container.invalid', message, defined({ cause }));
}

/** The error for an archive that exceeds a limit. */
export function zipTooMuch(what: string, most: number, found: number): InnsigliError {
  return new InnsigliError('container.limit', `expected at most ${most} ${what}, found ${found}`, {
    details: { most, found },
  });
}

/** An entry's name in a form suitable for messages: short, on one line. */
export function shownName(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return JSON.stringify(short);
}
