import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** A QR code: `dark[y][x]`, from the top left, without its quiet zone. */
export interface QrCode {
  readonly size: number;
  readonly dark: readonly (readonly boolean[])[];
}

/** White modules that must surround a QR code. @spec ISO/IEC 18004 §5.3.8 */
export const quietModules = 4;

/**
 * The QR code of a text, as UTF-8, in the smallest version with medium error correction.
 *
 * @throws limit.exceeded when the text is too long
 */
export async function buildQrCode(text: string): Promise<QrCode> {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > limits.qrBytes) {
    throw new CoreError(
      'limit.exceeded',
      `a QR code holds ${limits.qrBytes} bytes, the text has ${bytes.length}`,
    );
  }
  const { default: qrcode } = await import('qrcode-generator');
  const code = qrcode(0, 'M');
  code.addData(bytes.toString('latin1'), 'Byte');
  code.make();
  const size = code.getModuleCount();
  const range = Array.from({ length: size }, (_, index) => index);
  return { size, dark: range.map((y) => range.map((x) => code.isDark(y, x))) };
}
