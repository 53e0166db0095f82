import { findLocale, localeOf } from '../../base/words/index.ts';

/**
 * The texts for true and false in a document of this language; undefined for an unsupported
 * language, in which they appear as in JSON.
 *
 * @param tag BCP 47, such as `is`, or a short code, such as `En`
 */
export function answerWords(tag = ''): { readonly yes: string; readonly no: string } | undefined {
  const [language = ''] = tag.toLowerCase().split('-');
  const code = findLocale(language === 'no' ? 'nb' : language);
  return code && localeOf(code).answers;
}
