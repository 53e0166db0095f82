/**
 * Entry «innsigli/embed»: shows the signing page in a page of your own, and tells it what happens.
 * It runs in browsers and depends on nothing. The origin of the page has to be registered:
 * `innsigli company origin add https://app.example.com`.
 */

/** What happened to a document, in the published words. */
export interface SignedDocument {
  /** SHA-256 of the document, base64. */
  readonly digest: string;
  readonly fileName: string;
}

/**
 * A message of the signing page. `process_not_found` and `error` are published and not sent: of an
 * unknown link no company is known, and so no page that may hear of it.
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
      /** The last one, of qualified signatures only. */
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
  /** Link of the signee, as the service gives it: `https://sign.example.com/s/…/…`. */
  readonly url: string;
  /** Element that the frame is put into. */
  readonly element: HTMLElement;
  /** Language, such as `en-us`. Default: that of the signee. */
  readonly language?: string;
  /** Name of the frame for screen readers. Default: `Signing`. */
  readonly title?: string;
  /** Called with each message of the page in the frame, and of no other window. */
  onEvent?(event: SigningEvent): void;
}

/** A signing page in a frame. */
export interface EmbeddedSigning {
  readonly frame: HTMLIFrameElement;
  /** Removes the frame, and hears no more. */
  close(): void;
}

const HEIGHT_FIRST = 700;

/**
 * Shows the page of a signee in a frame that is as high as its content.
 *
 * @throws TypeError for what is no http or https address
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
    // Another window, or another page in this one, says nothing about the document.
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
 * Defines the element `<innsigli-sign src="…" lng="…">`, which shows the page of a signee and
 * dispatches its messages as events of their type; `detail` is the message. Twice is once.
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
