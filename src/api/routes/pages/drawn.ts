import { attempt } from '../../../base/errors.ts';
import { type Drawing, parseDrawing } from '../../../domain/signing/index.ts';
import { refuse } from './show-page.ts';
import type { Visit } from './visit.ts';

/**
 * Returns the result of `sign`, called with the drawing of a form, or without one if the name is
 * typed. An invalid drawing signs nothing: the page asks for it again.
 */
export async function withDrawing(
  visit: Visit,
  form: URLSearchParams,
  sign: (drawing?: Drawing) => Promise<string | object>,
): Promise<string | object> {
  if (form.get('look') !== 'drawn') return sign();
  const drawing = attempt(() => parseDrawing(form.get('drawing') ?? ''));
  if (drawing !== undefined) return sign(drawing);
  return refuse(visit, 'errorDrawing');
}
