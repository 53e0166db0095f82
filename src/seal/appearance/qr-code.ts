import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** A QR code: `dark[y][x]`, from the top left, without its quiet zone. */
export interface QrCode {
  readonly size: number;
  readonly dark: readonly (readonly boolean[])[];
}

/** White modules that must surround a QR code. @spec ISO/IEC 18004 §5.3.8 */
export const quietModules = 4;

/**
 * Points of a module that a reader still finds in a picture of 150 dots an inch: two and a half of
 * its dots.
 */
export const readableModule = 1.2;

/** The part of a QR code that may be damaged: 7 % or 15 %. */
export type ErrorCorrection = 'L' | 'M';

/**
 * The QR code of a text, as UTF-8, in the smallest version; more error correction takes more
 * modules.
 *
 * @throws limit.exceeded when the text is too long
 */
export async function buildQrCode(text: string, correction: ErrorCorrection): Promise<QrCode> {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > limits.qrBytes) {
    const message = `a QR code holds up to ${limits.qrBytes} bytes, the text has ${bytes.length}`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const { default: qrcode } = await import('qrcode-generator');
  const code = qrcode(0, correction);
  code.addData(bytes.toString('latin1'), 'Byte');
  code.make();
  const size = code.getModuleCount();
  const range = Array.from({ length: size }, (_, index) => index);
  return { size, dark: range.map((y) => range.map((x) => code.isDark(y, x))) };
}
