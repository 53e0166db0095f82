import type { Drawing } from '../../../domain/signing/index.ts';
import type { Box, Corner } from '../../../seal/appearance/index.ts';

/** Appearance of a seal. */
export interface VisibleSeal {
  /** Page number from 1, the last page, or all pages. Not for an existing field. Default: 1. */
  readonly page?: number | 'last' | 'all';
  /** A corner of the page. Default: the first of its 80 positions that covers nothing printed. */
  readonly corner?: Corner;
  /** Side from which the search for a free position starts. Default: `top`. */
  readonly startAt?: 'top' | 'bottom';
  /** Left, bottom, right, top in points of the page as displayed. Default: a free position. */
  readonly rect?: Box;
  /** Lines with placeholders, such as `{name}\n{time}`. Default: that of the language. */
  readonly template?: string;
  /** One of the interface languages, such as `is`. Default: `en`. */
  readonly language?: string;
  /** Logo, PNG or JPEG. Default: none. */
  readonly image?: Uint8Array;
  /** Text of a QR code; `true`: digest of the input, signer and time. Default: no code. */
  readonly qr?: string | true;
}

/** Appearance of the signature of a person, possibly with a drawn signature. */
export interface VisibleSignature extends VisibleSeal {
  /** Drawn signature, shown instead of the logo. */
  readonly drawing?: Drawing;
}
