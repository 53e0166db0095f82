import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import type { Signer } from '../../seal/ports.ts';
import type { ResolvedConfig, SealDigest } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { loadCertificates, readConfigured, readPassword } from '../files/files.ts';
import type { ToolkitIo } from '../toolkit.types.ts';

/** Use of the key. */
export interface SignerOptions {
  readonly digest?: SealDigest;
  readonly scheme?: 'rsa-pss';
}

/**
 * The signer that the configuration names.
 *
 * @throws key.unreadable, key.password.missing, key.password.wrong, key.mismatch
 */
export async function openSigner(
  config: ResolvedConfig,
  options: SignerOptions,
  development: DevelopmentAccess,
  io: ToolkitIo,
): Promise<Signer> {
  const { key } = config;
  if (key.kind === 'development') {
    if (config.keyRefusedFrom !== undefined) throw refusedKey(config.keyRefusedFrom);
    const { keyObjectSigner } = await import('../../adapters/keys/key-object.ts');
    const trust = await development.use();
    const signer = keyObjectSigner({ ...(await trust.seal(key.seal)), ...options });
    return {
      ...signer,
      sign(data) {
        development.announce();
        return signer.sign(data);
      },
    };
  }
  const what = key.kind === 'pem' ? key.keyFile : key.file;
  const read = async (password: string | undefined): Promise<Signer> => {
    const secret = defined({ password });
    if (key.kind === 'p12') {
      const { p12Signer } = await import('../../adapters/keys/p12.ts');
      const p12 = await readConfigured(key.file, 'PKCS#12 file');
      return p12Signer({ p12, ...secret, ...options });
    }
    const { pemSigner } = await import('../../adapters/keys/pem.ts');
    const chain = await loadCertificates(key.chainFiles);
    return pemSigner({
      key: await readConfigured(key.keyFile, 'key file'),
      certificate: await readConfigured(key.certificateFile ?? key.keyFile, 'certificate file'),
      chain: chain.map(({ der }) => der),
      ...secret,
      ...options,
    });
  };
  try {
    if (key.passwordFile === undefined) return await readAsking(read, what, io);
    return await read(await readPassword(key.passwordFile, io));
  } catch (error) {
    throw advised(error, key.passwordFile);
  }
}

/** Signing with a test key instead would not be what the file says. */
function refusedKey(file: string): InnsigliError {
  const message = `${file} names a key, but it was found and not named itself`;
  return new InnsigliError('config.invalid', message, {
    details: { file },
    hint: 'name the project file with --config, or the key with --key or --p12',
  });
}

/** An error about the password, with where it is looked for. */
function advised(error: unknown, passwordFile: string | undefined): unknown {
  if (!isInnsigliError(error)) return error;
  const { code, message, details, cause } = error;
  if (code === 'key.password.missing') {
    const hint = 'name a file whose first line is the password: --password-file FILE';
    return new InnsigliError(code, message, { details, cause, hint });
  }
  if (code !== 'key.password.wrong' || passwordFile === undefined) return error;
  const hint = `the first line of ${passwordFile} is the password, including spaces`;
  return new InnsigliError(code, message, { details, cause, hint });
}

/** Without a password file, a person is asked, but only when the key turns out to need it. */
async function readAsking(
  read: (password: string | undefined) => Promise<Signer>,
  what: string,
  io: ToolkitIo,
): Promise<Signer> {
  try {
    return await read(undefined);
  } catch (error) {
    const missing = isInnsigliError(error) && error.code === 'key.password.missing';
    const password = missing ? await io.askPassword?.(what) : undefined;
    if (password === undefined) throw error;
    return read(password);
  }
}
