import { randomBytes } from 'node:crypto'
import { createKeyring, type Keyring, KeyringError, masterKeyBytes } from '../platform/crypto/keyring.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import type { Db, Reader } from '../platform/db/types.ts'

/**
 * Everything that is wrapped or signed is under a root key, which the database keeps wrapped under the master key. So the
 * master key can be changed while processes run: they hold the root key, and only a start needs the master key.
 */
interface KeptRoot {
  /** Name of the master key that it is wrapped under. */
  readonly keyId: string
  /** Null in a database of before, whose root key is its master key. */
  readonly rootId: string | null
  readonly wrapped: string | null
}

const context = 'root-key'

const readRoot = (reader: Reader): Promise<KeptRoot | undefined> =>
  reader.get<KeptRoot>(
    'SELECT key_id AS "keyId", root_id AS "rootId", wrapped_root AS wrapped FROM master_key_names WHERE place = 1',
  )

/** The name of the master key that the database was written under; none before the first start. */
export const knownMasterKey = async (reader: Reader): Promise<string | undefined> => (await readRoot(reader))?.keyId

const otherKey = (known: string | undefined, held: string) =>
  new KeyringError(
    'other_master_key',
    `The database was written under master key ${known ?? '(none)'}, and this process holds ${held}. ` +
      'Give every process of this database the same MASTER_KEY, or the same master.key in its DATA_DIR.',
  )

/** Of several first starts at once one root key stays. */
const keepRoot = (db: Db, master: Keyring, root: Uint8Array): Promise<unknown> =>
  db.transact((tx) =>
    tx.run(
      `INSERT INTO master_key_names (place, key_id, root_id, wrapped_root) VALUES (1, ?, ?, ?) ON CONFLICT (place)
       DO UPDATE SET root_id = excluded.root_id, wrapped_root = excluded.wrapped_root
       WHERE master_key_names.wrapped_root IS NULL AND master_key_names.key_id = excluded.key_id`,
      [master.keyId, createKeyring(root).keyId, master.wrap(root, context)],
    ),
  )

/** The keyring of this database; its root key is made at the very first start. Throws `other_master_key`. */
export const openRoot = async (db: Db, master: Uint8Array): Promise<Keyring> => {
  const outer = createKeyring(master)
  const found = await readRoot(db.reader)
  if (!found) await keepRoot(db, outer, randomBytes(masterKeyBytes))
  else if (found.wrapped === null) await keepRoot(db, outer, master)
  const { keyId, wrapped } = (await readRoot(db.reader)) ?? {}
  if (keyId !== outer.keyId || !wrapped) throw otherKey(keyId, outer.keyId)
  return createKeyring(outer.unwrap(wrapped, context))
}

/** Holds a process to the root key of its database. Throws `other_master_key`. */
export const checkRoot = async (reader: Reader, { keyId }: Pick<Keyring, 'keyId'>): Promise<void> => {
  const found = await readRoot(reader)
  if (found?.rootId !== keyId) throw otherKey(found?.rootId ?? undefined, keyId)
}

/** Wraps the root key under another master key, in one step. Throws `other_master_key` where `from` is not the present one. */
export const changeMasterKey = async (
  db: Db,
  from: Uint8Array,
  to: Uint8Array,
): Promise<{ readonly keyId: string }> => {
  const [before, after] = [createKeyring(from), createKeyring(to)]
  await db.transact(async (tx) => {
    const { keyId, wrapped } = (await readRoot(tx)) ?? {}
    if (keyId !== before.keyId || !wrapped) throw otherKey(keyId, before.keyId)
    await tx.run('UPDATE master_key_names SET key_id = ?, wrapped_root = ? WHERE key_id = ?', [
      after.keyId,
      after.wrap(before.unwrap(wrapped, context), context),
      before.keyId,
    ])
  })
  return { keyId: after.keyId }
}

/** Takes the wrapping before out of the files: with it and the key before, the root key opens. Rejects while somebody reads. */
export const scrubRoot = (db: Pick<MigratableDb, 'scrub'>): Promise<void> => db.scrub(['master_key_names'])

/** Writes the one row again as it is, which shows whether the database can be written to. */
export const rewriteMasterKeyName = async (db: Db): Promise<void> => {
  await db.transact((tx) => tx.run('UPDATE master_key_names SET key_id = key_id'))
}
