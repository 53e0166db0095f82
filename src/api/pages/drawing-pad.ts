import { limits } from '../../base/limits.ts';
import { drawingArea } from '../../domain/signing/index.ts';
import { html, type Markup } from './html.ts';
import type { PageWords } from './words.types.ts';

/**
 * How the signature looks: the typed name, or one drawn by hand. The script of the pad shows it;
 * without scripts the name is typed.
 */
export function lookChoice(words: PageWords): Markup {
  const { width, height } = drawingArea;
  const { drawingStrokes, drawingPoints } = limits;
  const choice = (value: string, text: string, checked: boolean) =>
    html`<label class="choice"><input type="radio" name="look" value="${value}"
${checked && html` checked`}><span>${text}</span></label>`;
  const bounds = [width, height, drawingStrokes, drawingPoints].join(' ');
  return html`<fieldset class="look" data-look="${bounds}" hidden>
<legend>${words.lookHeading}</legend>
${choice('typed', words.lookTyped, true)}${choice('drawn', words.lookDrawn, false)}
<div data-pad hidden><canvas class="pad" role="img" aria-label="${words.drawArea}"></canvas>
<p class="bad" data-empty hidden>${words.errorDrawing}</p>
<div class="row"><button type="button" class="plain" data-undo>${words.drawUndo}</button>
<button type="button" class="plain" data-clear>${words.drawClear}</button></div></div>
<input type="hidden" name="drawing" value=""></fieldset>`;
}
