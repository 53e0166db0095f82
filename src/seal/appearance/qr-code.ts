import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** A QR code: `dark[y][x]`, from the top left, without its quiet zone. */
export interface QrCode {
  readonly size: number;
  readonly dark: readonly (readonly boolean[])[];
}

/** Width in modules of the white quiet zone around a QR code. @spec ISO/IEC 18004 §5.3.8 */
export const quietModules = 4;

/** Minimum module size in points that readers recognise at 150 dots per inch: 2.5 dots. */
export const readableModule = 1.2;

/** Error correction level: the fraction of a QR code that may be damaged is 7 % or 15 %. */
export type ErrorCorrection = 'L' | 'M';

/**
 * Builds the QR code of a UTF-8 text in the smallest version. More error correction needs more
 * modules.
 *
 * @throws limit.exceeded if the text is too long
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
