import { isInnsigliError, restated } from '../base/errors.ts';
import { withoutName } from './failure.ts';

/** Wire names of members, by their names in the use case. */
export type WireNames = Readonly<Record<string, string>>;

/** Returns the result of `work`. Errors about a member are restated with its wire name. */
export async function withWireNames<T>(names: WireNames, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const field = isInnsigliError(error) ? error.details['field'] : undefined;
    if (!isInnsigliError(error) || typeof field !== 'string') throw error;
    const wireField = wirePath(names, field);
    throw restated(error, {
      message: `${wireField}: ${withoutName(error.message, field)}`,
      details: { ...error.details, field: wireField },
    });
  }
}

function wirePath(names: WireNames, path: string): string {
  const nameOf = (part = '') => part.split('[', 1)[0] ?? '';
  const parts = path.split('.').map((part, at, all) => {
    const name = nameOf(part);
    const wireName = names[`${nameOf(all[at - 1])}.${name}`] ?? names[name];
    if (wireName === undefined) return part;
    return wireName === '' ? '' : wireName + part.slice(name.length);
  });
  return parts.filter((part) => part !== '').join('.') || path;
}
