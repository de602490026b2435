import { localHeader, type ZipMember, zipDirectory } from '../../../platform/zip/zip.ts'
import type { Measured } from './bundles.measure.service.ts'
import type { BundlePlan } from './bundles.plan.model.ts'

export interface Laid {
  /** What is stored, piece by piece, without the plan. */
  readonly kept: readonly (Buffer | { readonly start: number; readonly end: number })[]
  readonly keptBytes: number
  readonly plan: BundlePlan
  readonly sizeBytes: number
}

export type Member = Pick<Measured, 'at' | 'crc32'> & ZipMember

/** Where every byte of the ZIP stands. */
export const layOut = (
  texts: readonly (ZipMember & { bytes: Buffer })[],
  members: readonly Member[],
  sealed: boolean,
): Laid => {
  const kept: (Buffer | { start: number; end: number })[] = []
  const runs: BundlePlan['runs'][number][] = []
  const placed: (ZipMember & { offset: number })[] = []
  let [sizeBytes, keptBytes, sinceRun] = [0, 0, 0]
  const keep = (piece: Buffer | { start: number; end: number }): void => {
    const length = Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start
    kept.push(piece)
    sizeBytes += length
    keptBytes += length
    sinceRun += length
  }
  const begin = ({ name, size, crc32 }: ZipMember): void => {
    placed.push({ name, size, crc32, offset: sizeBytes })
    keep(localHeader({ name, size, crc32 }))
  }
  for (const { bytes, ...member } of texts) {
    begin(member)
    keep(bytes)
  }
  for (const { at, ...member } of members) {
    begin(member)
    if ('start' in at) {
      keep({ start: at.start, end: at.start + member.size })
      continue
    }
    keep(at.header)
    const bytes = member.size - at.header.length
    runs.push([sinceRun, at.evidenceId, bytes])
    sinceRun = 0
    sizeBytes += bytes
  }
  keep(zipDirectory(placed, sizeBytes))
  return { kept, keptBytes, plan: { sealed, runs }, sizeBytes }
}
