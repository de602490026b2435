import type { SecurityPolicyDocument, UpdateBuild, UpdateManifestDocument } from '@integrity/protocol'
import type { Clock } from '../../../shared/clock.ts'

const day = 24 * 60 * 60 * 1000

const dates = (clock: Clock) => ({
  sequence: 1,
  issuedAt: new Date(clock.wallMs() - day).toISOString(),
  expiresAt: new Date(clock.wallMs() + 30 * day).toISOString(),
})

export const buildManifest = (
  clock: Clock,
  overrides: Partial<UpdateManifestDocument> = {},
): UpdateManifestDocument => ({
  kind: 'update_manifest',
  app: 'desktop_agent',
  channel: 'stable',
  ...dates(clock),
  minimumVersion: '1.0.0',
  latest: { version: '1.0.0' },
  builds: [],
  ...overrides,
})

export const buildPolicy = (clock: Clock, overrides: Partial<SecurityPolicyDocument> = {}): SecurityPolicyDocument => ({
  kind: 'security_policy',
  ...dates(clock),
  pinning: { enforced: true, pins: [] },
  ...overrides,
})

export const buildBuild = (overrides: Partial<UpdateBuild> = {}): UpdateBuild => ({
  version: '1.1.0',
  platform: 'linux',
  arch: 'x64',
  url: 'https://downloads.example.org/agent-1.1.0.AppImage',
  sizeBytes: 1000,
  sha512: '0'.repeat(128),
  releasedAt: '2026-01-01T00:00:00.000Z',
  ...overrides,
})
