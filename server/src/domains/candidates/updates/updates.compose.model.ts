import {
  compareVersions,
  maxBuilds,
  type SecurityPolicyDocument,
  ServiceError,
  type UpdateApp,
  type UpdateBuild,
  type UpdateChannel,
  type UpdateManifestDocument,
} from '@integrity/protocol'

interface Span {
  /** Epoch milliseconds. */
  readonly now: number
  readonly lifetimeMs: number
}

const head = (before: { readonly sequence: number } | undefined, { now, lifetimeMs }: Span) => ({
  sequence: (before?.sequence ?? 0) + 1,
  issuedAt: new Date(now).toISOString(),
  expiresAt: new Date(now + lifetimeMs).toISOString(),
})

/** What changes from one manifest to the next; what is absent stays as it is. */
export interface Release {
  readonly app: UpdateApp
  readonly channel: UpdateChannel
  readonly version?: string | undefined
  readonly minimum?: string | undefined
  readonly builds: readonly UpdateBuild[]
  /** Versions that are no longer to be installed. */
  readonly withdraw: readonly string[]
}

const sameBuild = (a: UpdateBuild, b: UpdateBuild): boolean =>
  a.version === b.version && a.platform === b.platform && a.arch === b.arch

const newestFirst = (a: UpdateBuild, b: UpdateBuild): number => compareVersions(b.version, a.version)

const absent = (option: string, why: string): ServiceError =>
  new ServiceError('invalid_request', `missing: --${option} (${why})`)

/** The next manifest of an app and channel: new builds before the recent ones, the oldest falling out. */
export const nextManifest = (
  before: UpdateManifestDocument | undefined,
  release: Release,
  span: Span,
): UpdateManifestDocument => {
  const kept = (before?.builds ?? []).filter((build) => !release.builds.some((fresh) => sameBuild(fresh, build)))
  const builds = [...release.builds, ...kept]
    .filter(({ version }) => !release.withdraw.includes(version))
    .sort(newestFirst)
    .slice(0, maxBuilds)
  const latest =
    release.version ??
    (builds.some((b) => b.version === before?.latest.version) ? before?.latest.version : builds[0]?.version)
  const minimumVersion = release.minimum ?? before?.minimumVersion
  if (latest === undefined) throw absent('version', 'there is no build to install yet')
  if (minimumVersion === undefined) throw absent('minimum', 'nothing was published before')
  const { app, channel } = release
  return {
    kind: 'update_manifest',
    app,
    channel,
    ...head(before, span),
    minimumVersion,
    latest: { version: latest },
    builds,
  }
}

export interface PolicyChange {
  readonly enforced: boolean
  /** Absent: the pins in force stay. */
  readonly pins?: SecurityPolicyDocument['pinning']['pins'] | undefined
  readonly reason?: string | undefined
}

export const nextPolicy = (
  before: SecurityPolicyDocument | undefined,
  { enforced, pins, reason }: PolicyChange,
  span: Span,
): SecurityPolicyDocument => ({
  kind: 'security_policy',
  ...head(before, span),
  pinning: { enforced, pins: pins ?? before?.pinning.pins ?? [] },
  ...(reason === undefined ? {} : { reason }),
})
