import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mallocSettings } from '../../server/src/platform/malloc-settings.ts'
import { memorySettings, withMemorySettings } from './memory.mjs'

const packaging = resolve(import.meta.dirname, '../../server/packaging')

describe('the memory settings of long-lived programs', () => {
  it('are those of the processes that the server starts itself', () => {
    expect(memorySettings).toEqual(mallocSettings)
  })

  it.each(['debian/interview-integrity.service', 'Dockerfile'])('are in %s', (file) => {
    const text = readFileSync(join(packaging, file), 'utf8')
    for (const [name, value] of Object.entries(memorySettings))
      expect(text).toMatch(new RegExp(`[ =]${name}=${value}\\b`))
  })

  it('leave an environment alone that has one of its own', () => {
    expect(withMemorySettings({ A: '1' })).toEqual({ A: '1', ...memorySettings })
    expect(withMemorySettings({ MALLOC_ARENA_MAX: '7' })).toEqual({ MALLOC_ARENA_MAX: '7' })
  })
})
