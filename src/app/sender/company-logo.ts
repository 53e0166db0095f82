import { isInnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { decodePng, pngSignature, readJpegHeader } from '../../formats/image/index.ts';
import { useCase } from '../operation.ts';
import type { StorePorts, StoreUnit } from '../ports/index.ts';

/** The logo of a company, shown at the top of its mails. */
export interface CompanyLogo {
  readonly contentType: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
  readonly content: Uint8Array;
}

/** Maximum width and height of a logo, in pixels. */
const SIDE_MAX = 2_000;
const jpegStart = [0xff, 0xd8, 0xff];
const factOf = (companyKey: CompanyKey) => `company.logo:${companyKey}`;

/** Operations on the logo of a company. */
export const logoOperations = {
  /**
   * Sets the logo of a company, or removes it if undefined. Only PNG and JPEG are accepted: formats
   * such as SVG can contain scripts.
   *
   * @throws validation.error if the file has a different format, is corrupt or too large
   * @example
   * await acme.setLogo(await readFile('logo.png'));
   */
  setLogo: useCase(
    [],
    async (
      { store, now }: StorePorts,
      companyKey,
      content: Uint8Array | undefined,
    ): Promise<Omit<CompanyLogo, 'content'> | undefined> => {
      const name = factOf(companyKey);
      if (content === undefined) {
        await store.write(({ facts }) => facts.remove(name));
        return undefined;
      }
      const form = formOf(content);
      const value = JSON.stringify({ ...form, content: Buffer.from(content).toString('base64') });
      await store.write(({ facts }) => facts.put(name, value, now()));
      return form;
    },
  ),
  /**
   * Returns the logo of a company. Undefined if it has none.
   *
   * @example
   * const logo = await acme.logo();
   */
  logo: useCase(
    [],
    ({ store }: StorePorts, companyKey): Promise<CompanyLogo | undefined> =>
      store.read((unit) => findLogo(unit, companyKey)),
  ),
};

/** Returns the logo of a company, within a transaction. */
export async function findLogo(
  { facts }: Pick<StoreUnit, 'facts'>,
  companyKey: CompanyKey,
): Promise<CompanyLogo | undefined> {
  const text = await facts.find(factOf(companyKey));
  if (text === undefined) return undefined;
  const { content, ...form } = JSON.parse(text) as Omit<CompanyLogo, 'content'> & {
    readonly content: string;
  };
  return { ...form, content: Buffer.from(content, 'base64') };
}

function formOf(content: Uint8Array): Omit<CompanyLogo, 'content'> {
  const { length } = content;
  if (length > limits.logoBytes) {
    refuseLogo(`expected at most ${limits.logoBytes} bytes, found ${length}`);
  }
  const starts = (bytes: Iterable<number>) => [...bytes].every((each, at) => content[at] === each);
  const isPng = starts(pngSignature);
  if (!isPng && !starts(jpegStart)) refuseLogo('expected a PNG or JPEG, found a different file');
  try {
    const { width, height } = isPng ? decodePng(content) : readJpegHeader(content);
    if (Math.max(width, height) > SIDE_MAX) {
      refuseLogo(`expected sides of at most ${SIDE_MAX} pixels, found ${width} × ${height}`);
    }
    return { contentType: isPng ? 'image/png' : 'image/jpeg', width, height };
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'validation.error') throw error;
    refuseLogo(error.message);
  }
}

function refuseLogo(why: string): never {
  const advice = 'an image of 400 × 120 pixels is enough: mails show it at most 60 pixels high';
  return invalid('logo', why, advice);
}
