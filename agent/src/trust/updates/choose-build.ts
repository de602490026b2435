import { compareVersions, type UpdateBuild, type UpdateManifestDocument } from '@integrity/protocol'

export interface Machine {
  /** The version that is running. */
  readonly version: string
  /** Node's `process.platform` and `process.arch`. */
  readonly platform: string
  readonly arch: string
}

export interface Choice {
  /** The build to install; undefined when none is newer, or none is for this machine. */
  readonly build: UpdateBuild | undefined
  /** The oldest supported version, when the running one is older. */
  readonly minimum: string | undefined
  /** Whether `build` is one that is supported. */
  readonly reachesMinimum: boolean
}

/**
 * Chooses the newest build for this machine that is newer than the running one and no newer than what the operator
 * calls the latest: never a step back, and never a build that was withdrawn by naming an older one the latest.
 */
export const chooseBuild = (
  { latest, minimumVersion, builds }: UpdateManifestDocument,
  { version, platform, arch }: Machine,
): Choice => {
  const [build] = builds
    .filter((one) => one.platform === platform && (one.arch === arch || one.arch === 'universal'))
    .filter((one) => compareVersions(one.version, version) > 0 && compareVersions(one.version, latest.version) <= 0)
    .sort((a, b) => compareVersions(b.version, a.version))
  const isBelow = compareVersions(version, minimumVersion) < 0
  return {
    build,
    minimum: isBelow ? minimumVersion : undefined,
    reachesMinimum: build !== undefined && compareVersions(build.version, minimumVersion) >= 0,
  }
}
