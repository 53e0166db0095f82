/**
 * Signature pad of the signing page, for mouse, finger or pen. The strokes are put into a form
 * field as integers; the server renders them again. Without this script, and for keyboard users,
 * the name is typed.
 */
function begin(look: HTMLElement, form: HTMLFormElement): void {
  const parts = partsOf(look);
  if (parts === undefined) return;
  const { pad, empty, undo, clear, lines } = parts;
  const isDrawn = () => new FormData(form).get('look') === 'drawn';
  const show = () => {
    lines.paint();
    const { strokes } = lines;
    parts.field.value = strokes.length === 0 ? '' : JSON.stringify(strokes);
    undo.disabled = strokes.length === 0;
    clear.disabled = strokes.length === 0;
    if (strokes.length > 0) empty.hidden = true;
  };
  trackPointer(lines, show);
  undo.addEventListener('click', () => {
    lines.strokes.pop();
    show();
  });
  clear.addEventListener('click', () => {
    lines.strokes.length = 0;
    show();
  });
  look.addEventListener('change', () => {
    pad.hidden = !isDrawn();
    show();
  });
  form.addEventListener('submit', (event) => {
    if (!isDrawn() || lines.strokes.length > 0) return;
    event.preventDefault();
    empty.hidden = false;
    empty.setAttribute('role', 'alert');
  });
  // When the window is rotated or resized, the strokes are painted again at the new size.
  new ResizeObserver(show).observe(lines.canvas);
  look.hidden = false;
  pad.hidden = !isDrawn();
  show();
}

/** Elements that the server has rendered for the pad. */
function partsOf(look: HTMLElement) {
  const [pad, canvas, field, empty, undo, clear] = [
    look.querySelector<HTMLElement>('[data-pad]'),
    look.querySelector('canvas'),
    look.querySelector<HTMLInputElement>('[name=drawing]'),
    look.querySelector<HTMLElement>('[data-empty]'),
    look.querySelector<HTMLButtonElement>('[data-undo]'),
    look.querySelector<HTMLButtonElement>('[data-clear]'),
  ];
  const context = canvas?.getContext('2d');
  if (!pad || !canvas || !field || !empty || !undo || !clear || !context) return undefined;
  return { pad, field, empty, undo, clear, lines: new Lines(canvas, context, look) };
}

/** The strokes drawn, within the limits set by the server. */
class Lines {
  readonly strokes: number[][] = [];
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #bounds: readonly number[];

  constructor(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, look: HTMLElement) {
    this.canvas = canvas;
    this.#context = context;
    this.#bounds = (look.dataset['look'] ?? '').split(' ').map(Number);
  }

  /** Starts a stroke; returns false if the limit is reached. */
  begin(event: PointerEvent): boolean {
    const [, , most = 0] = this.#bounds;
    if (this.strokes.length >= most || this.#left() <= 0) return false;
    this.strokes.push([]);
    this.add(event);
    return true;
  }

  add({ clientX, clientY }: PointerEvent): void {
    const stroke = this.strokes.at(-1);
    if (stroke === undefined || this.#left() <= 0) return;
    const [width = 0, height = 0] = this.#bounds;
    const box = this.canvas.getBoundingClientRect();
    const x = within(((clientX - box.left) / box.width) * width, width);
    const y = within(((clientY - box.top) / box.height) * height, height);
    const [lastX, lastY] = stroke.slice(-2);
    const isFirst = lastX === undefined || lastY === undefined;
    if (isFirst || Math.hypot(x - lastX, y - lastY) >= STEP) stroke.push(x, y);
  }

  paint(): void {
    const [width = 1] = this.#bounds;
    paint(this.canvas, this.#context, this.strokes, width);
  }

  #left(): number {
    const [, , , points = 0] = this.#bounds;
    return points - this.strokes.reduce((sum, each) => sum + each.length / 2, 0);
  }
}

/** Draws with one pointer at a time. `done` is called at the start and end of each stroke. */
function trackPointer(lines: Lines, done: () => void): void {
  const { canvas } = lines;
  let pointer: number | undefined;
  canvas.addEventListener('pointerdown', (event) => {
    if (pointer !== undefined || event.button !== 0 || !lines.begin(event)) return;
    event.preventDefault();
    pointer = event.pointerId;
    canvas.setPointerCapture(pointer);
    done();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId !== pointer) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length === 0 ? [event] : all) lines.add(each);
    lines.paint();
  });
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
    canvas.addEventListener(type, (event) => {
      if (event.pointerId !== pointer) return;
      pointer = undefined;
      done();
    });
  }
}

/** Minimum distance between two points in units, to suppress hand tremor. */
const STEP = 4;
/** Line width in units. */
const PEN = 7;

function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(value)));
}

function paint(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  strokes: readonly (readonly number[])[],
  width: number,
): void {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const scale = canvas.width / width;
  context.scale(scale, scale);
  context.lineWidth = PEN;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = getComputedStyle(canvas).color;
  for (const stroke of strokes) {
    context.beginPath();
    const [x = 0, y = 0] = stroke;
    context.moveTo(x, y);
    context.lineTo(x, y);
    for (let at = 2; at < stroke.length; at += 2) {
      context.lineTo(stroke[at] ?? 0, stroke[at + 1] ?? 0);
    }
    context.stroke();
  }
}

for (const look of document.querySelectorAll<HTMLElement>('[data-look]')) {
  const form = look.closest('form');
  if (form !== null) begin(look, form);
}
