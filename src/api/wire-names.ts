import { isInnsigliError, restated } from '../base/errors.ts';
import { withoutName } from './failure.ts';

/** Members as a client calls them, by the names that the use case has. */
export type WireNames = Readonly<Record<string, string>>;

/** The result of `work`; an error about a member names it as the client does. */
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
