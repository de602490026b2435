import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { MigrationRow } from './migrations.store.ts'
import type { PlaceRow } from './storage.types.ts'

export const storageView = ({ settings, setAt, validatedAt, checks }: PlaceRow) => ({
  ...settings,
  setAt: setAt === 0 ? null : iso(setAt),
  version: setAt,
  validatedAt: isoOrNull(validatedAt),
  checks: [...checks],
})

export const migrationView = (row: MigrationRow | undefined) => {
  const startedAt = row?.startedAt ?? null
  const state = startedAt === null ? 'none' : row?.completedAt === null ? 'running' : 'completed'
  return {
    state: state as 'running' | 'completed' | 'none',
    moved: row?.moved ?? 0,
    remaining: row?.remaining ?? 0,
    failed: [...(row?.failed ?? [])],
    startedAt: isoOrNull(startedAt),
    updatedAt: isoOrNull(row?.updatedAt ?? null),
    completedAt: isoOrNull(row?.completedAt ?? null),
  }
}
