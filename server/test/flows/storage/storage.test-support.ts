import type { EveryEndpoint } from '@integrity/client/contract-types'
import { type CaptureSession, keyClient, sha256 } from '../../test-support/capture-session.ts'
import type { S3Double } from '../../test-support/s3-double.ts'
import type { TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

export type PutBody = EveryEndpoint['portal.storage.put']['body']
export const secretAccessKey = 's3cret-that-nobody-may-see'

/** What an owner does with the storage of the first organisation. */
export const storageOf = (server: TestServer) => {
  const params = { orgId: server.orgs[0].orgId }
  return {
    get: () => asMember(server, 'portal.storage.get', { params }),
    put: (body: PutBody) => asMember(server, 'portal.storage.put', { params, body }),
    validate: () => asMember(server, 'portal.storage.validate', { params }),
    migrate: (maxObjects = 100) => asMember(server, 'portal.storage.migrate', { params, body: { maxObjects } }),
    migration: () => asMember(server, 'portal.storage.migration', { params }),
  }
}

export const inDouble = (double: S3Double, more: Record<string, unknown> = {}): PutBody =>
  ({
    provider: 's3',
    endpoint: double.endpoint,
    region: 'us-east-1',
    bucket: 'evidence',
    accessKeyId: 'key',
    secretAccessKey,
    ...more,
  }) as PutBody

/** Whether an item can be opened, byte for byte. */
export const opens = async (
  server: TestServer,
  session: CaptureSession,
  { id, sha256: wanted }: { readonly id: string; readonly sha256: string },
): Promise<boolean> => {
  const { data } = await keyClient(server, session).call('evidence.downloadUrl', { params: { id } })
  const answer = await fetch(server.url + data.url.slice(server.app.config.baseUrl.length))
  return answer.status === 200 && sha256(Buffer.from(await answer.arrayBuffer())) === wanted
}
