import { KeyringError } from '../platform/crypto/keyring.ts'
import type { Db, Reader } from '../platform/db/types.ts'

/** The name of the master key that the database was written under; none before the first start. */
export const knownMasterKey = async (reader: Reader): Promise<string | undefined> =>
  (await reader.get<{ keyId: string }>('SELECT key_id AS "keyId" FROM master_key_names'))?.keyId

/**
 * Holds a key to the one that the database was written under. A process with another key could open nothing, and would sign
 * what receivers must refuse. Throws `other_master_key`.
 */
export const checkMasterKey = async (reader: Reader, keyId: string): Promise<void> => {
  const known = await knownMasterKey(reader)
  if (known === keyId) return
  throw new KeyringError(
    'other_master_key',
    `The database was written under master key ${known ?? '(none)'}, and this process holds ${keyId}. ` +
      'Give every process of this database the same MASTER_KEY, or the same master.key in its DATA_DIR.',
  )
}

/** The same at a start; the first one writes its key's name down. Of two at once one wins, and the other is refused. */
export const claimMasterKey = async (db: Db, keyId: string): Promise<void> => {
  if ((await knownMasterKey(db.reader)) === undefined)
    await db.transact((tx) =>
      tx.run('INSERT INTO master_key_names (place, key_id) VALUES (1, ?) ON CONFLICT (place) DO NOTHING', [keyId]),
    )
  await checkMasterKey(db.reader, keyId)
}

/** Writes the one row anew as it is, which shows whether the database can be written to. */
export const rewriteMasterKeyName = async (db: Db): Promise<void> => {
  await db.transact((tx) => tx.run('UPDATE master_key_names SET key_id = key_id'))
}
