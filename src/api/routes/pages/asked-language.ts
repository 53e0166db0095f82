import { type Language, languages } from '../../../domain/message/index.ts';
import { byWeight } from '../../plugins/index.ts';

/** Maximum number of browser languages considered. */
const LANGUAGES_MAX = 20;
/** Norwegian in general, and the written form that has no translation. */
const alsoKnownAs: ReadonlyMap<string, Language> = new Map([
  ['no', 'Nb'],
  ['nn', 'Nb'],
]);

/**
 * Returns the language of a page for an unknown reader: the chosen one, else the first supported
 * language of the browser, else English.
 *
 * @param lng the query parameter, which need not be a single text
 * @spec RFC 9110 §12.5.4
 */
export function requestedLanguage(lng: unknown, accepted = ''): Language {
  const wishes = byWeight(accepted.split(',', LANGUAGES_MAX));
  for (const tag of [typeof lng === 'string' ? lng : '', ...wishes]) {
    const [code = ''] = tag.toLowerCase().split('-');
    const found = languages.find((each) => each.toLowerCase() === code) ?? alsoKnownAs.get(code);
    if (found !== undefined) return found;
  }
  return 'En';
}
