import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** What the makers of S3 and of Azure's storage give to others; they are beside Azurite, see `azurite.ts`. */
const beside = fileURLToPath(new URL('../azurite/package.json', import.meta.url))
const load = createRequire(beside)

interface Answer {
  readonly Body: { transformToByteArray(): Promise<Uint8Array> }
}
type Command = new (input: Readonly<Record<string, unknown>>) => object

interface AwsSdk {
  readonly S3Client: new (settings: object) => { send(command: object): Promise<unknown>; destroy(): void }
  readonly GetObjectCommand: Command
  readonly PutObjectCommand: Command
  readonly CreateMultipartUploadCommand: Command
  readonly UploadPartCommand: Command
  readonly CompleteMultipartUploadCommand: Command
}

interface AzureSdk {
  readonly StorageSharedKeyCredential: new (account: string, key: string) => object
  readonly BlobServiceClient: new (
    url: string,
    credential: object,
  ) => {
    getContainerClient(name: string): {
      getBlockBlobClient(name: string): {
        downloadToBuffer(): Promise<Buffer>
        uploadData(bytes: Buffer): Promise<unknown>
      }
    }
  }
}

export const hasSdks = existsSync(new URL('../azurite/node_modules/@aws-sdk/client-s3', import.meta.url))

interface S3Owner {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly bucket: string
}

/** One bucket through `@aws-sdk/client-s3`, with the checksums that older servers know. */
export const openAwsSdk = ({ endpoint, bucket: Bucket, ...credentials }: S3Owner) => {
  const sdk = load('@aws-sdk/client-s3') as AwsSdk
  const { S3Client, GetObjectCommand, PutObjectCommand } = sdk
  const client = new S3Client({
    endpoint,
    credentials,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    get: async (Key: string): Promise<Buffer> => {
      const answer = (await client.send(new GetObjectCommand({ Bucket, Key }))) as Answer
      return Buffer.from(await answer.Body.transformToByteArray())
    },
    put: async (Key: string, Body: Buffer): Promise<void> => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body }))
    },
    /** So many parts under way at once, as streams: of these the library computes no hash. */
    putParts: async (Key: string, parts: readonly Buffer[], atOnce: number): Promise<void> => {
      const { UploadId } = (await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }))) as {
        UploadId: string
      }
      const waiting = [...parts.entries()]
      const Parts: { PartNumber: number; ETag: string }[] = []
      const sendWaiting = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [index, bytes] = next
          const part = { PartNumber: index + 1, ContentLength: bytes.length, Body: Readable.from([bytes]) }
          const { ETag } = (await client.send(new sdk.UploadPartCommand({ Bucket, Key, UploadId, ...part }))) as {
            ETag: string
          }
          Parts[index] = { PartNumber: index + 1, ETag }
        }
      }
      await Promise.all(Array.from({ length: atOnce }, sendWaiting))
      await client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
    },
    close: () => client.destroy(),
  }
}

/** One container through `@azure/storage-blob`. */
export const openAzureSdk = (place: { endpoint: string; account: string; key: string; container: string }) => {
  const { StorageSharedKeyCredential, BlobServiceClient } = load('@azure/storage-blob') as AzureSdk
  const service = new BlobServiceClient(place.endpoint, new StorageSharedKeyCredential(place.account, place.key))
  const container = service.getContainerClient(place.container)
  return {
    get: (name: string): Promise<Buffer> => container.getBlockBlobClient(name).downloadToBuffer(),
    put: async (name: string, bytes: Buffer): Promise<void> => {
      await container.getBlockBlobClient(name).uploadData(bytes)
    },
  }
}
