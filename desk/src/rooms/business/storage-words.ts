import type { EveryEndpoint } from '@integrity/client/contract-types'
import type { ReadResult } from '../../data/desk-api.ts'
import type { DeskText } from '../../words/desk.ts'

type Body = EveryEndpoint['portal.storage.put']['body']

/** What is typed of a storage, secrets left out: it is remembered for as long as the page is open. */
export interface StorageWords {
  readonly [name: string]: string
  readonly provider: string
}

export const providers = ['local', 's3', 'azure'] as const

interface Field {
  readonly name: string
  readonly label: DeskText
  readonly help?: DeskText
  readonly optional?: boolean
}

const prefix: Field = { name: 'prefix', label: 'businessPrefix', help: 'businessPrefixHelp', optional: true }

const fields: Readonly<Record<string, readonly Field[]>> = {
  s3: [
    { name: 'region', label: 'businessRegion' },
    { name: 'bucket', label: 'businessBucket' },
    { name: 'endpoint', label: 'businessEndpoint', help: 'businessS3EndpointHelp', optional: true },
    prefix,
  ],
  azure: [
    { name: 'account', label: 'businessAccount' },
    { name: 'container', label: 'businessContainer' },
    { name: 'endpoint', label: 'businessEndpoint', help: 'businessAzureEndpointHelp', optional: true },
    prefix,
  ],
}
const secrets: Readonly<Record<string, readonly Field[]>> = {
  s3: [
    { name: 'accessKeyId', label: 'businessAccessKeyId' },
    { name: 'secretAccessKey', label: 'businessSecretAccessKey' },
  ],
  azure: [{ name: 'key', label: 'businessAzureKey' }],
}

export const emptyStorage: StorageWords = {
  provider: 's3',
  region: '',
  bucket: '',
  endpoint: '',
  prefix: '',
  account: '',
  container: '',
}

/** The storage in use, as the form would say it. */
export const storageWordsOf = (storage: ReadResult<'portal.storage.get'>): StorageWords => ({
  ...emptyStorage,
  ...Object.fromEntries(
    Object.entries(storage).flatMap(([name, value]) =>
      name in emptyStorage && typeof value === 'string' ? [[name, value]] : [],
    ),
  ),
  provider: storage.provider,
})

export const fieldsOf = (provider: string): readonly Field[] => fields[provider] ?? []
export const secretsOf = (provider: string): readonly Field[] => secrets[provider] ?? []

/** What the service is asked for. It looks at each field, and says what is wrong with it. */
export const bodyOf = (words: StorageWords, given: Readonly<Record<string, string>>): Body => {
  const { provider } = words
  const plain = fieldsOf(provider).flatMap(({ name, optional }) =>
    optional && !words[name] ? [] : [[name, words[name] ?? '']],
  )
  const secret = secretsOf(provider).map(({ name }) => [name, given[name] ?? ''])
  return { provider, ...Object.fromEntries([...plain, ...secret]) } as Body
}
