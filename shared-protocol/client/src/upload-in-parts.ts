import type { Evidence } from './endpoint-types.ts'
import { IntegrityError } from './errors.ts'
import { platformRuntime, type Runtime } from './runtime.ts'
import type { Source } from './source.ts'
import { type PartsOptions, sendParts } from './upload-parts.ts'
import type { UploadState, UploadSteps } from './upload-steps.ts'

export interface InPartsOptions extends PartsOptions {
  readonly steps: UploadSteps
  readonly source: Source
  readonly runtime?: Runtime
  readonly signal?: AbortSignal
  /** Of an upload that was begun before; it then goes on without being described again. */
  readonly uploadId?: string | undefined
  /** Told of each upload before its first part is sent, and that there is none any more. */
  readonly onUpload?: ((uploadId: string | undefined) => void) | undefined
}

export interface Uploaded {
  /** Absent when the service said before that the upload is complete. */
  readonly evidence: Evidence | undefined
  /** True when the bytes were here before, so that none were sent. */
  readonly deduplicated: boolean
  /** Parts that an earlier run had sent. */
  readonly resumedParts: number
}

/** Times that an upload is looked at again when the service says that it is not what we thought. */
const rounds = 3

/** `gone` when the service does not know it any more. */
const readState = async (steps: UploadSteps, signal: AbortSignal, uploadId: string) => {
  try {
    const state = await steps.status?.(uploadId, signal)
    if (state?.state === 'completed') return 'completed'
    return state === undefined || state.state === 'aborted' ? 'gone' : state
  } catch (error) {
    if (error instanceof IntegrityError && error.code === 'not_found') return 'gone'
    throw error
  }
}

/** It expired, is not known any more, or parts were found missing or damaged: beginning says what is true of the item. */
export const isAboutUpload = (error: unknown): error is IntegrityError =>
  error instanceof IntegrityError && (error.kind === 'conflict' || error.kind === 'not_found')

/** The parts that a refusal to complete names as missing: all others are there. */
const withoutMissing = (state: UploadState, error: IntegrityError): UploadState | undefined => {
  const missing = error.extra['missingParts']
  if (!Array.isArray(missing) || missing.length === 0) return undefined
  const receivedParts = Array.from({ length: state.partCount }, (_, at) => at).filter((at) => !missing.includes(at))
  return { ...state, receivedParts }
}

/**
 * Sends what is missing of an item and completes it. Beginning is by the item's id, a part by its index and hash, so each
 * step can be repeated, and an upload that was cut off goes on when it is asked for again.
 */
export const uploadInParts = async (options: InPartsOptions): Promise<Uploaded> => {
  const { steps, source, onUpload } = options
  const { runtime = platformRuntime, signal = new AbortController().signal } = options
  let known = options.uploadId
  let state: UploadState | undefined
  let resumedParts: number | undefined
  for (let round = 1; ; round += 1) {
    if (known !== undefined && !state) {
      const read = await readState(steps, signal, known)
      if (read === 'completed') return { evidence: undefined, deduplicated: false, resumedParts: resumedParts ?? 0 }
      if (read === 'gone') onUpload?.(undefined)
      else state = read
    }
    if (!state) {
      const begun = await steps.begin(signal)
      if ('deduplicated' in begun) return { evidence: begun.evidence, deduplicated: true, resumedParts: 0 }
      state = begun
      onUpload?.(state.uploadId)
    }
    resumedParts ??= state.receivedParts.length
    try {
      await sendParts({ ...options, runtime, signal }, state)
      return { evidence: await steps.complete(state.uploadId, signal), deduplicated: false, resumedParts }
    } catch (error) {
      if (!isAboutUpload(error) || !source.replayable) throw error
      if (round === rounds) throw error
      known = steps.status && state.uploadId
      state = withoutMissing(state, error)
    }
  }
}
