/** Where a piece of work stands in a trace, as W3C Trace Context carries it. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Whether who sent it records it. */
  readonly isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Reads a `traceparent` (W3C Trace Context, 3.2). Undefined where it is none: then a trace begins here. A later version may
 * have more behind it.
 */
export const readTraceParent = (text: string | null | undefined): TraceParent | undefined => {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceParent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
