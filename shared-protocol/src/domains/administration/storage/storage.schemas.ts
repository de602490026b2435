import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { expectedVersion } from '../../../core/seen.ts'

/** Objects that one call of a migration moves at most. */
export const maxMigratedObjects = 1000
/** What is left is counted so far and no further. */
export const maxCountedObjects = 10_000

const secret = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, 'must be one word of ASCII, without spaces and line breaks')
const endpoint = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .regex(/^[\x21-\x7e]+$/, 'must be ASCII')
const prefix = z
  .string()
  .max(100)
  .regex(/^(?:[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*\/?)?$/, 'must be names of letters, digits, _ and -, joined by /')

const count = z.number().int().min(0)
const seen = { expectedVersion }

const s3 = z.object({
  ...seen,
  provider: z.literal('s3'),
  endpoint: endpoint.optional().meta({ description: "scheme, host and port; AWS's own for the region unless given" }),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be a name of a region'),
  bucket: z
    .string()
    .min(3)
    .max(63)
    .regex(/^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*$/, 'must be a name of a bucket: a-z, 0-9, - and single dots'),
  prefix: prefix.optional().meta({ description: 'the prefix of all objects' }),
  pathStyle: z.boolean().optional().meta({
    description: '`endpoint/bucket` instead of `bucket.endpoint`; on where an endpoint is given, unless said otherwise',
  }),
  accessKeyId: secret(128),
  secretAccessKey: secret(256),
})

const azure = z.object({
  ...seen,
  provider: z.literal('azure'),
  account: z.string().regex(/^[a-z0-9]{3,24}$/, 'must be a name of an account: 3 to 24 of a-z and 0-9'),
  container: z
    .string()
    .min(3)
    .max(63)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be a name of a container: a-z, 0-9 and single -'),
  prefix: prefix.optional().meta({ description: 'the prefix of all objects' }),
  key: z
    .string()
    .max(256)
    .regex(/^[A-Za-z0-9+/]{4,}={0,2}$/, 'must be base64')
    .meta({ description: "one of the account's keys" }),
  endpoint: endpoint.optional().meta({
    description: 'of the account, with its path if it has one; `https://<account>.blob.core.windows.net` unless given',
  }),
})

const local = z.object({ ...seen, provider: z.literal('local') })

export const storagePut = z.discriminatedUnion('provider', [local, s3, azure]).meta({ id: 'StoragePut' })

export const storageCheck = z
  .object({
    name: z.enum(['write', 'read', 'range', 'conditional_write', 'list', 'delete']),
    ok: z.boolean(),
    message: z.string().optional().meta({ description: 'why it failed, in words' }),
  })
  .meta({ id: 'StorageCheck' })

export const storage = z
  .object({
    provider: z.enum(['local', 's3', 'azure']),
    account: z.string().optional(),
    container: z.string().optional(),
    endpoint: z.string().optional(),
    region: z.string().optional(),
    bucket: z.string().optional(),
    prefix: z.string().optional(),
    pathStyle: z.boolean().optional(),
    setAt: instant.nullable().meta({ description: 'null: no storage was chosen, so it is `local`' }),
    version: count.meta({ description: 'a greater number with each choice; 0 where none was made' }),
    validatedAt: instant.nullable().meta({ description: 'when all checks passed last' }),
    checks: z.array(storageCheck).meta({ description: 'of the latest look; empty where there was none yet' }),
  })
  .meta({ id: 'Storage', description: 'where new objects go; without any secret' })

export const migrateBody = z.object({
  maxObjects: z.number().int().min(1).max(maxMigratedObjects).default(100).meta({
    description: 'objects that this call moves at most',
  }),
})

const progress = {
  state: z.enum(['running', 'completed', 'none']).meta({
    description:
      '`running`: call again; `completed`: everything lies where it should; `none`: there is nothing to move',
  }),
  moved: count,
  remaining: count.meta({ description: `objects that lie elsewhere still; counted up to ${maxCountedObjects}` }),
  failed: z.array(z.object({ object: z.string(), message: z.string() })).meta({
    description: 'what could not be moved by the latest call and stays where it was; the next one tries again',
  }),
}
export const migrationRun = z.object(progress).meta({ id: 'StorageMigrationRun', description: 'what this call did' })

export const migration = z
  .object({
    ...progress,
    startedAt: instant.nullable(),
    updatedAt: instant.nullable().meta({ description: 'its latest call' }),
    completedAt: instant.nullable(),
  })
  .meta({ id: 'StorageMigration', description: 'what all calls of the latest migration did together' })
