import type { Drawing } from '../../../domain/signing/index.ts';
import type { Box, Corner } from '../../../seal/appearance/index.ts';

/** Appearance of a seal. */
export interface VisibleSeal {
  /** Number from 1 on, the last page, or all of them. Not for an existing field. Default: 1. */
  readonly page?: number | 'last' | 'all';
  /** A corner of the page. Default: the first of its 80 places that covers nothing printed. */
  readonly corner?: Corner;
  /** Side from which the first of those places is searched for. Default: `top`. */
  readonly startAt?: 'top' | 'bottom';
  /** Left, bottom, right, top in points of the page as the reader sees it. Default: a place. */
  readonly rect?: Box;
  /** Lines with placeholders, such as `{name}\n{time}`. Default: that of the language. */
  readonly template?: string;
  /** One of the interface languages, such as `is`. Default: `en`. */
  readonly language?: string;
  /** A logo, PNG or JPEG. Default: none. */
  readonly image?: Uint8Array;
  /** Text of a QR code; `true`: digest of the input, signer and time. Default: no code. */
  readonly qr?: string | true;
}

/** Appearance of the signature of a person, who may have drawn it. */
export interface VisibleSignature extends VisibleSeal {
  /** In the place of the logo. */
  readonly drawing?: Drawing;
}
