import type { ArgumentsOf } from '@integrity/client/calls'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { urlOf } from '@integrity/client/request'
import { endpointTable } from '../generated/desk-endpoints.ts'

type Table = typeof endpointTable
type FileId = { [Id in keyof Table]: Table[Id] extends `GET ${string} bytes` ? Id : never }[keyof Table]
type Asked<Id extends FileId> = Pick<
  NonNullable<ArgumentsOf<EveryEndpoint[Id]>[0]>,
  ('params' | 'query') & keyof NonNullable<ArgumentsOf<EveryEndpoint[Id]>[0]>
>

/** Where a file lies that the browser itself fetches and saves, however large it is; the cookie of the sign-in goes along. */
export type FileAddress = <Id extends FileId>(id: Id, asked: Asked<Id>) => string

export const createFileAddress =
  (baseUrl: string): FileAddress =>
  (id, asked) => {
    const [, path = ''] = endpointTable[id].split(' ')
    const { params, query } = asked as {
      readonly params?: Readonly<Record<string, string>>
      readonly query?: Readonly<Record<string, string>>
    }
    return urlOf({ baseUrl, token: undefined }, path, params, query)
  }
