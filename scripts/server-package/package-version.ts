interface PackageVersionInput {
  /** Commits in the history. */
  readonly commits: number
  readonly commit: string
  /** Whether this very commit has the tag of the version. */
  readonly isTagged: boolean
  /** Commits since the tag of the version; undefined where there is none yet. */
  readonly sinceTag: number | undefined
}

/**
 * The version of a Debian package: that of the release on its tag, and otherwise one that grows with each commit, sorts before
 * the release that is to come (`~`) and after the one that was (`+`).
 */
export const packageVersion = (
  version: string,
  { commits, commit, isTagged, sinceTag }: PackageVersionInput,
): string => {
  if (isTagged) return version
  return sinceTag === undefined ? `${version}~${commits}.${commit}` : `${version}+${sinceTag}.${commit}`
}
