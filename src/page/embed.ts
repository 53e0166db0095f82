/**
 * Entry point "innsigli/embed": shows the signing page within a page of your own, and reports its
 * events. It runs in browsers and has no dependencies. The origin of your page must be registered:
 * `innsigli company origin add https://app.example.com`.
 */

/** The signed document, as in the published API. */
export interface SignedDocument {
  /** SHA-256 of the document, base64. */
  readonly digest: string;
  readonly fileName: string;
}

/**
 * An event posted by the signing page. `process_not_found` and `error` are part of the published
 * API but never posted: an unknown link belongs to no known company, so there is no origin to post
 * to.
 */
export type SigningEvent =
  | { readonly type: 'ready' }
  | { readonly type: 'resize'; readonly height: number }
  | {
      readonly type: 'document_signed';
      readonly processKey: string;
      readonly signeeKey: string;
      readonly signedDocument: SignedDocument;
    }
  | {
      readonly type: 'signing_completed';
      readonly processKey: string;
      readonly signeeKey: string;
      /** The last signed document; for qualified signatures only. */
      readonly signedDocument?: SignedDocument;
    }
  | {
      readonly type:
        | 'already_signed'
        | 'process_not_found'
        | 'process_expired'
        | 'process_canceled'
        | 'process_blocked'
        | 'error';
      readonly processKey?: string;
      readonly signeeKey?: string;
    };

/** Options of {@link embedSigning}. */
export interface EmbedOptions {
  /** Link of the signee, as returned by the service: `https://sign.example.com/s/…/…`. */
  readonly url: string;
  /** Element to which the frame is appended. */
  readonly element: HTMLElement;
  /** Language, such as `en-us`. Default: that of the signee. */
  readonly language?: string;
  /** Accessible name of the frame. Default: `Signing`. */
  readonly title?: string;
  /** Called with each event of the page in the frame; messages of other windows are ignored. */
  onEvent?(event: SigningEvent): void;
}

/** A signing page in a frame. */
export interface EmbeddedSigning {
  readonly frame: HTMLIFrameElement;
  /** Removes the frame and stops listening. */
  close(): void;
}

const HEIGHT_FIRST = 700;

/**
 * Shows the signing page of a signee in a frame whose height follows its content.
 *
 * @throws TypeError unless `url` is an http or https URL
 * @example
 * const signing = embedSigning({ url, element, onEvent: ({ type }) => console.log(type) });
 */
export function embedSigning(options: EmbedOptions): EmbeddedSigning {
  const { element, language, title = 'Signing', onEvent } = options;
  const address = new URL(options.url);
  if (!/^https?:$/.test(address.protocol)) throw new TypeError('url: expected http or https');
  address.searchParams.set('iframe', 'true');
  if (language !== undefined) address.searchParams.set('lng', language);
  const frame = document.createElement('iframe');
  Object.assign(frame, { src: address.href, title });
  frame.style.cssText = `border:0;width:100%;height:${HEIGHT_FIRST}px`;
  const hear = ({ source, origin, data }: MessageEvent) => {
    // Messages of other windows, or of a different origin in the frame, are not trusted.
    if (source !== frame.contentWindow || origin !== address.origin) return;
    if (typeof data !== 'object' || data === null || typeof data.type !== 'string') return;
    if (data.type === 'resize' && data.height > 0)
      frame.style.height = `${Math.ceil(data.height)}px`;
    onEvent?.(data as SigningEvent);
  };
  addEventListener('message', hear);
  element.append(frame);
  return {
    frame,
    close: () => {
      removeEventListener('message', hear);
      frame.remove();
    },
  };
}

/**
 * Defines the custom element `<innsigli-sign src="…" lng="…">`, which shows the signing page of a
 * signee and dispatches its events under their type, with the event as `detail`. Further calls have
 * no effect.
 *
 * @example
 * defineSigningElement();
 * document.querySelector('innsigli-sign').addEventListener('signing_completed', onDone);
 */
export function defineSigningElement(): void {
  if (customElements.get('innsigli-sign') !== undefined) return;
  customElements.define(
    'innsigli-sign',
    class extends HTMLElement {
      #signing: EmbeddedSigning | undefined;

      connectedCallback(): void {
        const url = this.getAttribute('src') ?? '';
        const language = this.getAttribute('lng');
        this.#signing = embedSigning({
          ...{ url, element: this },
          ...(language === null ? {} : { language }),
          onEvent: (event) => this.dispatchEvent(new CustomEvent(event.type, { detail: event })),
        });
      }

      disconnectedCallback(): void {
        this.#signing?.close();
      }
    },
  );
}
