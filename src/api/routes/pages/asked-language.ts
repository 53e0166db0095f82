import { type Language, languages } from '../../../domain/message/index.ts';
import { byWeight } from '../../plugins/index.ts';

/** Languages of a browser that are looked at. */
const WISHES_MAX = 20;
/** Norwegian in general, and the form of it that is not written here. */
const alsoKnownAs: ReadonlyMap<string, Language> = new Map([
  ['no', 'Nb'],
  ['nn', 'Nb'],
]);

/**
 * The language of a page for somebody of whom nothing is known: the one that was chosen, else the
 * first one of the browser that is known, else English.
 *
 * @param lng as it stands in the address, which need not be one text
 * @spec RFC 9110 §12.5.4
 */
export function askedLanguage(lng: unknown, accepted = ''): Language {
  const wishes = byWeight(accepted.split(',', WISHES_MAX));
  for (const tag of [typeof lng === 'string' ? lng : '', ...wishes]) {
    const [code = ''] = tag.toLowerCase().split('-');
    const found = languages.find((each) => each.toLowerCase() === code) ?? alsoKnownAs.get(code);
    if (found !== undefined) return found;
  }
  return 'En';
}
