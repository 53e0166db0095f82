import { type InnsigliError, isInnsigliError, restated } from '../base/errors.ts';
import { shownName } from './output/index.ts';

/** Returns the result of `work`. An error about the document is prefixed with its name. */
export async function naming<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isInnsigliError(error) ? namedError(name, error) : error;
  }
}

/** The error prefixed with the name of its document, unless the message already contains it. */
export function namedError(name: string, error: InnsigliError): InnsigliError {
  const isAboutDocument =
    /^(pdf|xml|container|limit|seal|asn1|cms|trust\.bundle)\./.test(error.code) &&
    error.code !== 'seal.image.invalid';
  const shown = shownName(name);
  if (!isAboutDocument || error.message.includes(shown)) return error;
  return restated(error, { message: `${shown}: ${error.message}` });
}
