import type { Box, Corner } from '../../../seal/appearance/index.ts';

/** How a seal shall be seen. */
export interface VisibleSeal {
  /** Number from 1 on, the last page, or all of them; default 1. Not for an existing field. */
  readonly page?: number | 'last' | 'all';
  /** A corner of the page; default: the first of its 80 places that covers nothing printed. */
  readonly corner?: Corner;
  /** Where the first of those places is; default `top`. */
  readonly startAt?: 'top' | 'bottom';
  /** Left, bottom, right, top in points of the page as the reader sees it. */
  readonly rect?: Box;
  /** Lines with placeholders; default: the template of the language. */
  readonly template?: string;
  /** One of the interface languages, such as `is` or `en`; default `en`. */
  readonly language?: string;
  /** A logo: PNG or JPEG. */
  readonly image?: Uint8Array;
  /** Text of a QR code, with placeholders; `true` for the digest of the input, signer and time. */
  readonly qr?: string | true;
}
