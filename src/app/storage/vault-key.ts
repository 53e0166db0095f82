import { attempt, InnsigliError, onCode } from '../../base/errors.ts';
import type { StorePorts, Vault, VaultKeyFile } from '../ports/index.ts';
import { factNames } from './claim-folder.ts';

/**
 * Opens the vault with the key that belongs to the database. A key is generated only for a database
 * that has never had one; the check value of the first key is stored in the database.
 *
 * @param makes false to generate no key
 * @throws vault.key.missing if the database has a key but the file does not exist
 * @throws config.datadir.missing if neither has a key and none may be generated
 * @throws vault.key.mismatch if the file contains a different key
 * @throws vault.invalid if the file contains no key or can be read by others
 */
export async function requireVaultKey(
  { store, keyFile, now }: StorePorts & { readonly keyFile: VaultKeyFile },
  makes = true,
): Promise<Vault> {
  const { known, sample } = await store.read(async ({ facts }) => ({
    known: await facts.find(factNames.vaultCheck),
    sample: await facts.sealedSample(),
  }));
  let vault = await keyFile.open();
  if (vault === undefined) {
    if (known !== undefined || sample !== undefined) throw missing(keyFile);
    if (!makes) throw notMade(keyFile);
    vault = await keyFile.make();
  }
  const check = checkOf(vault);
  if (known === check) return vault;
  if (known !== undefined || !opens(vault, sample)) throw mismatch(keyFile);
  const stands = await store.write(({ facts }) =>
    facts.putOnce(factNames.vaultCheck, check, now()),
  );
  if (stands !== check) throw mismatch(keyFile);
  return vault;
}

/**
 * Verifies that the database was created with the key of `vault`.
 *
 * @throws vault.key.mismatch
 */
export async function requireKeyOfStore(
  { store }: Pick<StorePorts, 'store'>,
  vault: Vault,
): Promise<void> {
  const known = await store.read(({ facts }) => facts.find(factNames.vaultCheck));
  if (known === undefined || known === checkOf(vault)) return;
  throw mismatch({ place: 'the key of this program' });
}

function checkOf(vault: Vault): string {
  return vault.mac('', factNames.vaultCheck);
}

function opens(
  vault: Vault,
  sample: { readonly sealed: string; readonly context: string } | undefined,
): boolean {
  if (sample === undefined) return true;
  const found = attempt(
    () => vault.decrypt(sample.sealed, sample.context),
    onCode('vault.invalid'),
  );
  return found !== undefined;
}

function missing({ place }: VaultKeyFile): InnsigliError {
  return new InnsigliError('vault.key.missing', `expected the key of the database at ${place}`, {
    hint: `restore ${place} from a backup, or copy it from a host that uses the database`,
  });
}

function notMade({ place }: VaultKeyFile): InnsigliError {
  return new InnsigliError('config.datadir.missing', `expected a key at ${place}, found none`, {
    hint:
      'for a new database run innsigli init; for an existing one, copy the key from the ' +
      'host that created it',
  });
}

function mismatch({ place }: Pick<VaultKeyFile, 'place'>): InnsigliError {
  const found = `${place} is not the key the database was created with`;
  return new InnsigliError(
    'vault.key.mismatch',
    `expected the key of the database, found a different one`,
    {
      hint: `${found}: restore it from a backup, or copy it from a host that uses the database`,
    },
  );
}
