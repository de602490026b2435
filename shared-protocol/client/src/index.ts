export type {
  Answer,
  CallInput,
  CallOptions,
  EndpointId,
  ItemOf,
  ListId,
  RawBody,
  ResultOf,
} from './calls.ts'
export { type ClientOptions, createIntegrityClient, type IntegrityClient } from './client.ts'
export type * from './endpoint-types.ts'
export {
  type ErrorDetail,
  type EventGap,
  EventGapError,
  type FailureCode,
  type FailureKind,
  IntegrityError,
} from './errors.ts'
export type { StreamOptions } from './event-stream.ts'
export type { EventType, IntegrityEvent, KnownEvent, UnknownEvent } from './events.ts'
export type { PackItem, PackOptions, PackOutcome } from './packs.ts'
export type { RetryPolicy } from './retry.ts'
export type { Runtime } from './runtime.ts'
export type { Uploaded, UploadOptions } from './upload.ts'
export type { UploadProgress } from './upload-parts.ts'
export type { FileHandleLike, StreamUpload, UploadSource } from './upload-source.ts'
export {
  type SignatureSource,
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  WebhookVerificationError,
} from './webhook.ts'
