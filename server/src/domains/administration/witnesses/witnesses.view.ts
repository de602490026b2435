import type { WitnessesRow } from './witnesses.types.ts'

const kept = (rows: number, at: number) => (rows === 0 ? null : { rows, at: new Date(at).toISOString() })

export const witnessingView = (row: WitnessesRow | undefined) => {
  const cosigned = row && kept(row.cosignedRows, row.cosignedAt)
  return {
    version: row?.version ?? 0,
    mail: row?.mail ?? false,
    webhook: row?.webhook ?? false,
    witness: row?.witnessUrl && row.witnessKey !== null ? { url: row.witnessUrl, verifierKey: row.witnessKey } : null,
    mailed: row ? kept(row.mailedRows, row.mailedAt) : null,
    published: row ? kept(row.publishedRows, row.publishedAt) : null,
    cosigned: cosigned ? { ...cosigned, checkpoint: row.cosigned ?? '' } : null,
    problem: row?.problem ?? null,
  }
}
