import { findLocale, localeOf } from '../../base/words/index.ts';

/**
 * What a document in this language says of values that are true or false; undefined for a language
 * that is not known, in which they keep their names in JSON.
 *
 * @param tag BCP 47, such as `is`, or a short code, such as `En`
 */
export function answerWords(tag = ''): { readonly yes: string; readonly no: string } | undefined {
  const [language = ''] = tag.toLowerCase().split('-');
  const code = findLocale(language === 'no' ? 'nb' : language);
  return code && localeOf(code).answers;
}
